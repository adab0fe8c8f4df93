/*
 * What a report says, in the same words wherever it is shown: the text, the page, the viewer.
 * Buffers are the caller's and have SCA_PHRASE bytes; what does not fit is cut. Names are as the
 * report has them: who shows them cleans them.
 */
#ifndef SCA_PHRASE_H
#define SCA_PHRASE_H

#include "sca_report.h"

enum { SCA_PHRASE = 1024 };

/* "2, 4 and 8": the numbers of ranks of the runs; repetitions count once. Returns how many. */
uint32_t sca_phrase_sizes(char *buffer, const struct sca_report *report);
/* "strong scaling", "work 100, 200 and 400", "scaling mode uncertain"; "" where there
 * is one number of ranks only and no work is given. Runs that were killed are behind it: "weak
 * scaling, 1 of 3 runs incomplete". */
const char *sca_phrase_scaling(char *buffer, const struct sca_report *report);
/* "P^-1", "P^0.50 by its work", "P^-1 or P^0": how time per rank should go with the ranks. */
const char *sca_phrase_ideal(char *buffer, const struct sca_report *report,
                             const struct sca_report_nonscalable *growth);
/* "4", "0, 7", "4-7". */
const char *sca_phrase_numbers(char *buffer, const uint32_t *ranks, uint32_t n);
/* "rank 4", "ranks 0, 7", "ranks 4-7", "all 8 ranks"; where the run has a topology, with their
 * places in it: "rank 4 (1,0)", "ranks 0 (0,0), 7 (3,1)", "ranks 4-7 (1,*)" for all that have a
 * first coordinate of 1. */
const char *sca_phrase_ranks(char *buffer, const struct sca_report_run *run, const uint32_t *ranks,
                             uint32_t n);
/* A rank's place in the run's topology: "(1,0)" in a Cartesian one, "(3 neighbours)" in a graph,
 * "(3 in, 2 out)" where it sends to others than it receives from; "" where there is none. */
const char *sca_phrase_rank_place(char *buffer, const struct sca_report_run *run, uint32_t rank);
/* "late-sender" -> "late sender". */
const char *sca_phrase_wait_class(char *buffer, const char *wait_class);
/* "  41 % direct": how much of it is charged to who computes too long; "     measured": it was not
 * replayed, and nobody is. 13 characters. */
const char *sca_phrase_wait_direct(char *buffer, const struct sca_report_wait *wait);
/* "cg.c:212 loop in conj_grad", "halo.c:40 MPI_Waitall in exchange". */
const char *sca_phrase_vertex(char *buffer, const struct sca_report_vertex *vertex);
/* "between cg.c:82 MPI_Barrier and cg.c:90 MPI_Allreduce": where in its vertex a cause is, if the
 * samples tell no more ("between MPI_Init and ..." for what came before the first call); "inside
 * the loops at lines 32, 33": the loops around it in its function, outermost first, that do not
 * communicate, any of which may be the one that goes round too often; "called at cg.c:80 in step"
 * where other call paths to the place are in line; else "".
 */
const char *sca_phrase_between(char *buffer, const struct sca_report *report,
                               const struct sca_report_cause *cause);
/* "flop (work.h:4), inlined", "exp, called at x.c:12": the function that is part of the cause's
 * place and has most of it; "" if there is none. */
const char *sca_phrase_inner(char *buffer, const struct sca_report_cause *cause);
/* "1.1 million perf::PAGE-FAULTS on this rank, none on each other rank", or "80 thousand
 * perf::PAGE-FAULTS on each rank instead of 20 thousand, by 80 thousand on each of 2"; "" where no
 * counter tells. */
const char *sca_phrase_counter(char *buffer, const struct sca_report_cause *cause);
/* The calls around a vertex, outermost first: "main > solve (line 80) > exchange (line 12)". Of
 * deep ones the innermost, at most so many: "... > exchange (line 12)". */
const char *sca_phrase_calling_path(char *buffer, const struct sca_report *report, uint32_t vertex,
                                    uint32_t most);
/* It is the threads of a rank that take too long, or wait for each other; not a rank that others
 * wait for. */
bool sca_phrase_is_of_threads(const struct sca_report_cause *cause);

/* "only on this rank", "on these ranks and few others", "3.1x the other ranks", "serialised, one
 * rank at a time"; "" for what grows with the ranks. Of threads: "the busiest thread takes 1.5x
 * the mean", "done by one thread of 2". */
const char *sca_phrase_others(char *buffer, const struct sca_report *report,
                              const struct sca_report_cause *cause);
/* "1.2 to 1.58", the 95 % interval of what a cause saves, core-seconds; "" in older reports, and
 * where three digits do not tell both ends apart. */
const char *sca_phrase_gain_ci(char *buffer, const struct sca_report_cause *cause);
/* What the gain supposes: "rank 4 took as long here as the other ranks"; "" in older reports. */
const char *sca_phrase_saved_if(char *buffer, const struct sca_report *report,
                                const struct sca_report_cause *cause);
/* The title of a cause's chain of waits: of what all ranks have there are no others. */
const char *sca_phrase_chain(const struct sca_report *report, const struct sca_report_cause *cause);
/* What no cause is found above: "above 1 % of ranks x wall", "that would save 5 ms of the run's 20
 * ms", "in a run of 4 ms, which is too short to tell one"; "" where the report does not say. */
const char *sca_phrase_least_gain(char *buffer, const struct sca_report *report);
/* "No cause of scaling loss found above ...", with the efficiency of the largest run. Whether that
 * is good: nothing is lost, and the run ended. */
bool sca_phrase_no_cause(char *buffer, const struct sca_report *report);
/* Why what grows has no forecast. */
extern const char sca_phrase_no_forecast[];
/* A cause's vertex, and where in it. */
const char *sca_phrase_cause(char *buffer, const struct sca_report *report,
                             const struct sca_report_cause *cause);

#endif
