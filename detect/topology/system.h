/*
 * The hardware a run used: which host, package and core each rank was bound to.
 */
#ifndef SCA_DETECT_SYSTEM_H
#define SCA_DETECT_SYSTEM_H

#include "base/workspace.h"
#include "sca_topology.h"

struct sca_system {
    uint32_t nranks, nhosts;
    uint32_t *lowest;               /* [nhosts]: the lowest rank of each, rising */
    struct sca_location *locations; /* [nranks] */
    uint32_t bound;                 /* ranks that were bound to one core */
    uint32_t unbound, unknown;      /* those free on their host; those of which nothing is known */
};

/* Sets package, core and cores by what the runtime wrote; NULL is "". */
void sca_system_read_binding(const char *text, struct sca_location *out);

/* In the workspace; texts are the profile's. Out of memory, it jumps. */
void sca_system_make(struct sca_workspace *space, const struct sca_profile *profile,
                     struct sca_system *out);

/* Ranks in the order of the hardware: by host, package, core and number; those that left nothing
 * are not among them. Returns how many. `order` has room for all. */
uint32_t sca_system_order(struct sca_workspace *space, const struct sca_system *system,
                          uint32_t *order);

/* As a topology: host x package x core, and where ranks share cores, which of them. Unless every
 * rank was bound to a core: host x rank on it. Packages and cores are counted, so that numbers the
 * kernel leaves out leave no gaps. */
void sca_system_topology(struct sca_workspace *space, const struct sca_system *system,
                         struct sca_topology *out);

#endif
