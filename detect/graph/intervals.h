/*
 * The intervals of a run: what lies between one call and the next, numbered. A call may be followed
 * by different ones, as in a loop by the next round or by what comes behind, and each rank knows
 * exactly how long it computed before each. So that is divided by the samples of that interval
 * alone.
 *
 * Where the runtime does not know to which call some of its samples led (threads that compute in
 * turn, a process that died), what lies behind a call is one interval.
 */
#ifndef SCA_DETECT_INTERVALS_H
#define SCA_DETECT_INTERVALS_H

#include "sca_profile.h"

struct sca_intervals {
    uint32_t n, nsites;
    uint32_t *first; /* [nsites + 1]: numbers of those after site s are first[s] .. first[s + 1] - 1
                      */
    uint32_t *next;  /* per interval: the site that it ends at, rising after each site; SCA_NONE,
                        then  the only one there: any */
    const struct sca_site *sites; /* the profile's; NULL: of the first thread all */
};

/* Whether that thread's calls are the interval's ends: its samples tell what was computed there,
 * those of others what was computed for it. */
bool sca_intervals_is_of(const struct sca_intervals *intervals, uint32_t previous, uint32_t thread);

/* SCA_OK or SCA_ENOMEM; after that, too, it must be freed. Sites that are not there are passed
 * over.
 */
int sca_intervals_open(struct sca_intervals *intervals, const struct sca_profile *profile,
                       struct sca_opened *opened);
void sca_intervals_free(struct sca_intervals *intervals);

/* What lies behind each site is one interval: its number is the site's. */
int sca_intervals_open_joined(struct sca_intervals *intervals, uint32_t nsites);

/* SCA_NONE where no rank has such an interval, or `next` is not known (0) and must be. */
uint32_t sca_intervals_number(const struct sca_intervals *intervals, uint32_t previous,
                              uint32_t next);

/* The site that an interval begins at. */
uint32_t sca_intervals_site(const struct sca_intervals *intervals, uint32_t interval);

#endif
