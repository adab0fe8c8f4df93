/*
 * What a run measured, in the form the detectors ask for: inclusive computation per (vertex,
 * rank), its noise, totals. Seconds of own time, so that waiting for a core never looks like work.
 * Owned by the workspace (workspace.h).
 */
#ifndef SCA_DETECT_MEASURE_H
#define SCA_DETECT_MEASURE_H

#include "base/workspace.h"
#include "graph/ppg.h"
#include "measure/core_use.h"
#include "measure/core_waits.h"
#include "graph/interval_matrix.h"
#include "measure/other_world.h"
#include "measure/phases.h"

struct sca_measure {
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    uint32_t nranks;
    uint32_t npresent;            /* ranks that left something; the others are not compared with */
    bool *absent;                 /* per rank: it is one of those others */
    uint32_t ntracks;             /* of a rank, where several of its threads call MPI; else 0 */
    uint8_t *track;               /* per interval, then */
    bool oversubscribed;          /* more ranks than cores, as the runtime saw it */
    uint32_t cores;               /* that all ranks have together, on one host; 0: not known */
    struct sca_core_use core_use; /* where ranks share them, as far as recorded */
    struct sca_core_waits core_waits; /* while others were idle */
    bool shared;          /* that, or the ranks ran on a core for a part of the time only */
    double noise_level;   /* how much normal ranks differ, relative, beside sampling; measure.c */
    bool level_known;     /* by the run's own intervals; else noise_level is what is usual */
    double on_core;       /* that part: CPU time over wall, of all ranks */
    double had;           /* of their cores, as far as known: this part was theirs */
    double wall;          /* longest rank */
    double *inclusive;    /* [vertex * nranks + rank] computation, own and all below */
    float *noise;         /* same shape: one standard deviation of it, see measure.c */
    double *median;       /* per vertex: the ranks' median of its own computation */
    double *rank_total;   /* per rank */
    double awaited;       /* blocked outside MPI for other ranks, of all: not in total (ppg.h) */
    double *rank_blocked; /* of it, off the core by the program's own will (off_cpu.h) */
    double total;
    double mpi, tool;                   /* measured, summed over ranks */
    double tool_interval;               /* of `tool`, in what counts as computation */
    struct sca_interval_matrix matrix;  /* what its ranks took in each */
    struct sca_phases phases;           /* and in those that run the same code */
    const double *waited;               /* call_waits.h; NULL: not asked for */
    struct sca_other_world other_world; /* waits for ranks of another world */
};

void sca_measure_run(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t run,
                     struct sca_measure *out);

/* How much ranks that do the same are taken to differ, relative, before any are compared. */
double sca_measure_usual_spread(const struct sca_measure *m);

/* Seconds of error in each interval between two calls, beside sampling: it does not average out. */
double sca_measure_interval_error(const struct sca_measure *m);

/* Computation of a rank in an interval of the run (intervals.h): all, by vertex, and what of it is
 * of the vertices and all below. The number may be SCA_NONE: none. */
double sca_measure_seconds_in(const struct sca_measure *m, uint32_t rank, uint32_t interval);
void sca_measure_add_in(const struct sca_measure *m, uint32_t rank, uint32_t interval,
                        double *by_vertex);
double sca_measure_part_in(const struct sca_measure *m, const uint32_t *ends,
                           const uint32_t *vertices, uint32_t nvertices, uint32_t rank,
                           uint32_t interval);

/* Samples of these ranks at the vertices and all below. */
double sca_measure_samples_at(const struct sca_measure *m, const uint32_t *ends,
                              const uint32_t *vertices, uint32_t nvertices, const uint32_t *ranks,
                              uint32_t nranks);

/* Whose calls an interval lies between: 1 is a rank's first thread, further ones that call MPI
 * follow. Each is a location, whose times there are exact. 0 stands for all of a rank. */
static inline uint32_t sca_measure_track_of(const struct sca_measure *m, uint32_t interval)
{
    return m->track[interval];
}

/* What a rank has at vertices, with all below: seconds, and the variance of that by its samples. */
double sca_measure_place_seconds(const struct sca_measure *m, const uint32_t *vertices,
                                 uint32_t nvertices, uint32_t rank);
double sca_measure_place_variance(const struct sca_measure *m, const uint32_t *vertices,
                                  uint32_t nvertices, uint32_t rank);

/* Adds that of each rank to seconds[]. */
void sca_measure_add_place(const struct sca_measure *m, const uint32_t *vertices,
                           uint32_t nvertices, double *seconds);

/* All after a call site, whichever call comes next. */
double sca_measure_seconds_after(const struct sca_measure *m, uint32_t rank, uint32_t site);

bool sca_measure_is_present(const struct sca_measure *m, uint32_t rank);

/* First vertex behind v's subtree: vertices stand in preorder. [nvertices], from the workspace. */
uint32_t *sca_measure_subtree_ends(struct sca_workspace *space, const struct sca_ppg *ppg);

#endif
