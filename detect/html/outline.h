/*
 * The vertices of a report as a tree to walk: program order, children, depth, and times of a vertex
 * alone. A report's times include what is inside, but not MPI: here a vertex's own time is its
 * computation outside its children, or the time in the call for MPI.
 */
#ifndef SCA_DETECT_OUTLINE_H
#define SCA_DETECT_OUTLINE_H

#include "sca_report.h"

struct sca_outline {
    const struct sca_report *r;
    uint32_t n;             /* vertices */
    uint32_t *order;        /* in program order: callers before callees, siblings as reported */
    uint32_t *place;        /* of each vertex in order[] */
    uint32_t *depth;        /* of each vertex; roots 0 */
    uint32_t *first, *next; /* child, sibling; UINT32_MAX: none */
};

/* SCA_ENOMEM; the outline is to be closed in any case. */
int sca_outline_open(struct sca_outline *o, const struct sca_report *report);
void sca_outline_close(struct sca_outline *o);

/* Own seconds on one rank of the largest run; own core-seconds in one run. Never negative. */
double sca_outline_rank_s(const struct sca_outline *o, uint32_t vertex, uint32_t rank);
double sca_outline_run_s(const struct sca_outline *o, uint32_t vertex, uint32_t run);

#endif
