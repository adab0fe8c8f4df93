/*
 * What fixing a vertex would save: it is levelled to what the other ranks (or the smallest run)
 * need, and the traces are replayed (doc/verdicts.md, "Cost and gain"). Core-seconds. Owned by the
 * workspace.
 */
#ifndef SCA_DETECT_WHAT_IF_H
#define SCA_DETECT_WHAT_IF_H

#include "price/evening.h"
#include "price/stage.h"

/* `ops`: what the traces' operations live in; freed as soon as they are not needed any longer. The
 * replays live in the traces' room, the rest in `room`. Messages that do not fit together are left
 * out. */
void sca_what_if_open(struct sca_workspace *space, const struct sca_measure *m,
                      const uint32_t *ends, struct sca_traces *traces, struct sca_workspace *ops,
                      struct sca_stage *out);

/* From now on, replays are without the scatter of single instances (evening.h), and stand so. */
void sca_what_if_even(struct sca_stage *stage, const struct sca_evening_findings *findings);

/* Replays with these findings levelled; returns the virtual duration. With n == 0 the replays
 * are back as measured. */
double sca_what_if_level(struct sca_stage *stage, const struct sca_finding *const *levelled,
                         uint32_t n);

#endif
