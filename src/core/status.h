// Failing and warning inside the library.
#ifndef SILT_CORE_STATUS_H
#define SILT_CORE_STATUS_H

#include "silt/base.h"

// silt_fail for a failed allocation of `bytes` for `what`.
SiltStatus silt_fail_memory(const char *what, double bytes);

// Where the calling thread's warnings go while a run works: to the run's own handler, where it has one.
typedef struct SiltWarnings {
    SiltWarningFn handler;
    void *user;
} SiltWarnings;

// Returns what was before, which silt_warnings_end brings back.
SiltWarnings silt_warnings_begin(const SiltRun *run);
void silt_warnings_end(SiltWarnings before);

// Keeps the calling thread's warnings back from here to silt_release_warnings, which hands them out when
// `status` is SILT_OK and drops them otherwise: what fails says one sentence. Returns the status. Pairs nest.
void silt_hold_warnings(void);
SiltStatus silt_release_warnings(SiltStatus status);

#endif
