// Where a run is kept, from the claim of the file to its end.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/parallel.h"
#include "core/status.h"
#include "recipe/checkpoint_inside.h"

static SiltStatus set_path(SiltCheckpoint *c, const char *path)
{
    if (strlen(path) >= sizeof c->path - 8)
        return silt_fail(SILT_BAD_ARGUMENT, "%.60s...: the path is too long", path);
    snprintf(c->path, sizeof c->path, "%s", path);
    c->last_time = silt_wall_clock();
    return SILT_OK;
}

// Whether another run has gone on with what is gone on with here since that was read, there where this one
// would.
static bool is_outrun(const SiltCheckpoint *c)
{
    SiltKeptNames source;
    if (!c->reads || !silt_kept_writes(c->path, c->source.path))
        return false;
    silt_kept_name(c->source.path, &source);
    return !silt_kept_is_at(c->source.file, source.list[SILT_KEPT_FILE]);
}

// Nobody else is kept there from now on.
static SiltStatus claim(SiltCheckpoint *c)
{
    silt_kept_release(&c->claim);
    SiltStatus status = silt_kept_claim(c->path, &c->claim);
    if (status == SILT_OK && is_outrun(c))
        status = silt_fail(SILT_IO_ERROR, "%s: another run went on with it since it was read; say it again",
                           c->source.path);
    if (status != SILT_OK)
        silt_kept_release(&c->claim);
    else if (c->claim.has_no_locks)
        silt_warn("%s: this file system knows no locks: see that no other run is kept there", c->path);
    return status;
}

SiltStatus silt_checkpoint_write_to(SiltCheckpoint *c, const char *path, double seconds, int64_t steps)
{
    SiltStatus status = silt_file_check(path);
    if (status == SILT_OK)
        status = silt_kept_check(path);
    if (status == SILT_OK)
        status = set_path(c, path);
    if (status == SILT_OK)
        status = claim(c);
    c->writes = status == SILT_OK;
    // a file that nobody had asked for stays one of these, and goes in the end
    c->automatic = c->owns = status == SILT_OK && c->reads && silt_kept_find(&c->source, "unasked") &&
                             silt_path_same(path, c->source.path);
    c->seconds = seconds;
    c->steps = steps;
    return status;
}

SiltStatus silt_checkpoint_set_aside(SiltCheckpoint *c)
{
    int error = c->writes && !c->automatic ? silt_kept_set_aside(&c->claim) : 0;
    return error ? silt_fail(SILT_IO_ERROR, "%s: the run of before cannot be set aside: %s", c->path,
                             strerror(error))
                 : SILT_OK;
}

SiltStatus silt_checkpoint_write_if_long(SiltCheckpoint *c, const char *path, double longest, double seconds)
{
    c->automatic = true;
    c->longest = longest;
    c->seconds = seconds;
    return set_path(c, path);
}

void silt_checkpoint_tell_failure(SiltCheckpoint *c, SiltWarningFn handler, void *user)
{
    c->failed = handler;
    c->failed_user = user;
}

int silt_checkpoint_count(const SiltCheckpoint *c)
{
    return c->count;
}

const char *silt_checkpoint_path(const SiltCheckpoint *c)
{
    return c->path;
}

bool silt_checkpoint_is_automatic(const SiltCheckpoint *c)
{
    return c->automatic;
}

void silt_checkpoint_discard(SiltCheckpoint *c)
{
    if (c->count > 0 || c->owns)
        silt_kept_remove(&c->claim);
    c->count = 0;
    c->owns = false;
}

void silt_checkpoint_finish(SiltCheckpoint *c)
{
    if (c->writes)
        silt_kept_finish(c->path, c->reads ? c->source.file : -1);
}
