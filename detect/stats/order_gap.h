/*
 * How far neighbours in a sorted sample are apart on average, if it is of a normal distribution
 * (order statistics; David and Nagaraja 2003, 3.1): n over i times the integral of
 * F(x)^i (1 - F(x))^(n - i). A pure function.
 */
#ifndef SCA_DETECT_ORDER_GAP_H
#define SCA_DETECT_ORDER_GAP_H

#include <stdint.h>

/* In standard deviations, between the i-th and the next of n, from 1; 0 < i < n, n a few. */
double sca_order_gap(uint32_t n, uint32_t i);

#endif
