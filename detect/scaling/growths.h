/*
 * What grew between runs, and how the program's work goes with the number of ranks. Owned by the
 * room.
 */
#ifndef SCA_DETECT_GROWTHS_H
#define SCA_DETECT_GROWTHS_H

#include "base/settings.h"
#include "scaling/comparable.h"
#include "stats/fit.h"

struct sca_growth {
    uint32_t vertex;
    struct sca_fit fit;
    double expected_slope;
    double expected; /* core-seconds in the largest run, had it scaled like the rest */
    double loss;     /* core-seconds beyond that */
    double error;    /* of the loss: one standard deviation */
    uint32_t idle;   /* ranks that have none of it, as many in each run; 0: all take part */
};

struct sca_growths {
    enum sca_scaling mode;
    bool open;              /* neither strong nor weak is certain: mode is the likelier one */
    bool same_problem;      /* all runs solve the same one: by the mode, or by the work told */
    uint32_t fewest;        /* ranks of the smallest run, or threads of a rank there */
    double divided;         /* part of the smallest run's work that is divided among the ranks, */
    double clearly_divided; /* of it with a slope that fits no growing problem */
    double told;            /* part of it of which that can be told: what all ranks take part in */
    uint32_t count;
    struct sca_growth *items; /* by loss; where the mode is open, those that are one in both */
    double sum_exponent;      /* all computation goes as P to that: 0 the problem stays, 1 grows */
    double step_exponent;     /* likewise that of the steps, where they deny a sum that grows */
    bool steps_deny;
    /* Where it is open: what is one only if the problem stays the same. (What is one if it grows is
     * one in any case, for less is expected then.) */
    uint32_t nif_same;
    struct sca_growth *if_same;
    double useful_loss; /* growth of all computation beyond ideal scaling, core-seconds */
    uint32_t beyond;    /* the deepest vertex with half of that, if that is much; SCA_NONE: none */
    double beyond_loss; /* core-seconds */
};

#endif
