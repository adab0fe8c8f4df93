/*
 * The causes of a case: findings of all kinds are gathered, charged with what others wait because
 * of them, and ranked by what mending them saves (doc/verdicts.md, "Cost and gain"). Needs the
 * replays of all runs; on return each finding has an outcome, c->causes are the causes, and
 * c->asides what a note tells instead: it came once, in this run alone, or cores may have done it.
 */
#ifndef SCA_DETECT_CAUSES_H
#define SCA_DETECT_CAUSES_H

#include "verdict/analysis.h"

void sca_causes_find(struct sca_analysis *c);

/* Fills c->costs[i]: of the last run, with detail; sca_causes_find() does that itself. */
void sca_causes_price_waits(struct sca_analysis *c, uint32_t i);

/* The least a cause must save, as a share of the largest run. */
double sca_causes_least_share(const struct sca_analysis *c);

/* Whether the run is so short that this is more than --min-share asks for. */
bool sca_causes_is_short(const struct sca_analysis *c);

#endif
