/*
 * What the views count with: the largest run's seconds per vertex, and places of the source, which
 * several call paths may share. In the workspace.
 */
#ifndef SCA_DETECT_FIGURES_H
#define SCA_DETECT_FIGURES_H

#include "graph/ppg.h"
#include "base/workspace.h"

struct sca_figures {
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    /* per vertex, core-seconds: computation or time in MPI; with all below; MPI below alone */
    double *own, *inclusive, *mpi;
    double total; /* inclusive of the root */
};

void sca_figures_of(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t run,
                    struct sca_figures *out);

/* The same, with replayed waits for the time inside MPI calls (view_input.h): where `waits`, or
 * what it has of the run, is NULL, the clock's. */
void sca_figures_replayed(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t run,
                          const double *const *waits, struct sca_figures *out);

/* One rank's seconds in a vertex, without what is below. */
double sca_figures_own_seconds(const struct sca_ppg_run *run, uint32_t vertex, uint32_t rank);

struct sca_source_place { /* vertices with the same function, file, line, kind and name */
    uint32_t count;
    const uint32_t *vertices;
};

/* All places; *n counts them. */
struct sca_source_place *sca_figures_places_of(struct sca_workspace *space,
                                               const struct sca_ppg *ppg, uint32_t *n);

/* Of n sorted values, linear between neighbours; part is 0 to 1. */
double sca_figures_quantile(const double *sorted, uint32_t n, double part);
void sca_figures_sort(double *values, uint32_t n);
/* Pearson's coefficient; NAN if one of the two does not vary or there are fewer than three. */
double sca_figures_correlation(const double *x, const double *y, uint32_t n);

#endif
