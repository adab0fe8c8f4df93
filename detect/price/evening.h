/*
 * Replays without the scatter of single instances (what_if.h): each takes the mean of those that
 * its rank has of the interval, over the whole run. The mean of many hardly scatters, and the total
 * stays what was measured. Instances that the program makes long (replay.h, own) keep their time.
 */
#ifndef SCA_DETECT_EVENING_H
#define SCA_DETECT_EVENING_H

#include "price/stage.h"

/* Evens out a rank in all replays, as they are levelled. What lies behind a call and is not told
 * apart by the call after it stays as it is. */
void sca_evening_out(struct sca_stage *stage, uint32_t rank);

/* The interval whose instances differ most from their means, over all ranks and traces, each as
 * often as it happened; SCA_NONE: none does. The stage is evened out, and nothing levelled. */
uint32_t sca_evening_most_uneven(const struct sca_stage *stage);

#endif
