/*
 * The members of a run's groups, and how many of a group's collectives each has completed: asked of
 * the library once.
 */
#ifndef SCA_MEMBERS_H
#define SCA_MEMBERS_H

#include "look/seen.h"

struct sca_members {
    bool asked, whole; /* all members are known */
    uint32_t n;
    uint32_t *ranks;
    uint64_t *done; /* [n]; UINT64_MAX: not asked yet */
};

/* The members of a group; NULL without memory. `groups` has look->run.ngroups, zeroed at first. */
const struct sca_members *sca_members_of(const struct sca_look *look, struct sca_members *groups,
                                         uint32_t group);
/* Collectives that the i-th member has completed. */
uint64_t sca_members_done(const struct sca_look *look, struct sca_members *groups, uint32_t group,
                          uint32_t i);
void sca_members_free(struct sca_members *groups, uint32_t n);

#endif
