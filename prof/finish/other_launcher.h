/* Whether the ranks were started by the launcher of another MPI than the program's: then each of
 * them is a world of its own. On the thread that calls MPI_Init. */
#ifndef SCA_PROF_OTHER_LAUNCHER_H
#define SCA_PROF_OTHER_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

/* A sentence's part, "the program uses MPICH, ..."; NULL: nothing speaks for it. `size`: of
 * MPI_COMM_WORLD. */
const char *sca_other_launcher(uint32_t size);
/* Where there is one: by its count this process is not the first, which speaks for all. */
bool sca_other_launcher_silent(void);

#endif
