#!/bin/sh
# Every header in src/physics must be OpenCL C 1.2 as well as C17: kernels include them as they are.
# usage: physics_opencl.sh SOURCE_DIR; exit status 77 when there is no clang that could tell.
if ! command -v clang >/dev/null; then
    echo "skipped: clang is missing (Debian package clang)"
    exit 77
fi
failed=0
for header in "$1"/src/physics/*.h; do
    if ! clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only -Wall -Werror \
        -Wno-unused-function "$header"; then
        echo "not OpenCL C 1.2: $header"
        failed=1
    fi
done
exit $failed
