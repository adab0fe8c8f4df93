/*
 * Ranks with the same task activity graph: the same calls, the same ways between them, and for each
 * call the same peers as seen from the rank. How ranks see peers alike depends on the program: by
 * distance (a halo), by the bits in which the numbers differ (a butterfly), by number (a master),
 * or by steps in a grid (a torus). Of each call it is what gives the fewest kinds.
 */
#ifndef SCA_DETECT_RANK_SHAPES_H
#define SCA_DETECT_RANK_SHAPES_H

#include "activity/task_graph.h"

struct sca_rank_shapes {
    uint32_t n;
    uint32_t *of;      /* [rank]; SCA_NONE: the rank left nothing */
    uint32_t *members; /* [shape] */
    uint32_t *first;   /* [shape]: its lowest rank; rising */
    uint32_t **ranks;  /* [shape][members]: rising */
};

/* In `space`. By the source's summary, if it has one. */
void sca_rank_shapes_find(struct sca_workspace *space, const struct sca_task_source *source,
                          struct sca_rank_shapes *out);

#endif
