/*
 * The calls that windows leave out. A window records calls that other ranks can take part in; local
 * ones (MPI_Comm_rank, MPI_Get_count, a poll that finds nothing) are part of the computation before
 * the next. Totals and samples know them all the same: the computation after MPI_Comm_rank is
 * counted after MPI_Comm_rank. A route puts them back between two recorded calls of a rank, along
 * the intervals that it went through most often, and divides the time between them as these
 * intervals took it on average.
 *
 * One rank at a time. All in the room given; nothing is known of a profile without windows.
 */
#ifndef SCA_DETECT_LOCAL_CALLS_H
#define SCA_DETECT_LOCAL_CALLS_H

#include "base/scratch.h"
#include "sca_profile.h"

struct sca_leg {             /* of a route: one interval */
    uint32_t previous, site; /* profile sites */
    double part;             /* of the time between the two calls; all legs' parts add up to 1 */
};

struct sca_route {
    uint32_t previous, site; /* the recorded calls at its ends */
    uint32_t nlegs;          /* 1 and more; the last one leads to `site` */
    struct sca_leg *legs;
    struct sca_route *next;
};

struct sca_routes {
    struct sca_room *room;
    const struct sca_profile *profile;
    bool *left_out;   /* per site: no window has it */
    bool *leads_away; /* per site: on some rank a call that windows leave out follows */
    struct sca_opened *opened;
    const struct sca_rank *rank; /* the one at hand, with its intervals and windows */
    uint32_t start;              /* the call its first interval comes after */
    struct sca_room scratch;     /* of the rank at hand */
    struct sca_route *known;
    struct sca_route direct; /* with the leg beside it, where nothing was left out */
    struct sca_leg direct_leg;
};

void sca_routes_open(struct sca_room *room, const struct sca_profile *profile,
                     struct sca_routes *out);
/* From here on routes are this rank's; those of the rank before are gone. The rank is open, with
 * its intervals and windows, until the next one is. */
const struct sca_rank *sca_routes_of_rank(struct sca_routes *routes, uint32_t rank);
/* The route from one recorded call to the next, valid until the next call of this module. */
const struct sca_route *sca_route(struct sca_routes *routes, uint32_t previous, uint32_t site);
void sca_routes_close(struct sca_routes *routes);

#endif
