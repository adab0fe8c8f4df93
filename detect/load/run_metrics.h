/*
 * The numbers of one run on the tree: computation, time inside MPI, samples, shares.
 * Fills the members of struct sca_ppg_run from its profile, site_vertex and
 * node_vertex; memory comes from the graph's arena.
 */
#ifndef SCA_DETECT_RUN_METRICS_H
#define SCA_DETECT_RUN_METRICS_H

#include "sca_arena.h"
#include "graph/ppg.h"

/* calls, samples, intervals; then shares, first_share and comp. SCA_ENOMEM, SCA_EFORMAT. */
int sca_run_metrics_build(struct sca_arena *arena, const struct sca_ppg *ppg,
                          struct sca_ppg_run *run);

/* Nothing is filled in, but ranks that refer to call sites that are not there are refused, too.
 * SCA_ENOMEM, SCA_EFORMAT. */
int sca_run_metrics_refuse(const struct sca_ppg *ppg, struct sca_ppg_run *run);

/* Fills the runs' `mpi` where it is not there yet. Only what is reported needs it: a replay has
 * more memory without. SCA_ENOMEM. */
int sca_run_metrics_fill_mpi_time(const struct sca_ppg *ppg);

#endif
