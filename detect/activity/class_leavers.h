/*
 * Ranks that leave their class over time: up to some iteration they compute about as long as most
 * ranks with the same graph, from there to the end clearly longer or shorter. So they may be in a
 * class of their own by their times in all. By the series of the run's main
 * loop, which has each rank's time; the change is the one that divides a rank's points into two
 * levels with the least squares (as W. D. Fisher, J. Am. Stat. Assoc. 53, 1958).
 */
#ifndef SCA_DETECT_CLASS_LEAVERS_H
#define SCA_DETECT_CLASS_LEAVERS_H

#include "activity/rank_classes.h"

struct sca_class_leaver {
    uint32_t rank;
    uint64_t iteration;   /* the first one of its new behaviour, to a point of the rank's series */
    double at_s;          /* when that began, since MPI_Init */
    double before, after; /* its own time, as part of the median of ranks with its graph */
};

struct sca_class_leavers {
    uint32_t n;
    struct sca_class_leaver *of; /* by rank */
};

/* None where the run has no series, or too few ranks have the same graph. `shared`: ranks shared
 * cores, which makes levels of its own. In `space`. */
void sca_class_leavers_find(struct sca_workspace *space, const struct sca_series *series,
                            const struct sca_rank_shapes *shapes, bool shared,
                            struct sca_class_leavers *out);

#endif
