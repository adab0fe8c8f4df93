/*
 * Recorded windows that all ranks kept, in the order of time; those that follow each other without
 * a break are one piece. A run with SCALANA_RECORD=full that had room is one.
 */
#ifndef SCA_DETECT_PIECES_H
#define SCA_DETECT_PIECES_H

#include "timeline/iterations.h"

struct sca_piece {
    uint64_t begin_ns;            /* on the run's time line, of the first rank */
    uint32_t windows, iterations; /* of the main loop, in all of them */
    uint64_t window;              /* number of the first */
    uint64_t stands_for;          /* windows of the run as long as the first that stands for any */
    struct sca_slice *slices;     /* [nranks] */
};

struct sca_pieces {
    uint32_t count;
    struct sca_piece *of;
};

/* In `space`. `join`: those without a break are one; else each window is a piece that stands for
 * some of the run. */
void sca_pieces_find(struct sca_workspace *space, const struct sca_ppg_run *run, bool join,
                     struct sca_pieces *out);

#endif
