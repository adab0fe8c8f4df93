/* Values on a line in two groups, so that they spread least within them: 2-means in one dimension,
 * exactly, for two groups on a line are a cut of the sorted values. */
#ifndef SCA_DETECT_TWO_GROUPS_H
#define SCA_DETECT_TWO_GROUPS_H

#include <stdint.h>

struct sca_two_groups {
    uint32_t cut;        /* the lower group's size; 0: fewer than two values */
    double lower, upper; /* means */
    double explained;    /* part of the sum of squares that lies between the groups; 0 of none */
};

/* Of n values in rising order. */
struct sca_two_groups sca_two_groups_find(const double *sorted, uint32_t n);

#endif
