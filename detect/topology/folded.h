/*
 * What a map is made of: a topology, and which of its dimensions run along rows and columns.
 */
#ifndef SCA_DETECT_FOLDED_H
#define SCA_DETECT_FOLDED_H

#include "sca_part.h"
#include "sca_topology.h"

struct sca_fold_axis { /* the dimensions along it, the first one changes slowest */
    uint32_t n, dims[SCA_MOST_DIMENSIONS];
    uint32_t length; /* places along it, at least 1 */
};

struct sca_fold {
    const struct sca_topology *topology;
    struct sca_fold_axis rows, columns;
    bool wrapped; /* its only dimension runs along the columns and goes on in the next row */
    int32_t fixed[SCA_MOST_DIMENSIONS]; /* per dimension: the slice shown, -1: all */
    uint32_t *ranks;                    /* [rows.length * columns.length]; SCA_NONE: nobody */
    uint32_t shown;                     /* ranks on the map */
};

/* The coordinate that a place along an axis has in its i-th dimension. */
uint32_t sca_fold_coordinate(const struct sca_fold *fold, const struct sca_fold_axis *axis,
                             uint32_t i, uint32_t place);

/* "x", or "dim2" where nobody gave it a name. The buffer has 64 bytes. */
const char *sca_fold_name(char *buffer, const struct sca_topology *topology, uint32_t dimension);

#endif
