# cmake -DOUT=FILE -DSHADERS="a.vert;b.frag" -P embed-shaders.cmake
# Writes a C file with each shader as a string: land.vert becomes silt_shader_land_vert.
set(text "// Written by cmake/embed-shaders.cmake.\n#include \"render/shaders.h\"\n")
foreach(shader ${SHADERS})
  get_filename_component(name ${shader} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${shader} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
  string(APPEND text "const char silt_shader_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
