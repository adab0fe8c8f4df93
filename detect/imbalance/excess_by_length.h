/*
 * What it says of an instance of an interval that it is longer than the rank's others: how much of
 * that the other ranks do not have in the same instance. 1: all of it, they take as long as ever.
 * 0: nothing, what makes it longer makes all ranks' longer. Less than 0: the others are not to be
 * waited for in the short ones, as where each rank in its turn does some work between two barriers,
 * and all do more work at once between others of the same line.
 *
 * It is the slope of the least-squares line through the instances that recorded windows show, of
 * each rank around its own mean. An instance counts by its length, as a sample finds it.
 */
#ifndef SCA_DETECT_EXCESS_BY_LENGTH_H
#define SCA_DETECT_EXCESS_BY_LENGTH_H

#include "imbalance/long_instances.h"

/* 0 also where the slope is less than two standard errors, or lengths do not differ. */
double sca_excess_by_length(const struct sca_long_instances *of, uint32_t previous, uint32_t site);

#endif
