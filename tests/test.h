// What every test includes: cmocka, and a few words of our own.
#ifndef SILT_TEST_H
#define SILT_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h" // tests make allocations fail
#include "silt/base.h"

// Sanitizers are slow, and look at memory, not at bytes: laws that only repeat do so less often there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SILT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SILT_SANITIZED 1
#endif
#endif
#ifndef SILT_SANITIZED
#define SILT_SANITIZED 0
#endif

// Begins a law of numbers that takes long: under sanitizers, where other tests run the same lines, it is left
// to `make asan-all`, which sets SILT_WHOLE.
static inline bool leaves_long_laws(void)
{
    return SILT_SANITIZED && !getenv("SILT_WHOLE");
}

static inline void long_law(void)
{
    if (leaves_long_laws())
        skip();
}

#define assert_ok(call)                                                                                      \
    do {                                                                                                     \
        SiltStatus status_ = (call);                                                                         \
        if (status_ != SILT_OK)                                                                              \
            fail_msg("%s: %s: %s", #call, silt_status_name(status_), silt_message());                        \
    } while (0)

// The call fails with this status, and its message contains these words.
#define assert_fails(call, wanted, words)                                                                    \
    do {                                                                                                     \
        SiltStatus status_ = (call);                                                                         \
        if (status_ != (wanted))                                                                             \
            fail_msg("%s: status '%s' where '%s' was expected", #call, silt_status_name(status_),            \
                     silt_status_name(wanted));                                                              \
        if (!strstr(silt_message(), (words)))                                                                \
            fail_msg("%s: the message '%s' does not say '%s'", #call, silt_message(), (words));              \
    } while (0)

#define assert_near(value, wanted, tolerance)                                                                \
    do {                                                                                                     \
        double value_ = (value), wanted_ = (wanted), tolerance_ = (tolerance);                               \
        if (!(fabs(value_ - wanted_) <= tolerance_))                                                         \
            fail_msg("%s = %.17g, wanted %.17g within %g", #value, value_, wanted_, tolerance_);             \
    } while (0)

// The main function of tests that draw, which are skipped where nothing can be drawn; and that of a build
// which draws maps only.
#define MAIN_THAT_DRAWS(...)                                                                                 \
    int main(void)                                                                                           \
    {                                                                                                        \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                                     \
        bool draws = silt_render_has_gl();                                                                   \
        if (!draws)                                                                                          \
            printf("%s\n", silt_message());                                                                  \
        return draws ? cmocka_run_group_tests(tests, NULL, NULL) : 77;                                       \
    }
#define MAIN_THAT_CANNOT_DRAW                                                                                \
    int main(void)                                                                                           \
    {                                                                                                        \
        printf("this build draws maps only\n");                                                              \
        return 77;                                                                                           \
    }

#endif
