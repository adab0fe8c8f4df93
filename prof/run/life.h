/*
 * The one recorded run of a process: what begins it and what ends it, whichever call of MPI's that
 * is (wrap_special.c, wrap_sessions.c). Each of them says so; the first one counts.
 * On the thread that makes the call; not in a handler.
 */
#ifndef SCA_PROF_LIFE_H
#define SCA_PROF_LIFE_H

#include "mpi/symbols.h"
#include <stdbool.h>

/* Around the real call that makes MPI ready. Threads that MPI starts meanwhile are its own. */
void sca_life_enter_init(void);
void sca_life_leave_init(void);

/* All ranks are here. */
void sca_life_begin(void);
/* The same with no MPI_COMM_WORLD: `comm` is the program's, with all ranks; its ranks count. */
void sca_life_begin_on(sca_word comm);
/* The real call that ends MPI is next; return address and frame of the wrapper, for its site. */
void sca_life_end(const void *return_address, const void *cfa);

bool sca_life_has_not_begun(void);
bool sca_life_is_running(void);

#endif
