/* How ranks of a class differ in what they compute, and what they do on average. */
#ifndef SCA_DETECT_CLASS_SPREAD_H
#define SCA_DETECT_CLASS_SPREAD_H

#include "activity/rank_classes.h"

struct sca_class_spread { /* seconds of a rank; own: computation between MPI calls */
    double own_mean, own_least, own_most, own_deviation; /* deviation: NAN of one rank */
    double mpi_mean, calls;
    uint32_t slower; /* ranks that are in the slower of two groups of all, as by --merge=cluster */
    uint32_t least_peers, most_peers;
};

/* A row for each class. In `space`. */
struct sca_class_spread *sca_class_spread_find(struct sca_workspace *space,
                                               const struct sca_task_source *source,
                                               const struct sca_rank_classes *classes);

#endif
