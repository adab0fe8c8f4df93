/*
 * The calls that windows leave out. A window records calls that other ranks can take part in; local
 * ones (MPI_Comm_rank, MPI_Get_count, a poll that finds nothing) are part of the computation before
 * the next. Totals and samples know them all the same: the computation after MPI_Comm_rank is
 * counted after MPI_Comm_rank. A route puts them back between two recorded calls of a rank, along
 * the intervals that it went through most often, and divides the time between them as these
 * intervals took it on average.
 *
 * One rank at a time. All in the workspace given; nothing is known of a profile without windows.
 */
#ifndef SCA_DETECT_LOCAL_CALLS_H
#define SCA_DETECT_LOCAL_CALLS_H

#include "base/workspace.h"
#include "sca_profile.h"

struct sca_hop {             /* of a route: one interval */
    uint32_t previous, site; /* profile sites */
    double part;             /* of the time between the two calls; all legs' parts add up to 1 */
};

struct sca_local_calls_detour {
    uint32_t previous, site; /* the recorded calls at its ends */
    uint32_t nhops;          /* 1 and more; the last one leads to `site` */
    struct sca_hop *hops;
    struct sca_local_calls_detour *next;
};

struct sca_detours {
    struct sca_workspace *space;
    const struct sca_profile *profile;
    bool *left_out;   /* per site: no window has it */
    bool *leads_away; /* per site: on some rank a call that windows leave out follows */
    struct sca_opened *opened;
    const struct sca_rank *rank;  /* the one at hand, with its intervals and windows */
    uint32_t start;               /* the call its first interval comes after */
    struct sca_workspace scratch; /* of the rank at hand */
    struct sca_local_calls_detour *known;
    struct sca_local_calls_detour direct; /* with the leg beside it, where nothing was left out */
    struct sca_hop direct_hop;
};

void sca_local_calls_open(struct sca_workspace *space, const struct sca_profile *profile,
                          struct sca_detours *out);
/* From here on routes are this rank's; those of the rank before are gone. The rank is open, with
 * its intervals and windows, until the next one is. */
const struct sca_rank *sca_local_calls_of_rank(struct sca_detours *detours, uint32_t rank);
/* The route from one recorded call to the next, valid until the next call of this module. */
const struct sca_local_calls_detour *sca_local_calls_detour(struct sca_detours *detours,
                                                            uint32_t previous, uint32_t site);
void sca_local_calls_close(struct sca_detours *detours);

#endif
