// Reading .glb files, for the format that glb.c lists.
#ifndef SILT_IO_GLB_H
#define SILT_IO_GLB_H

#include "silt/mesh.h"

// The triangles of a .glb file.
SiltStatus silt_glb_read(const char *path, SiltMesh *out);

#endif
