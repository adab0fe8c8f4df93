/*
 * Reports to test with, built in memory from the contract's structs (sca_report.h), so that no
 * foreign data file is needed. The caller owns the result: sca_report_free().
 */
#ifndef SCA_SAMPLE_REPORT_H
#define SCA_SAMPLE_REPORT_H

#include "sca_report.h"

/* CG on 2, 4 and 8 ranks: rank 4's inner loop is slow, the others wait for it in an Allreduce;
 * a serial start, and a loop that is not divided. `source` becomes the vertices' file. */
struct sca_report *sca_sample_cg(const char *source);
/* A program with nothing to blame. */
struct sca_report *sca_sample_healthy(void);
/* Adds to that of CG two windows of two rows: rank 4 computes all the time, rank 0 sends to it, and
 * waits for it in a collective. The first has a play with the cause mended. */
void sca_sample_add_timelines(struct sca_report *cg);
/* `ncauses` causes, one vertex each, on `nranks` ranks. */
struct sca_report *sca_sample_large(uint32_t ncauses, uint32_t nranks);
/* Names and paths with control characters, mark-up, right-to-left overrides, long templates. */
struct sca_report *sca_sample_hostile(void);

/* On rank 1 each of so many threads hands a lock over to the next one: from vertex 2 to 4. Half of
 * what threads wait is not known by thread; the first's is the longest. */
void sca_sample_add_contention(struct sca_report *report, uint32_t nthreads);

/* Threads 0, 3 and 70 of 80 compute in vertex 4: a half, a quarter and an eighth of each rank's. */
void sca_sample_add_threads(struct sca_report *report);

#endif
