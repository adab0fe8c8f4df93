/*
 * What evened replays leave out (what_if.h): by how much single instances of an interval differ
 * from their mean on their rank.
 */
#ifndef SCA_DETECT_SCATTER_H
#define SCA_DETECT_SCATTER_H

#include "price/what_if.h"

/* The interval with most of it over all ranks and traces, each as often as it happened; SCA_NONE:
 * nothing scatters. The stage is evened out, and nothing levelled. */
uint32_t sca_scatter_most(const struct sca_stage *stage);

#endif
