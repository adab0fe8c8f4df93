/*
 * Communication that itself grows: messages or bytes per rank rise with the number of ranks (all to
 * all by hand, blocks for everybody gathered at one rank, a broadcast for each rank), and their
 * transfers take a part of the run that matters.
 *
 * That it grows is told by exact counts, in the smallest run and the largest; how long it takes by
 * the shortest calls (transfer.h). Reductions and other trees grow with the logarithm, borders of a
 * grid with less than the number of ranks: both are usual. Owned by the workspace.
 */
#ifndef SCA_DETECT_EXCHANGE_GROWTH_H
#define SCA_DETECT_EXCHANGE_GROWTH_H

#include "findings/ledger.h"
#include "stats/fit.h"
#include "measure/transfer.h"

#include <stdint.h>

struct sca_exchange {
    uint32_t vertex;         /* the call, or the loop that calls ever more often */
    uint32_t ncalls, *calls; /* MPI vertices that belong together */
    struct sca_fit fit;      /* transfer time of the busiest rank over ranks */
    double before, after; /* seconds of the busiest rank in the smallest and largest run; before: as
                             much more as each rank's work, where that is told and rises */
};

struct sca_exchanges {
    uint32_t count;
    struct sca_exchange *items; /* by loss */
};

/* Runs by rising rank count. `least`: the smallest loss worth naming, core-seconds. */
void sca_exchange_growth_find(struct sca_workspace *space, const struct sca_measure *runs,
                              const struct sca_transfers *transfers, uint32_t nruns, double least,
                              struct sca_exchanges *out);

/* Seconds of its transfers, per rank of a run. */
double *sca_exchange_growth_seconds(struct sca_workspace *space, const struct sca_measure *m,
                                    const struct sca_exchange *exchange);

/* per_call of a run as sca_replay_trace_add_transfer() wants it: of these exchanges only. NULL if
 * there are none. */
double *sca_exchange_growth_per_call(struct sca_workspace *space, const struct sca_measure *m,
                                     const struct sca_exchanges *exchanges);

void sca_exchange_growth_add(struct sca_workspace *space, const struct sca_measure *largest,
                             const struct sca_exchanges *exchanges, struct sca_ledger *out);

#endif
