/*
 * What the ranks agree on at MPI_Init: whether to record, where to, and who shares a host,
 * a clock and cores.
 * Collective over all ranks, on the thread that calls Init.
 */
#ifndef SCA_PROF_MEET_H
#define SCA_PROF_MEET_H

#include "finish/host.h"
#include "finish/offsets.h"
#include "finish/rundir.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_meeting {
    bool enable;                   /* rank 0's SCALANA_ENABLE counts */
    bool partial;                  /* not every rank has the library */
    bool silent;                   /* another process says why there is no profile */
    int error;                     /* why `directory` could not be made, 0 if it was */
    char directory[SCA_DIRECTORY]; /* absolute; "" when not enabled */
    struct sca_host host;
    uint32_t hosts, node;  /* how many, and the number of this one, in the order of their ranks */
    uint32_t local, cores; /* threads of this machine's ranks, and cores they may use together */
    bool crowded;          /* on some machine: more ranks than cores */
    /* Clocks that are not one: their lowest ranks, rank 0 first; this rank's own is clock[own]. */
    uint32_t clocks, own;
    const uint32_t *leader;     /* [clocks] */
    struct sca_offset *offsets; /* [clocks], as of Init, the same on all ranks */
};

/* NULL, or why there is no agreement. */
const char *sca_meet(uint32_t rank, uint32_t size, struct sca_meeting *meeting);
/* At Finalize, all ranks being there: rank 0 then has the offsets of now. */
void sca_meet_again(uint32_t rank, struct sca_meeting *meeting);

#endif
