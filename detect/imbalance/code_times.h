/*
 * What each rank takes where some code runs, between whichever calls: exact, whatever samples say
 * of lines. And what it would take on a usual core: times are divided by the cores' factors
 * (core_speed.h) as far as these explain what the ranks differ by there.
 */
#ifndef SCA_DETECT_CODE_TIMES_H
#define SCA_DETECT_CODE_TIMES_H

#include "measure/core_speed.h"
#include "measure/interval_bounds.h"

struct sca_code_times {
    double *seconds; /* per rank; on a usual core, if cores differ */
    double *core;    /* per rank: how many times as long its core takes; 0: unknown. If cores do
                        not differ, at least 1: one may be slow all the same */
    double error;    /* relative standard deviation: what cores may still make a rank's differ by */
    bool cores_differ;
};

struct sca_code_times sca_code_times_open(struct sca_workspace *space, uint32_t nranks);

/* In the intervals in which the chosen ranks are at the place, and where the same code runs. */
void sca_code_times_of_place(struct sca_workspace *space, const struct sca_measure *m,
                             const struct sca_within *place, const bool *chosen,
                             struct sca_code_times *out);

/* In the intervals within the bounds; `seconds`: those, per rank, as they are to be compared. */
void sca_code_times_of_bounds(struct sca_workspace *space, const struct sca_measure *m,
                              const struct sca_interval_bounds *bounds, const double *seconds,
                              struct sca_code_times *out);

/* What of a rank's seconds is to be compared with those of others: on a usual core, if cores
 * differ. */
double sca_code_times_equalised(const struct sca_code_times *t, uint32_t rank, double seconds);

#endif
