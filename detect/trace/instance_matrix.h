/*
 * The instances of one interval (between two calls) in a trace, side by side: row k has the k-th
 * of every rank that has one. The room's memory.
 */
#ifndef SCA_DETECT_INSTANCE_MATRIX_H
#define SCA_DETECT_INSTANCE_MATRIX_H

#include "trace/replay_trace.h"

struct sca_rows {
    uint32_t nranks, count, number; /* of the trace */
    bool alike; /* all ranks that have any have as many: else the k-th of one and of another are
                   not of the same event, as between calls that poll */
    uint32_t *event; /* [row * nranks + rank] its place in arrays over all events, SCA_NO_EVENT */
};

/* The half of its window that a row lies in: its number among those of all windows of the run. */
static inline uint32_t sca_instance_matrix_half(const struct sca_rows *rows, uint32_t row)
{
    return 2 * rows->number + (row >= (rows->count + 1) / 2);
}

void sca_instance_matrix_rows(struct sca_workspace *space, const struct sca_trace *trace,
                              uint32_t previous, uint32_t site, struct sca_rows *out);

/* Of a row's intervals, `interval` being by event: the ranks' lower median and their mean. `work`
 * has room for all ranks. */
double sca_instance_matrix_median(const struct sca_rows *rows, uint32_t row, const double *interval,
                                  double *work);
double sca_instance_matrix_mean(const struct sca_rows *rows, uint32_t row, const double *interval);

#endif
