#include "io/temporary.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "io/together.h"
#include "silt/io.h"

// ---- the gate ----

static atomic_bool is_closed;
static atomic_int inside;

bool silt_gate_enter(SiltGate *gate)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t signals;
    sigfillset(&signals);
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++)
        sigdelset(&signals, faults[k]);
    pthread_sigmask(SIG_BLOCK, &signals, &gate->before);
    atomic_fetch_add(&inside, 1);
    if (!atomic_load(&is_closed))
        return true;
    silt_gate_leave(gate);
    errno = ECANCELED;
    return false;
}

void silt_gate_leave(const SiltGate *gate)
{
    int error = errno;
    atomic_fetch_sub(&inside, 1);
    pthread_sigmask(SIG_SETMASK, &gate->before, NULL);
    errno = error;
}

// Whoever came in before finishes what it is at: a moment, unless the disk itself hangs.
static void close_gate(void)
{
    enum { PATIENCE = 3000 }; // ms
    atomic_store(&is_closed, true);
    for (int k = 0; k < PATIENCE && atomic_load(&inside) > 0; k++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

// ---- the temporaries that are open ----

// Where a signal handler can walk over them: no locks and no memory that moves. What finds no slot is just
// not removed.
enum { SLOTS = 64, SLOT_FREE = 0, SLOT_CLAIMED, SLOT_OPEN };
static struct {
    atomic_int state;
    char name[SILT_TEMPORARY_SIZE];
} slots[SLOTS];

int silt_temporary_claim(const char *name)
{
    for (int k = 0; k < SLOTS; k++) {
        int state = SLOT_FREE;
        if (!atomic_compare_exchange_strong(&slots[k].state, &state, SLOT_CLAIMED))
            continue;
        strcpy(slots[k].name, name);
        atomic_store(&slots[k].state, SLOT_OPEN);
        return k;
    }
    return -1;
}

void silt_temporary_let_go(int slot)
{
    if (slot >= 0)
        atomic_store(&slots[slot].state, SLOT_FREE);
}

// ---- children that write ----

enum { HELPERS = 16 };
static atomic_int helpers[HELPERS]; // 0: free

int silt_helper_claim(pid_t process)
{
    for (int k = 0; k < HELPERS; k++) {
        int free_slot = 0;
        if (atomic_compare_exchange_strong(&helpers[k], &free_slot, (int)process))
            return k;
    }
    return -1;
}

void silt_helper_let_go(int slot)
{
    if (slot >= 0)
        atomic_store(&helpers[slot], 0);
}

static void end_helpers(void)
{
    for (int k = 0; k < HELPERS; k++) {
        pid_t process = atomic_load(&helpers[k]);
        if (process > 0 && kill(-process, SIGKILL) == 0)
            while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
                continue;
    }
}

// ---- the end ----

void silt_output_remove_temporaries(void)
{
    close_gate();
    end_helpers();
    for (int k = 0; k < SLOTS; k++)
        if (atomic_load(&slots[k].state) == SLOT_OPEN)
            unlink(slots[k].name);
    silt_together_remove_all();
}
