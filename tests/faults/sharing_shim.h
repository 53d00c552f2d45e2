// What tests ask of the shim that lets OpenCL share memory with GL.
#ifndef SILT_TESTS_SHARING_SHIM_H
#define SILT_TESTS_SHARING_SHIM_H

#include <stddef.h>

// The Nth call from now on of "context", "buffer", "acquire", "copy" or "release" fails, and all behind it;
// "pattern": what is written is not what GL reads; "" and 0: none does.
void sharing_shim_fail(const char *call, int number);
// How often the library used such memory wrongly: each was told on stderr.
int sharing_shim_faults(void);
// Bytes that came from the device since the last call.
size_t sharing_shim_bytes(void);
int sharing_shim_shown(void); // buffers that were handed back to GL so far

#endif
