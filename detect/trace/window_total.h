/*
 * What windows add up to before each call. Weights (calibrate.h) are fewer than sums, so windows
 * may stand for more instances of an interval than there were, or for fewer, however exact their
 * lengths are (window_fit.h). What a rank computes before each call in the whole run is known, so
 * all that its windows show there is made longer or shorter until it adds up to that (a ratio
 * estimate of totals: Cochran, Sampling Techniques, chapter 6). By call, not by interval: what
 * leads to a call now and then windows may show in the guise of what usually does.
 */
#ifndef SCA_DETECT_WINDOW_TOTAL_H
#define SCA_DETECT_WINDOW_TOTAL_H

#include "trace/local_calls.h"
#include "trace/window_rest.h"

/* Changes the intervals of traces of windows; deviations are not known yet, nor is what no window
 * shows, `rest`, put anywhere. Calls that windows leave out stay as they are. `team`: as in
 * window_fit.h. */
void sca_window_total_fit(struct sca_detours *detours, const struct sca_window_rest *rest,
                          struct sca_team *team, struct sca_trace *traces, uint32_t count);

#endif
