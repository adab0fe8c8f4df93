/*
 * The numbers of one run on the tree: computation, time inside MPI, samples, shares.
 * Fills the members of struct sca_ppg_run from its profile, site_vertex and
 * node_vertex; memory comes from the graph's arena.
 */
#ifndef SCA_DETECT_METRICS_H
#define SCA_DETECT_METRICS_H

#include "base/arena.h"
#include "graph/ppg.h"

/* calls, samples, gaps; then shares, first_share and comp. SCA_ENOMEM, SCA_EFORMAT. */
int sca_metrics_build(struct sca_arena *arena, const struct sca_ppg *ppg, struct sca_ppg_run *run);
/* mpi. SCA_ENOMEM. */
int sca_metrics_time_mpi(struct sca_arena *arena, const struct sca_ppg *ppg,
                         struct sca_ppg_run *run);

/* The innermost vertex that holds the way from one vertex to another: the common ancestor, or the
 * loop around it when the way leads back. SCA_NONE as `from` is the program's start. */
uint32_t sca_vertex_between(const struct sca_ppg *ppg, uint32_t from, uint32_t to);

#endif
