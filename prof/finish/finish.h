/*
 * From the ranks' live states to one profile.sca. Called by run.c inside MPI_Finalize.
 */
#ifndef SCA_PROF_FINISH_H
#define SCA_PROF_FINISH_H

#include "finish/meet.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_outcome {
    bool written;             /* profile.sca is there, the parts are superfluous */
    char why[256];            /* rank 0: what went wrong; "" when written */
    uint64_t bytes;           /* rank 0: size of the file */
    uint64_t tool_ns, cpu_ns; /* rank 0: of all ranks together */
    uint64_t once_ns;         /* of tool_ns: in MPI_Init and MPI_Finalize, */
    uint64_t calls_ns, calls; /* and in so many MPI calls */
};

/* At Init. */
void sca_finish_prepare(void);
/* The state is FINALIZED and nothing records any more. */
void sca_finish(struct sca_meeting *meeting, uint32_t rank, uint32_t size,
                struct sca_outcome *outcome);

#endif
