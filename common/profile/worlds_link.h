/*
 * Which communicators of two profiles are one that joins their worlds. Neither world asked the
 * other for a name, so what each wrote down by itself is compared: a port or a socket, sizes, and
 * the moment. Of several that fit, those that are nearest in time belong together. What was made of
 * such a communicator (merged, duplicated) belongs together if its parents do, by its number among
 * their children.
 */
#ifndef SCA_PROFILE_WORLDS_LINK_H
#define SCA_PROFILE_WORLDS_LINK_H

#include "sca_profile.h"

struct sca_worlds_link {
    uint32_t world[2]; /* index of the profile, the lower one first */
    uint32_t comm[2];  /* the communicator there */
};

/* All pairs; free() *links. SCA_ENOMEM. */
int sca_worlds_link(const struct sca_profile *const *profiles, uint32_t n,
                    struct sca_worlds_link **links, uint32_t *nlinks);

#endif
