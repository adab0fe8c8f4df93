/*
 * What each rank took in each compute interval of a run: the ranks' exact times, unpacked once. An
 * interval lies between two call paths, `previous` and `site` of the profile; those that
 * graph/intervals.h joins are apart here. Seconds of own time. Owned by the workspace
 * (workspace.h).
 *
 * Ranks stand in blocks. Blocks stay as long as there are not too many cells; of a larger run, one
 * is unpacked again when it is asked for. A row is valid until another rank's is asked for.
 */
#ifndef SCA_DETECT_INTERVAL_MATRIX_H
#define SCA_DETECT_INTERVAL_MATRIX_H

#include "base/workspace.h"
#include "graph/ppg.h"

struct sca_call_pair {
    uint32_t previous, site;
    uint32_t interval; /* of the run's intervals */
};

struct sca_interval_cell {
    double seconds; /* on the core, and off it by the program's own will */
    double off;     /* of them, off the core */
    uint64_t count; /* instances */
    uint32_t pair;  /* of calls, in the matrix */
    float longest;  /* instance, seconds, of those with time off the core */
};

struct sca_interval_matrix_row { /* a rank's, as its profile lists them */
    const struct sca_interval_cell *first, *end;
};

struct sca_interval_matrix {
    uint32_t n; /* intervals, in order of first sight */
    const struct sca_call_pair *of;
    struct sca_interval_blocks *blocks;
};

/* Intervals of sites that are not there are left out. Jumps out of the workspace where it has no
 * memory.
 */
void sca_interval_matrix_fill(struct sca_workspace *space, const struct sca_ppg_run *run,
                              struct sca_interval_matrix *out);

struct sca_interval_matrix_row sca_interval_matrix_row(const struct sca_interval_matrix *m,
                                                       uint32_t rank);

/* Own seconds of an instance on that rank, on average; 0: it has none. */
double sca_interval_matrix_mean(const struct sca_interval_matrix *m, uint32_t rank,
                                uint32_t previous, uint32_t site);

struct sca_interval_sums { /* per rank; those that are NULL are not asked for */
    double *seconds, *off, *count;
};

/* Adds up, per rank, the intervals that are marked: `in` is by number; NULL: all of them. */
void sca_interval_matrix_add(const struct sca_interval_matrix *m, const bool *in,
                             const struct sca_interval_sums *to);

/* Those in the intervals that are marked (graph/intervals.h). From the workspace. */
bool *sca_interval_matrix_in(struct sca_workspace *space, const struct sca_interval_matrix *m,
                             const bool *intervals);

#endif
