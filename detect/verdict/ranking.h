/*
 * The order of causes by what mending them saves: replays with some of them equalised (what_if.h).
 */
#ifndef SCA_DETECT_RANKING_H
#define SCA_DETECT_RANKING_H

#include "findings/ledger.h"
#include "price/price.h"
#include "price/stage.h"

#include <stdint.h>

/* Gives findings their gains, by number. Chosen greedily, the greatest first, each on top of those
 * before, until less than `least` core-seconds are left to gain; then those that only help together
 * (two ranks equally late for different reasons). What all chosen save is shared out between them;
 * the others' gains stay as they are. Puts the list in order of gain; returns how many gain at
 * least `least`. */
uint32_t sca_ranking_order(struct sca_workspace *space, struct sca_stage *stage,
                           struct sca_finding_list *findings, double least, struct sca_gain *gains);

#endif
