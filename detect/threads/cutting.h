/*
 * A finding that takes seconds from intervals of all ranks (finding.h, sca_cut), made of one share
 * after the other. Only what ranks have in common: what one has more of than the median rank is
 * told by comparing ranks (imbalance/).
 */
#ifndef SCA_DETECT_CUTTING_H
#define SCA_DETECT_CUTTING_H

#include "findings/ledger.h"
#include "measure/measure.h"

struct sca_cutting {
    struct sca_workspace *space;
    const struct sca_measure *m;
    double *seconds; /* [rank * intervals + interval] that the finding takes away */
    double *whole;   /* per rank */
};

struct sca_cutting sca_cutting_open(struct sca_workspace *space, const struct sca_measure *m);
/* The next finding begins: nothing is taken. */
void sca_cutting_begin(struct sca_cutting *cutting);
void sca_cutting_take(struct sca_cutting *cutting, uint32_t rank, uint32_t interval,
                      double seconds);
/* Appends it, if it takes at least so many core-seconds of what ranks have in common. Vertex,
 * category and ratio are the draft's. */
void sca_cutting_put(struct sca_cutting *cutting, struct sca_finding draft, double least,
                     struct sca_ledger *out);

#endif
