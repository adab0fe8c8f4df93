/*
 * What each rank took in each compute interval of a run: the rank's exact times, unpacked once, by
 * interval. An interval lies between two call paths, `previous` and `site` of the profile; those
 * that graph/intervals.h joins are apart here. Seconds of own time. Owned by the room (scratch.h).
 *
 * Ranks are read one after the other, so that a block of them can be filled by itself; whoever
 * wants sums asks sca_interval_add().
 */
#ifndef SCA_DETECT_INTERVAL_MATRIX_H
#define SCA_DETECT_INTERVAL_MATRIX_H

#include "base/scratch.h"
#include "graph/ppg.h"

struct sca_interval_cell { /* of one rank */
    double seconds;        /* on the core, and off it by the program's own will */
    uint64_t count;        /* instances */
    uint32_t rank;
    uint32_t off; /* in the matrix' `off`; 0: it was on the core all the time */
};

struct sca_interval_off {
    double seconds; /* of the cell's, off the core */
    double longest; /* instance of the cell, in seconds */
};

struct sca_interval {
    uint32_t previous, site;
    uint32_t gap;   /* of the run's gaps */
    uint32_t first; /* its cells, by rank, are first .. those of the next interval */
};

struct sca_interval_matrix {
    uint32_t n;              /* intervals, by previous and site */
    struct sca_interval *of; /* [n + 1]; the last ends the cells */
    struct sca_interval_cell *cells;
    struct sca_interval_off *off; /* [0] is none */
};

/* Intervals of sites that are not there are left out. Jumps out of the room where it has no memory,
 * or where there are 2^32 cells or more. */
void sca_interval_matrix_fill(struct sca_room *room, const struct sca_ppg_run *run,
                              struct sca_interval_matrix *out);

/* NULL where the rank has no such interval. O(log ranks). */
const struct sca_interval_cell *sca_interval_cell(const struct sca_interval_matrix *m,
                                                  uint32_t interval, uint32_t rank);

static inline const struct sca_interval_cell *
sca_interval_first(const struct sca_interval_matrix *m, uint32_t interval)
{
    return m->cells + m->of[interval].first;
}

static inline const struct sca_interval_cell *sca_interval_end(const struct sca_interval_matrix *m,
                                                               uint32_t interval)
{
    return m->cells + m->of[interval + 1].first;
}

static inline double sca_interval_off_s(const struct sca_interval_matrix *m,
                                        const struct sca_interval_cell *cell)
{
    return m->off[cell->off].seconds;
}

/* Sums per rank over the intervals that `has` says, in their order; each may be NULL. The arrays
 * are added to. */
struct sca_interval_sums {
    double *seconds, *off, *count;
};
void sca_interval_add(const struct sca_interval_matrix *m,
                      bool (*has)(const void *context, const struct sca_interval *interval),
                      const void *context, const struct sca_interval_sums *to);

/* For the function above, with an array of bool by gap as context. */
bool sca_interval_in_marked(const void *marked, const struct sca_interval *interval);

#endif
