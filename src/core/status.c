#include "core/status.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

static _Thread_local char message[2048];

// Warnings held back: texts one after the other, each with its zero byte. What does not fit is dropped.
static _Thread_local char held[8192];
static _Thread_local size_t held_bytes;
static _Thread_local int hold_depth;

// Those of a run, while it works.
static _Thread_local SiltWarnings run_warnings;

static pthread_mutex_t warning_lock = PTHREAD_MUTEX_INITIALIZER;
static SiltWarningFn warning_handler;
static void *warning_user;

const char *silt_status_name(SiltStatus status)
{
    switch (status) {
    case SILT_OK:
        return "ok";
    case SILT_NO_MEMORY:
        return "no memory";
    case SILT_IO_ERROR:
        return "input or output failed";
    case SILT_BAD_FILE:
        return "bad file";
    case SILT_BAD_ARGUMENT:
        return "bad argument";
    case SILT_MISSING_FEATURE:
        return "missing feature";
    case SILT_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

const char *silt_message(void)
{
    return message;
}

SiltStatus silt_fail(SiltStatus status, const char *format, ...)
{
    // the arguments may point into the old message: format aside, then copy
    char text[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    silt_text_disarm(text, false); // names of files come into it, and it goes to terminals
    snprintf(message, sizeof message, "%s", text);
    return status;
}

SiltStatus silt_fail_memory(const char *what, double bytes)
{
    char wanted[SILT_NUMBER_SIZE];
    return silt_fail(SILT_NO_MEMORY, "not enough memory for %s: %s wanted", what,
                     silt_format_bytes(bytes, wanted));
}

void silt_set_warning_handler(SiltWarningFn handler, void *user)
{
    pthread_mutex_lock(&warning_lock);
    warning_handler = handler;
    warning_user = user;
    pthread_mutex_unlock(&warning_lock);
}

SiltWarnings silt_warnings_begin(const SiltRun *run)
{
    SiltWarnings before = run_warnings;
    if (run && run->warning)
        run_warnings = (SiltWarnings){run->warning, run->user};
    return before;
}

void silt_warnings_end(SiltWarnings before)
{
    run_warnings = before;
}

static void hand_out(const char *text)
{
    if (run_warnings.handler) {
        run_warnings.handler(run_warnings.user, text);
        return;
    }
    pthread_mutex_lock(&warning_lock);
    SiltWarningFn handler = warning_handler;
    void *user = warning_user;
    pthread_mutex_unlock(&warning_lock);
    if (handler)
        handler(user, text);
}

void silt_warn(const char *format, ...)
{
    char text[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    silt_text_disarm(text, false); // names of files come into it, and it goes to terminals
    if (hold_depth == 0) {
        hand_out(text);
        return;
    }
    size_t bytes = strlen(text) + 1;
    if (bytes > sizeof held - held_bytes)
        return;
    memcpy(held + held_bytes, text, bytes);
    held_bytes += bytes;
}

void silt_hold_warnings(void)
{
    hold_depth++;
}

SiltStatus silt_release_warnings(SiltStatus status)
{
    if (--hold_depth > 0)
        return status;
    size_t end = status == SILT_OK ? held_bytes : 0;
    held_bytes = 0; // a handler may warn in its turn
    for (size_t at = 0; at < end; at += strlen(held + at) + 1)
        hand_out(held + at);
    return status;
}

const char *silt_version(void)
{
    return SILT_VERSION;
}
