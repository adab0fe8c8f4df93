/*
 * The place that a person would change for what is too much: the innermost loop that has it, in its
 * calling context. Working memory and results live in the workspace (workspace.h).
 */
#ifndef SCA_DETECT_NAMED_PLACE_H
#define SCA_DETECT_NAMED_PLACE_H

#include "base/workspace.h"
#include "graph/ppg.h"

/* One flag and one weight per vertex: those that carry their part of it themselves, deepest
 * first. If the weight is spread over several inner vertices alike, the loop around them, unless
 * these are one place on several call paths. Fills `out`, of one entry per vertex; returns how
 * many. */
uint32_t sca_named_place_carriers(struct sca_workspace *space, const struct sca_ppg *ppg,
                                  const uint32_t *ends, const bool *flagged, const double *weight,
                                  const double *inclusive,
                                  bool (*alike)(void *context, uint32_t a, uint32_t b),
                                  void *context, uint32_t *out);

/* A loop, or a call that goes round, with no MPI in it. */
bool sca_named_place_is_nest(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex);

/* The loop that a person would change for it: code in a loop that does not communicate is that
 * loop's, and so is a call there that comes to no loop. */
uint32_t sca_named_place_of(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex);

/* The same, or what is around that of a nest of loops if only that has all of the weight. */
uint32_t sca_named_place_whole(const struct sca_ppg *ppg, const uint32_t *ends,
                               const double *weight, uint32_t vertex);

/* Whether the vertex or one below it is an MPI call. */
bool sca_named_place_calls_mpi(const struct sca_ppg *ppg, const uint32_t *ends, uint32_t vertex);

#endif
