/*
 * How much chance there is in what a machine measures.
 */
#ifndef SCA_DETECT_CHANCE_H
#define SCA_DETECT_CHANCE_H

/* Seconds that a run may take longer by chance: a tick, a burst of page faults, a late wake-up;
 * what one sample stands for at the usual rate. A cause must be worth more, however short the run.
 */
#define SCA_BY_CHANCE 5e-3

#endif
