/*
 * How long ranks usually compute in an interval: the median over ranks of the seconds a visit
 * takes. Of very many ranks every n-th is asked. All is owned by struct sca_typical until
 * sca_typical_rank_free().
 */
#ifndef SCA_DETECT_TYPICAL_RANK_H
#define SCA_DETECT_TYPICAL_RANK_H

#include <stdint.h>

struct sca_typical {
    uint32_t nintervals, stride;
    uint32_t *count;  /* per interval: ranks that were there */
    double *median;   /* per interval, when closed */
    float *per_visit; /* [interval * MOST_ASKED + k] seconds, ascending after close */
};

/* SCA_OK or SCA_ENOMEM. After that, too, it must be freed. */
int sca_typical_rank_open(struct sca_typical *t, uint32_t nintervals, uint32_t nranks);
/* Ranks that are multiples of `stride`, each once: seconds and visits per interval. */
void sca_typical_rank_add(struct sca_typical *t, const double *seconds, const double *visits);
void sca_typical_rank_close(struct sca_typical *t);
void sca_typical_rank_free(struct sca_typical *t);

/* What as many visits take other ranks than the one that needed `seconds`; that again if there are
 * no others. */
double sca_typical_rank_seconds(const struct sca_typical *t, uint32_t interval, double seconds,
                                double visits);

#endif
