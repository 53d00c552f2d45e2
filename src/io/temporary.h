// What a process that is about to die must not leave behind: temporaries, and files half put in their places.
#ifndef SILT_IO_TEMPORARY_H
#define SILT_IO_TEMPORARY_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "silt/base.h"

enum { SILT_TEMPORARY_SIZE = SILT_PATH_SIZE + 16 };

// Files and folders are made, put in their places and let go between enter and leave, in a moment, without
// memory that is asked for: meanwhile this thread hears no signal, and silt_output_remove_temporaries in
// another waits. Once that has begun nobody comes in: enter is false then, with errno ECANCELED. Not to be
// nested.
typedef struct SiltGate {
    sigset_t before; // what the thread did not hear already
} SiltGate;
bool silt_gate_enter(SiltGate *gate);
void silt_gate_leave(const SiltGate *gate);

// Inside the gate: a file that silt_output_remove_temporaries shall remove, until it is let go; -1: it will
// not be.
int silt_temporary_claim(const char *name);
void silt_temporary_let_go(int slot);
// Inside the gate: the same of a child that writes such a file, the first of its process group. Before its
// temporary is removed it is killed, so that it makes none of that name anew. It is let go before it is
// reaped, as its number may be another's then.
int silt_helper_claim(pid_t process);
void silt_helper_let_go(int slot);

#endif
