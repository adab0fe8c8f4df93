/*
 * Iterations of a loop in the recorded windows: each rank's MPI calls below the loop, cut where the
 * program goes round it. What windows hold is in the order of the program, so that a call that does
 * not come after the one before, with this loop around both, begins the next iteration. Windows
 * that follow each other without a break, as with SCALANA_RECORD=full, are one piece.
 *
 * Where windows end with something else than the loop, they may cut its first and last iteration:
 * then intervals between calls lead from one call of an iteration to another there. Such an
 * iteration counts if a whole one has the same calls, or none is whole.
 *
 * Iterations whose ranks all went through the same calls are of one kind: the causal paths of a
 * loop (A. Sikora et al., 2016, section 3.1.5) differ by kind, not by iteration.
 */
#ifndef SCA_DETECT_ITERATIONS_H
#define SCA_DETECT_ITERATIONS_H

#include "base/workspace.h"
#include "graph/ppg.h"

#include <stdbool.h>
#include <stdint.h>

/* Calls of a rank that follow each other: from event `begin` of window `first` on, `nevents` in
 * all, on into the windows behind it. */
struct sca_slice {
    uint32_t first, begin, nevents;
    double own_s; /* computation */
};

struct sca_loop_iteration {
    uint64_t window; /* the number of the window it begins in: the same on all ranks */
    uint32_t nth;    /* of those that begin there, */
    uint32_t begun;  /* of which there are so many, on the first rank that has it: cut ones, too */
    uint32_t kind;
    bool partial; /* cut at a window's begin or end, or by sca_iterations_find() perhaps cut */
    struct sca_slice *slices; /* [nranks]; nevents 0: the rank did nothing in it */
    double length_s;          /* computation of the rank that had most */
};

struct sca_loop_kind {
    uint32_t count;          /* iterations of it */
    uint32_t representative; /* iteration: that of the middle length */
};

struct sca_loop_iterations {
    uint32_t count, nkinds;
    struct sca_loop_iteration *of; /* by window, then nth */
    struct sca_loop_kind *kinds;   /* the most frequent first */
    uint32_t windows;              /* that ranks recorded, at most */
    bool uneven;                   /* ranks have different numbers of them in some window */
    uint32_t cut;                  /* iterations that a window does not show wholly: left out */
};

/* Windows this far apart follow each other: what the runtime itself takes between them. */
enum { SCA_CLOSE_NS = 1000 };

/* Of the loop at the vertices (its contexts, rising). `ends` as of sca_ppg_ends(). In `space`. */
void sca_iterations_find(struct sca_workspace *space, const struct sca_ppg *ppg,
                         const struct sca_ppg_run *run, const uint32_t *ends, const uint32_t *loops,
                         uint32_t nloops, struct sca_loop_iterations *out);

/* Iterations that end with each call at a site, as the series of a loop without markers has them:
 * of all windows, also those of which a window has but a part. Kinds are not told. In `space`. */
void sca_iterations_by_call(struct sca_workspace *space, const struct sca_ppg_run *run,
                            uint32_t site, struct sca_loop_iterations *out);

#endif
