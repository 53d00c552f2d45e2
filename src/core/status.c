#include "core/status.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char message[2048];

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
    snprintf(message, sizeof message, "%s", text);
    return status;
}

SiltStatus silt_fail_memory(const char *what, double bytes)
{
    if (bytes >= 1024.0 * 1024.0)
        return silt_fail(SILT_NO_MEMORY, "not enough memory for %s: %.0f MiB wanted", what,
                         bytes / (1024.0 * 1024.0));
    return silt_fail(SILT_NO_MEMORY, "not enough memory for %s: %.0f bytes wanted", what, bytes);
}

void silt_set_warning_handler(SiltWarningFn handler, void *user)
{
    pthread_mutex_lock(&warning_lock);
    warning_handler = handler;
    warning_user = user;
    pthread_mutex_unlock(&warning_lock);
}

void silt_warn(const char *format, ...)
{
    char text[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&warning_lock);
    SiltWarningFn handler = warning_handler;
    void *user = warning_user;
    pthread_mutex_unlock(&warning_lock);
    if (handler)
        handler(user, text);
}

const char *silt_version(void)
{
    return SILT_VERSION;
}
