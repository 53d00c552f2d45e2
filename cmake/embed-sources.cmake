# cmake -DOUT=FILE -DROOT=SRC -DSOURCES="physics/a.h;grid/b.h" -P embed-sources.cmake
# Writes a C file with the sources that devices compile, each by its path below ROOT.
set(text "// Written by cmake/embed-sources.cmake.\n#include \"opencl/sources.h\"\n")
set(table "")
set(count 0)
foreach(source ${SOURCES})
  file(READ ${ROOT}/${source} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "static const char text_${count}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${source}\", text_${count}},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(APPEND text "const SiltSource silt_sources[] = {\n${table}};\nconst int silt_source_count = ${count};\n")
file(WRITE ${OUT} "${text}")
