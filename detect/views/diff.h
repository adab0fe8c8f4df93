/*
 * Comparing two runs, also of two builds: before and after a fix. Either side is a run directory
 * or a report that was kept (its binary may be gone). Vertices are matched from the root down: by
 * kind, name, function and line; what is left by the number of lines instead of the line; the rest
 * by neither, as long as the order in the source stays the same.
 */
#ifndef SCA_DETECT_DIFF_H
#define SCA_DETECT_DIFF_H

#include "views/table.h"

struct sca_diff_side {
    const char *name, *program; /* where it came from */
    uint32_t ranks, nvertices;
    double wall;                           /* seconds of the longest rank */
    double virtual_wall;                   /* as if each rank had a core; 0: not known */
    bool shared;                           /* more ranks than cores */
    const struct sca_ppg_vertex *vertices; /* preorder */
    double *own;           /* per vertex, core-seconds: computation or time in MPI */
    double *replayed;      /* the same with replayed waits for the time in MPI; NULL: not known */
    double replayed_total; /* ranks x virtual_wall */
    struct sca_runs *runs; /* what it holds, see sca_diff_close() */
    struct sca_report *report;
};

/* SCA_OK or SCA_E... with a message. What it needs lives in the workspace. */
int sca_diff_open(struct sca_workspace *space, const char *operand, uint32_t max_loop_depth,
                  struct sca_diff_side *out);
void sca_diff_close(struct sca_diff_side *side);

/* Per vertex of `before`: the vertex of `after` that it became, SCA_NONE if there is none. */
uint32_t *sca_diff_match(struct sca_workspace *space, const struct sca_diff_side *before,
                         const struct sca_diff_side *after);

/* `top` rows with the greatest change, 0 for all. Where ranks shared cores and both sides are
 * reports, the sides' replayed times are compared and become their own. */
void sca_diff_view(struct sca_diff_side *before, struct sca_diff_side *after, uint32_t top,
                   struct sca_table *out);

#endif
