/*
 * Waits for ranks of another MPI_COMM_WORLD: of MPI_Comm_spawn, accept and connect, join. What
 * these do is not in the profile, so such waits cannot be replayed: they are what the calls took,
 * beside what their messages take to handle. Where ranks share cores that is more than they would
 * wait with a core each, by as much as their own computation took longer: they are shortened
 * likewise.
 *
 * Of a collective, ranks of this world wait for each other as well, which is replayed: the one that
 * comes last waits for the other world alone. MPI_Comm_spawn starts processes and is left out.
 */
#ifndef SCA_DETECT_OTHER_WORLD_H
#define SCA_DETECT_OTHER_WORLD_H

#include "base/workspace.h"
#include "graph/ppg.h"

struct sca_other_world {
    double *per_call;        /* [rank * nsites + site] seconds of one call; NULL: there are none */
    double *seconds, *calls; /* likewise: of all; how many */
    double total;            /* core-seconds */
};

/* `part`: of the wall clock, the time that ranks were on a core while they computed; 1: all. */
void sca_other_world_measure(struct sca_workspace *space, const struct sca_ppg_run *run,
                             double part, struct sca_other_world *out);

#endif
