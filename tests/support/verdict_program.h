/*
 * The program of the verdicts' tests: it computes, does something of its own, and reduces, a
 * hundred times, in runs with the seconds that a test gives to each rank.
 */
#ifndef SCA_TEST_VERDICT_PROGRAM_H
#define SCA_TEST_VERDICT_PROGRAM_H

#include "synthetic_ppg.h"
#include "report/verdict.h"

enum { PROGRAM_STEPS = 100 };

/* As without any options. */
extern const struct sca_settings program_settings;

struct program {
    struct model *model;
    uint32_t step, work, branch, extra, body, sum;
};

struct program program_new(void);
/* One run: work and extra seconds of each rank, over all steps. Returns its number. */
uint32_t program_run(struct program *p, uint32_t nranks, const double *work, const double *extra);
/* Fails the test where there is no verdict; the report is the verdict's. */
struct sca_report *program_judge(struct program *p, struct sca_verdict *verdict);
void program_finish(struct program *p, struct sca_verdict *verdict);
void program_fill(double *x, uint32_t n, double value);

#endif
