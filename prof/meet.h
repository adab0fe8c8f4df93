/*
 * What the ranks agree on at MPI_Init: whether to record, where to, and who shares a host.
 * Collective over all ranks, on the thread that calls Init.
 */
#ifndef SCA_PROF_MEET_H
#define SCA_PROF_MEET_H

#include "rundir.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_meeting {
    bool enable;                   /* rank 0's SCALANA_ENABLE counts */
    bool partial;                  /* not every rank has the library */
    int error;                     /* why `directory` could not be made, 0 if it was */
    char directory[SCA_DIRECTORY]; /* absolute; "" when not enabled */
    char host[256];
    uint32_t hosts;
    uint32_t local, cores; /* ranks on this host, and cores they may use together */
};

/* NULL, or why there is no agreement. */
const char *sca_meet(uint32_t rank, uint32_t size, struct sca_meeting *meeting);

#endif
