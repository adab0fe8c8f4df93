/*
 * What a rank's odd intervals have in common. One defect often shows in many intervals (a loop
 * reached along several call paths), each with few samples. So the rank is taken to have a main
 * reason, a slow core or a place, and each odd interval to have that reason or one of its own; how
 * many have it is not known either (a hierarchical mixture: Gelman and others, Bayesian Data
 * Analysis, chapters 5 and 22). Each interval says what its samples say for each.
 *
 * A place stands for all vertices that are the same in the source (graph/same_place.h); candidates
 * are the places that most samples speak for. Everything is owned by struct sca_candidates until
 * sca_candidates_close(); of one rank at a time.
 */
#ifndef SCA_DETECT_SUSPECTS_H
#define SCA_DETECT_SUSPECTS_H

#include "graph/ppg.h"

/* A slow core is the first of the reasons, then come the candidates. Of the part of the odd
 * intervals that have the main reason so many values are tried. */
enum { SCA_MOST_SUSPECTS = 4, SCA_REASONS = 1 + SCA_MOST_SUSPECTS, SCA_PARTS = 5 };

struct sca_candidates {
    uint32_t *place; /* per vertex: one that stands for its place */
    double *heard;   /* per such vertex: log of a ratio of likelihoods, so far */
    bool *is_named;  /* per such vertex: whether there is any */
    uint32_t *named; /* those */
    uint32_t nnamed;
    uint32_t n; /* candidates */
    uint32_t candidate[SCA_MOST_SUSPECTS];
    double weight[SCA_REASONS]
                 [SCA_PARTS]; /* of reason and part: logs, when settled probabilities */
};

/* What the samples of an interval say: how likely they are if it has a reason of its own, and if it
 * has each of the rank's; in any unit, the same for all of an interval. */
struct sca_interval_evidence {
    double own;
    double reason[SCA_REASONS]; /* below 0: it cannot have that reason */
};

/* SCA_OK or SCA_ENOMEM. After that, too, it must be closed. */
int sca_candidates_open(struct sca_candidates *s, const struct sca_ppg *ppg);
void sca_candidates_close(struct sca_candidates *s);

/* Forgets the rank before. */
void sca_candidates_clear(struct sca_candidates *s);
/* An interval points at a vertex, or away from it: log of a ratio of likelihoods. */
void sca_candidates_hear(struct sca_candidates *s, uint32_t vertex, double evidence);
/* After all are heard: those with the most evidence become candidates. False: there are none. */
bool sca_candidates_choose(struct sca_candidates *s);
/* If there are. `slow`: how likely a slow core is before any samples. */
void sca_candidates_begin(struct sca_candidates *s, double slow);
/* Once for each odd interval. */
void sca_candidates_weigh(struct sca_candidates *s, const struct sca_interval_evidence *evidence);
void sca_candidates_settle(struct sca_candidates *s);

/* Which reason the vertex is; 0: none. */
uint32_t sca_candidates_reason(const struct sca_candidates *s, uint32_t vertex);
/* When settled: what an interval's own guesses count, and beside that each reason, to be multiplied
 * by how likely the samples are. */
double sca_candidates_prior(const struct sca_candidates *s,
                            const struct sca_interval_evidence *evidence, double *reason);

#endif
