/*
 * What locations waited for a core that others of the run had, while cores were idle that they were
 * not allowed to use: what a wrong binding costs. By the cores that each location used, what it
 * waited, and how long the cores outside its binding were idle (topology/ran_on.h). All of it is
 * measured: ranks that are free on their host, or whose host has no idle core, have none.
 *
 * A rank waits as long as that thread of it that waited longest. On a host no more is told than its
 * cores were idle.
 */
#ifndef SCA_DETECT_CORE_WAITS_H
#define SCA_DETECT_CORE_WAITS_H

#include "base/workspace.h"
#include "sca_profile.h"

struct sca_core_waits {
    double seconds;          /* of all ranks; 0: none */
    double longest;          /* of one rank: all others may wait for that one meanwhile */
    uint32_t nranks, *ranks; /* that waited so, ascending */
};

/* In the workspace. */
void sca_core_waits_find(struct sca_workspace *space, const struct sca_profile *profile,
                         struct sca_core_waits *out);

#endif
