#include "io/together.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/company.h"
#include "core/memory.h"
#include "core/status.h"
#include "io/stale.h"
#include "io/temporary.h"

// A file that waits, and its sidecar where it has one.
struct SiltHeld {
    struct SiltHeld *next;
    int mark; // keeps a temporary in another folder ours; -1: the folder's lock does
    SiltMove file, sidecar;
    char text[]; // what they point to
};

enum { MOST = 64 };
static _Atomic(SiltTogether *) works[MOST]; // where a signal handler finds them

// ---- begin ----

// A path whose last part is cut off.
static void folder_of(const char *path, char folder[SILT_PATH_SIZE])
{
    const char *slash = strrchr(path, '/');
    snprintf(folder, SILT_PATH_SIZE, "%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
}

static int claim_place(SiltTogether *together)
{
    for (int k = 0; k < MOST; k++) {
        SiltTogether *nobody = NULL;
        if (atomic_compare_exchange_strong(&works[k], &nobody, together))
            return k;
    }
    return -1;
}

SiltStatus silt_together_begin(const char *sign, SiltTogether **out)
{
    SiltGate gate;
    SiltStatus status = silt_alloc_for(sign, 1, sizeof **out, (void **)out);
    if (status != SILT_OK)
        return status;
    SiltTogether *together = *out;
    *together = (SiltTogether){.lock = -1, .place = -1};
    snprintf(together->sign, sizeof together->sign, "%s", sign);
    folder_of(sign, together->folder);
    silt_stale_remove(sign); // before the lock keeps everybody from it, us too
    if (silt_gate_enter(&gate)) {
        together->place = claim_place(together);
        silt_gate_leave(&gate);
        together->lock = silt_stale_keep(together->folder);
        silt_written_begin(&together->listener);
        together->listener.together = together;
        return SILT_OK;
    }
    silt_free(together);
    *out = NULL;
    return silt_cannot_write(sign, errno);
}

SiltTogether *silt_together(void)
{
    for (const SiltWritten *list = silt_company(); list; list = list->outer)
        if (list->together)
            return list->together;
    return NULL;
}

// ---- what waits ----

static const char *keep(char **at, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *kept = memcpy(*at, text, bytes);
    *at += bytes;
    return kept;
}

static size_t bytes_of(const SiltOutput *output)
{
    return output ? strlen(output->path) + strlen(output->target) + strlen(output->temporary) + 3 : 0;
}

static SiltMove keep_move(char **at, const SiltOutput *output)
{
    if (!output)
        return (SiltMove){0};
    return (SiltMove){keep(at, output->path), keep(at, output->temporary), keep(at, output->target)};
}

static SiltHeld *make_held(const SiltTogether *together, const SiltOutput *output)
{
    char folder[SILT_PATH_SIZE], *text;
    SiltHeld *held = silt_alloc(sizeof *held + bytes_of(output) + bytes_of(output->sidecar));
    if (!held)
        return NULL;
    text = held->text;
    held->file = keep_move(&text, output);
    held->sidecar = keep_move(&text, output->sidecar);
    folder_of(output->temporary, folder);
    bool is_kept = together->lock >= 0 && strcmp(folder, together->folder) == 0;
    held->mark = is_kept || output->mark < 0 ? -1 : fcntl(output->mark, F_DUPFD_CLOEXEC, 0);
    return held;
}

SiltStatus silt_together_hold(SiltTogether *together, SiltOutput *output)
{
    SiltGate gate;
    SiltHeld *held = make_held(together, output);
    if (!held)
        return silt_fail_memory(output->path, (double)sizeof *held);
    if (!silt_gate_enter(&gate)) {
        if (held->mark >= 0)
            close(held->mark);
        silt_free(held);
        return silt_cannot_write(output->path, errno);
    }
    held->next = atomic_load(&together->held);
    while (!atomic_compare_exchange_weak(&together->held, &held->next, held))
        ;
    silt_gate_leave(&gate);
    output->temporary[0] = '\0'; // no longer its to remove
    if (output->sidecar)
        output->sidecar->temporary[0] = '\0';
    return SILT_OK;
}

// ---- end ----

static SiltHeld *in_order(SiltHeld *last)
{
    SiltHeld *first = NULL;
    while (last) {
        SiltHeld *next = last->next;
        last->next = first;
        first = last;
        last = next;
    }
    return first;
}

static void remove_held(const SiltHeld *held)
{
    if (held->file.from && held->file.from[0])
        unlink(held->file.from);
    if (held->sidecar.from && held->sidecar.from[0])
        unlink(held->sidecar.from);
}

// Inside the gate: all of them, or the first that cannot; `failed` is its name.
static int put_all_in_place(const SiltTogether *together, const SiltHeld *first, const char **failed)
{
    int error = 0, moved = 0;
    for (const SiltHeld *held = first; held; held = held->next)
        if (strcmp(held->file.path, together->sign) == 0)
            unlink(held->file.to);
    for (const SiltHeld *held = first; held && !error; held = held->next) {
        error = silt_move_pair(&held->file, held->sidecar.from ? &held->sidecar : NULL, failed);
        moved += !error;
    }
    if (moved > 0)
        silt_written_say();
    return error;
}

static void note_and_free(SiltHeld *first, bool is_written)
{
    while (first) {
        SiltHeld *next = first->next;
        if (is_written)
            silt_written_note(first->file.path);
        if (is_written && first->sidecar.path)
            silt_written_note(first->sidecar.path);
        if (first->mark >= 0)
            close(first->mark);
        silt_free(first);
        first = next;
    }
}

SiltStatus silt_together_end(SiltTogether *together, SiltStatus status)
{
    SiltGate gate;
    const char *failed = together->sign;
    silt_written_end(&together->listener);
    silt_written_free(&together->listener);
    if (!silt_gate_enter(&gate)) // the process dies, and its handler goes over what waits here: it stays
        return silt_cannot_write(failed, errno);
    SiltHeld *first = in_order(atomic_load(&together->held));
    atomic_store(&together->held, NULL);
    int error = status == SILT_OK ? put_all_in_place(together, first, &failed) : 0;
    if (status != SILT_OK || error)
        for (const SiltHeld *held = first; held; held = held->next)
            remove_held(held);
    if (together->place >= 0)
        atomic_store(&works[together->place], NULL);
    silt_gate_leave(&gate);
    if (together->lock >= 0)
        close(together->lock);
    if (error)
        status =
            silt_fail(SILT_IO_ERROR,
                      "%s: cannot write: %s; files of this work and of one before stand mixed now: do it "
                      "again",
                      failed, strerror(error));
    note_and_free(first, status == SILT_OK);
    silt_free(together);
    return status;
}

void silt_together_remove_all(void)
{
    for (int k = 0; k < MOST; k++) {
        SiltTogether *together = atomic_load(&works[k]);
        for (const SiltHeld *held = together ? atomic_load(&together->held) : NULL; held; held = held->next)
            remove_held(held);
    }
}
