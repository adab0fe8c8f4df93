/*
 * A simulated program is run on several numbers of ranks, judged, and the verdict held against what
 * is known of the program: which cause, on which ranks, and what the run without it takes less.
 */
#ifndef SCA_SIM_TRIAL_H
#define SCA_SIM_TRIAL_H

#include "report/verdict.h"
#include "sim_profile.h"
#include "sim_programs.h"

enum { SIM_RUNS = 6, SIM_MOST_RANKS = 1024 };

struct sim_trial {
    const struct sim_case *c;
    struct sim_variant as;
    struct sim_program program; /* as the variant has it */
    struct sim_place places[SIM_PLACES];
    uint32_t ranks;
    struct sim *runs[SIM_RUNS];
    uint32_t nruns;
    struct sim_graph *graph;
    struct sca_verdict verdict;
};

/* Runs on a quarter, a half, and all of the ranks; must be closed, and not be moved. */
void sim_trial_open(struct sim_trial *trial, const struct sim_case *c, uint32_t ranks, bool defect,
                    const struct sim_variant *as);
void sim_trial_close(struct sim_trial *trial);

/* Fails the test where the verdict of a program with its defect is not the truth. */
void sim_trial_judge(const struct sim_trial *trial);

/* The first cause, for a failed assertion; until the next call. */
const char *sim_trial_first(const struct sca_report *report);

#endif
