/*
 * Recorded iterations as ranks by virtual time, in text of 80 columns.
 */
#ifndef SCA_DETECT_VIEW_TIMELINE_H
#define SCA_DETECT_VIEW_TIMELINE_H

#include "views/table.h"

enum { SCA_TIMELINE_LETTERS = 26, SCA_TIMELINE_RANKS = 32 };

struct sca_span { /* what a rank does: it computes, or waits */
    double begin, end;
    uint32_t place;              /* vertex: where it computes, or the call it waits in */
    bool waits, meets, critical; /* meets: in a collective */
    uint32_t by;                 /* the rank that ended the wait; SCA_NONE */
};

struct sca_timeline { /* of a window */
    const char *title;
    double end;
    uint32_t nranks;
    uint32_t *first;        /* [nranks + 1] into spans */
    struct sca_span *spans; /* by rank, then time */
};

struct sca_timelines {
    uint32_t count;
    const struct sca_timeline *of;
    uint32_t nletters, *letters; /* vertices of the computation, the longest first */
};

/* Draws table->drawing, a struct sca_timelines. */
void sca_timeline_draw(FILE *out, const struct sca_table *table, bool colour);

#endif
