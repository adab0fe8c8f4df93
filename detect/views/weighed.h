/*
 * Contexts in the order of what a view shows them by, and their depth in a tree of those shown.
 */
#ifndef SCA_DETECT_WEIGHED_H
#define SCA_DETECT_WEIGHED_H

#include "graph/ppg.h"

struct sca_weighed {
    uint32_t vertex;
    double weight;
};

/* The heaviest first; of equal ones the one that comes first in the program. */
void sca_weighed_sort(struct sca_weighed *list, uint32_t n);

/* How many of those above it are shown (per vertex). */
uint32_t sca_weighed_depth(const struct sca_ppg *ppg, const bool *shown, uint32_t vertex);

#endif
