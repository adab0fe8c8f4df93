/*
 * In what order a rank takes those that it hands work out to. A program may fix it: then each comes
 * after the same one every time. Or whoever is first comes first; of ranks that share cores, that
 * is who had one first, and the replay, which keeps the order, has ranks wait for each other that
 * would not.
 */
#ifndef SCA_DETECT_SERVED_ORDER_H
#define SCA_DETECT_SERVED_ORDER_H

#include "price/stage.h"

/* The part of the server's receives, in the stage's replays, that come from the rank which most
 * often comes after the one before: 1: always the same order. 1, too, where it receives nothing. */
double sca_served_order_usual(struct sca_workspace *space, const struct sca_stage *stage,
                              uint32_t server);

#endif
