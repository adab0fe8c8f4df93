/*
 * What a vertex will take on more ranks than were run: its time and that of all the rest are
 * extrapolated by log-log models, each with the prediction error of its line; their quotient is the
 * vertex' share. The vertex' line has the exponent, and the interval, that the report tells of its
 * time per rank. Two sizes lie on any line: they allow no forecast.
 */
#ifndef SCA_DETECT_PROJECTION_H
#define SCA_DETECT_PROJECTION_H

#include "measure/measure.h"
#include "stats/fit.h"

struct sca_projection {
    struct sca_fit vertex, rest;
};

enum { SCA_PROJECTION_SIZES = 3 };

/* Runs by rising ranks. seconds: core-seconds of the vertex per run; rest: of everything else;
 * told: the model of its time per rank. 0 if the runs allow no forecast. */
int sca_projection_fit(struct sca_workspace *space, const struct sca_measure *runs, uint32_t nruns,
                       const double *seconds, const double *rest, const struct sca_fit *told,
                       struct sca_projection *out);

/* Share on that many ranks, 0 to 1; `interval` 95 %. */
double sca_projection_share(const struct sca_projection *projection, double ranks,
                            double interval[2]);

#endif
