/*
 * libscalana: the findings of an analysis: all that it took for too much, what speaks for each and
 * against it, and what became of it.
 *
 * A report names causes; findings are what they were chosen from: non-scalable and abnormal
 * vertices (Jin et al., SC'20, section IV-A), work that rotates among ranks, and what else is too
 * long between two calls. Finding i is row i, in the order in which the analysis came upon them:
 * one that tells an earlier one better comes behind it. Nothing is dropped: what was not believed
 * stays, with the reason. Contexts are those of the graph of the runs (graph.h); all else stands
 * for itself: the runs need not be there. Strings, arrays and rows are as error.h says.
 */
#ifndef SCALANA_FINDINGS_H
#define SCALANA_FINDINGS_H

#include "scalana/report.h"
#include "scalana/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scalana_findings scalana_findings;

/* Analyses the runs as scalana_verdict_find() (verdict.h) does, with the same options, errors and
 * threads, and keeps the findings. `report`, if not NULL, receives the report of the same analysis.
 * On success both are the caller's, to be freed with scalana_findings_free() and
 * scalana_report_free(); on failure they are NULL. */
int scalana_findings_find(scalana_runs *runs, const scalana_options *options,
                          scalana_report **report, scalana_findings **out);

/* NULL is nothing to free. */
void scalana_findings_free(scalana_findings *findings);

/* How many there are; 0 for NULL. */
uint32_t scalana_findings_count(const scalana_findings *findings);

struct scalana_finding {
    const char *category; /* imbalance|serial|nonscalable|communication|rotating; more may come */
    const char *where;    /* "cg.c:109 loop in conj_grad, rank 4": place and ranks in words */
    uint32_t context;     /* the one that carries most of it */
    uint32_t ncontexts;
    const uint32_t *contexts; /* all call paths to that place */
    uint32_t nranks;
    const uint32_t *ranks; /* it is found on, of the largest run, rising */
    double ratio;          /* to the other ranks; 0: does not apply, or they have none */
    double excess_core_s;  /* beyond the other ranks, or what the smallest run promised */
    /* Known only as between two calls: since the context `after` (0: MPI_Init) until `before`, or,
     * if next_call, until whatever call came next. */
    bool between, next_call;
    uint32_t after, before;
    double on_core_s, off_core_s; /* of `between`: what of the excess was on a core, and off it */
    /* By the replays; 0 where `priced` is false. What others wait because of it, what the run saves
     * with all causes mended counting as its part, and if it is the only one that is mended. */
    bool priced;
    double cost_core_s, gain_core_s, alone_core_s;
    const char *outcome; /* cause|note|refined|joined|explained|told|first-round|elsewhere|
                            seldom|same-ranks|no-place|scheduling|scatter|little|
                            little-doubted; more may come */
    const char *why;     /* the same as a sentence, findings counted from 1 */
    uint32_t other;      /* the finding that reports, explains or hides it; SCALANA_NONE: none */
    uint32_t nevidence;  /* rows of scalana_finding_evidence() */
};

/* Rows of findings. */
int scalana_findings_get(const scalana_findings *findings, uint32_t first, uint32_t count,
                         struct scalana_finding *out, size_t size);

/* One thing that speaks for a finding or against it, in the order in which it was put down. What
 * `number` and `second` are, for each kind; 0 where nothing is said:
 *   skewed           no rank is an outlier, the work is unevenly distributed
 *   by-times         exact times prove it around the place, samples tell the place: seconds of
 *                    excess around it, and there
 *   rotates          instances in which some rank takes long, of how many
 *   by-windows       consecutive windows show the same ranks late: ratio to their baseline;
 *                    core-seconds lost
 *   on-path          seconds on the critical path, and of a rank on average
 *   grows            power of the ranks with which a rank's time goes, and the expected one
 *   exchange         seconds of the busiest rank's transfers in the smallest run and the largest
 *   line-told        the samples of `run` identify the line
 *   refined, joined  this one describes `finding` better, or is the same defect
 *   cores            cores may differ as much
 *   settled          `run` shows it beyond any difference between cores
 *   slow-elsewhere   its ranks take longer elsewhere as well
 *   two-kinds        the ranks form two groups with little variation within each
 *   no-core          no core that ranks share has just these ranks, which are far from the others
 *   pattern-doubted  cores may differ so, or no other run says the same
 *   handed-out       a rank distributes the work by dynamic scheduling, in an order that is random
 *                    on shared cores: the part of the pieces in the most frequent order
 *   asked            the other runs were asked
 *   stands-in        `run` has it: ratio, seconds of excess
 *   not-in           `run` has not: ranks that take longer there, seconds of excess
 *   replicated       `run` confirms its size: one standard deviation, relative
 *   not-confirmed    what the runs say is not enough
 *   single           one instance of `number` has most of it
 *   off-core         seconds off the core, most of it at once, in no other run
 *   set-up           it grows, but is done `number` times only
 *   unlike-steps     runs that stop by time, and nothing else tells that their steps are alike
 *   one-reading      it is too much only if the problem stays the same on more ranks
 *   uncertain        what it saves may be less than a cause must: the bounds of its 95 % interval,
 *                    core-seconds */
struct scalana_evidence {
    const char *kind; /* as above; more may come */
    const char
        *text; /* as a sentence, findings counted from 1; "" where it tells a reader nothing */
    uint32_t run, finding; /* that it names; SCALANA_NONE: none */
    double number, second;
};

/* Rows of the evidence of a finding. */
int scalana_finding_evidence(const scalana_findings *findings, uint32_t finding, uint32_t first,
                             uint32_t count, struct scalana_evidence *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
