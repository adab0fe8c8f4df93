/*
 * How fast the ranks' cores are, told by other code than what is judged: cores that share caches or
 * memory differ, and a rank's core is slow in all that it computes. What a rank takes in a phase is
 * the phase's usual time x the core's factor x a rest; the factors are those that leave the least,
 * each phase weighed by how little it leaves (a robust fit of two factors; Tukey's median polish,
 * Exploratory Data Analysis, chapter 11, with weights), and drawn together by what is not told
 * (shrinkage).
 */
#ifndef SCA_DETECT_CORE_SPEED_H
#define SCA_DETECT_CORE_SPEED_H

#include "measure/measure.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_within { /* vertices with all below */
    const uint32_t *ends, *vertices;
    uint32_t nvertices;
    uint32_t track; /* between whose calls (sca_measure_track_of()); 0: anybody's */
};

/* Sets per rank how many times as long its core takes as the usual one, at most SCA_MOST_CORE_SPEED
 * times as long as a fast one, the lower quartile; 0 where the rank does too little else to tell.
 * on[]: per interval, those with the code that is judged, of which only what is not `judged`
 * counts, which may be NULL: all of it is judged. Returns what a factor is off by, as a relative
 * standard deviation: where nothing is told, what equal ranks of the run differ by. */
double sca_core_speed_tell(struct sca_workspace *space, const struct sca_measure *m, const bool *on,
                           const struct sca_within *judged, double *factor);

#endif
