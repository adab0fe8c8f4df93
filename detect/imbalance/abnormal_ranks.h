/*
 * Which ranks have too much of a place: by samples against chance, by exact times against what
 * equal ranks and their cores differ by. A place is judged with it by abnormal.c.
 */
#ifndef SCA_DETECT_ABNORMAL_RANKS_H
#define SCA_DETECT_ABNORMAL_RANKS_H

#include "imbalance/code_times.h"

struct sca_judging {
    const struct sca_measure *m;
    const uint32_t *ends, *vertices;
    uint32_t nvertices;
    const struct sca_interval_bounds *bounds; /* instead of vertices */
    const bool *on; /* all in these intervals is judged; NULL: what the vertices have */
    uint32_t track; /* whose work; 0: the ranks' */
    double threshold;
    double *seconds, *variance, *sorted; /* per rank; sorted: working memory */
    bool *left_out;                      /* likewise, working memory */
    struct sca_code_times around;        /* where the code of what is judged runs */
    double usual; /* the ranks' median of seconds, equalised (code_times.h) */
    double limit; /* the ratio from which a difference is more than what equal ranks differ by */
};

/* `chosen` is by rank; `reference` is the median of the ranks' seconds, and its variance. Those
 * that drop or add return how many are chosen then. */

/* By samples, whatever cores may do. */
bool sca_abnormal_ranks_stands_out(const struct sca_judging *j, uint32_t r, double reference,
                                   double reference_variance);

/* By ratio to the usual, whatever chance says, and whatever the rank's core does. */
bool sca_abnormal_ranks_is_over(const struct sca_judging *j, uint32_t r);

/* Those whose samples may be many by chance. */
uint32_t sca_abnormal_ranks_drop_chance(const struct sca_judging *j, double reference,
                                        bool *chosen);

/* Those whose samples are likelier the abnormal ranks' than the others', or that exact times say
 * are as slow. `count` are chosen. */
uint32_t sca_abnormal_ranks_add_alike(const struct sca_judging *j, double reference, bool *chosen,
                                      uint32_t count);

#endif
