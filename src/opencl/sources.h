// The sources that devices compile, put into the library by cmake/embed-sources.cmake.
#ifndef SILT_OPENCL_SOURCES_H
#define SILT_OPENCL_SOURCES_H

typedef struct SiltSource {
    const char *path; // below src/
    const char *text;
} SiltSource;

extern const SiltSource silt_sources[];
extern const int silt_source_count;

#endif
