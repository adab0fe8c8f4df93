/*
 * What adding up costs. Windows are made to add up to what each rank takes in the whole run
 * (window_fit.h, window_total.h). Where work moves from rank to rank, the few windows there are
 * show one rank in more of its long instances than it had and another in none: the one's are then
 * made shorter, the other's usual ones longer, and what is long is lost. So for what moves
 * instances are taken as they were shown, made longer or shorter as those of all ranks together.
 */
#ifndef SCA_DETECT_SEGMENT_H
#define SCA_DETECT_SEGMENT_H

#include "trace/replay_trace.h"

/* Seconds of the windows' instances by [rank * intervals + interval], those of all processes, each
 * as often as it stands for; but for windows that stand for themselves, which are never changed. */
double *sca_segment_sums(struct sca_workspace *space, const struct sca_intervals *intervals,
                         struct sca_team *team, const struct sca_trace *traces, uint32_t count,
                         uint32_t nranks);

/* `before`: those sums before instances were changed. Gives the sequences what is `shown`. */
void sca_segment_take_back(struct sca_workspace *space, const struct sca_intervals *intervals,
                           struct sca_team *team, const double *before, struct sca_trace *traces,
                           uint32_t count, uint32_t nranks);

#endif
