/*
 * What computation costs the others: each wait of a replay is charged to the computation that
 * caused it (delay costs: Boehme, Geimer, Wolf, Arnold, ICPP 2010).
 *
 * Waits = sum of the costs + unexplained, exactly. Core-seconds. Owned by the workspace.
 */
#ifndef SCA_DETECT_DELAY_COST_H
#define SCA_DETECT_DELAY_COST_H

#include "measure/measure.h"
#include "replay/replay.h"
#include "replay/wait_rows.h"

struct sca_site_wait { /* of one class at one vertex */
    double count, seconds;
    double direct;   /* charged to computation of the rank waited for */
    double indirect; /* handed on: that rank had waited itself */
};

struct sca_costs {
    double *of; /* [vertex * nranks + rank] waits of others caused by that rank's computation of
                   the vertex (its own, without what is nested in it) */
    double *direct_of; /* of that: waits for this very rank; the rest came by over others */
    struct sca_wait_rows waited; /* who waited where; what no call is known of, at vertex 0 */
    double waits, unexplained;
    struct sca_site_wait *sites; /* [vertex * SCA_WAIT_CLASSES + class] */
};

/* Without detail `of`, `direct_of` and `waited.rows` are NULL: a run of which only the sums are
 * asked. */
void sca_delay_cost_open(struct sca_workspace *space, const struct sca_measure *m, bool detail,
                         struct sca_costs *out);
/* The waits of replays that have run, times their traces' weights. */
void sca_delay_cost_find(struct sca_workspace *space, const struct sca_measure *m,
                         const struct sca_replay *replays, uint32_t n, struct sca_costs *costs);

/* Those for another world, of all processes at once; `waits` is without them. */
void sca_delay_cost_add_other_world(const struct sca_measure *m, struct sca_costs *costs);

/* When each process has added its replays: from here on they are the sums of all. */
void sca_delay_cost_sum(struct sca_team *team, const struct sca_measure *m,
                        struct sca_costs *costs);

#endif
