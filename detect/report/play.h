/*
 * A replay as it stands, as spans, messages and meetings to be drawn (sca_timelines.h).
 */
#ifndef SCA_DETECT_REPORT_PLAY_H
#define SCA_DETECT_REPORT_PLAY_H

#include "sca_timelines.h"
#include "timeline/by_length.h"
#include "verdict/analysis.h"

/* How much of a replay can be drawn: up to there its rows have no more than so many spans. Fills
 * rows->calls. */
enum { SCA_PLAY_MOST_SPANS = 4000 };
double sca_play_shown(struct sca_analysis *c, const struct sca_replay *replay,
                      const struct sca_report_timeline *rows);

/* The rows->calls of rows->ranks. `by_length` is of the run. */
void sca_play_fill(struct sca_analysis *c, const struct sca_replay *replay,
                   const struct sca_report_timeline *rows, struct sca_by_length *by_length,
                   struct sca_report_play *out);

/* Names of the kinds of spans. */
const char *const *sca_play_kinds(struct sca_analysis *c, uint32_t *n);

#endif
