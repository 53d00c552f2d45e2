// What a brick's flags say. For C and OpenCL.
#ifndef SILT_VOLUME_FLAGS_H
#define SILT_VOLUME_FLAGS_H

enum {
    SILT_BRICK_TOUCHED = 1,                                     // phi changed since it was a distance
    SILT_BRICK_REMESH = 2,                                      // since the surface was made
    SILT_BRICK_MEASURE = 4,                                     // since the brick's rock was measured
    SILT_BRICK_CHANGED = SILT_BRICK_REMESH | SILT_BRICK_MEASURE // whatever follows from phi is old
};

#endif
