/*
 * Samples of all ranks together: what is usually done between one MPI call and the next, and what
 * by ranks whose time there is not the usual. Everything is owned by the pool until
 * sca_sample_pool_free().
 */
#ifndef SCA_DETECT_SAMPLE_POOL_H
#define SCA_DETECT_SAMPLE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_weight { /* samples in an interval, by vertex */
    uint32_t interval, vertex;
    double count;
    double beside; /* of these, of threads beside the first: rank_samples.h */
};

/* Ranks that are not usual in an interval: they need less time there, or more. */
enum { SCA_SHORTER, SCA_LONGER, SCA_UNUSUAL_KINDS };

struct sca_pool_weight { /* samples of all ranks, each scaled (sca_sample_pool_scale) */
    uint32_t interval, vertex;
    double usual, unusual[SCA_UNUSUAL_KINDS];
};

struct sca_pooled;

struct sca_pool {
    uint32_t nintervals;
    struct sca_pooled *pooled;
    struct sca_pool_weight *weights; /* by interval, vertex */
    size_t *first;                   /* per interval, into weights; one more at the end */
    double *alike;     /* per interval: the ranks differ as if each had drawn so many samples of its
                          own before those it was asked for (concentration of a Dirichlet
                          distribution) */
    uint32_t *sampled; /* per interval: ranks with samples there */
    double *samples;   /* per interval: of all ranks, not scaled */
};

/* All return SCA_OK or SCA_ENOMEM. After that, too, the pool must be freed. */
int sca_sample_pool_open(struct sca_pool *pool, uint32_t nintervals);
/* Of one rank, by interval, vertex; per interval how unusual its time is, from -1 (much shorter)
 * over 0 to 1 (much longer). */
int sca_sample_pool_add(struct sca_pool *pool, const struct sca_weight *own, size_t n,
                        const double *unusual);
/* When all have been added: weights, first and alike are there. Again, when more was imagined. */
int sca_sample_pool_close(struct sca_pool *pool);
/* Adds `scale` times those weights at their vertex, in that interval; of a closed pool, whose
 * weights stay as they are until it is closed again. */
int sca_sample_pool_imagine(struct sca_pool *pool, uint32_t interval,
                            const struct sca_pool_weight *weight, double scale);
void sca_sample_pool_free(struct sca_pool *pool);

/* How much a sample of a rank counts that has `samples` of them in an interval: a slow one has
 * many.
 */
double sca_sample_pool_scale(double samples);
/* Whether samples of a rank are not among those of the unusual ones. */
bool sca_sample_pool_is_usual(double unusual);

/* By interval, vertex: for qsort(). */
int sca_sample_pool_order(const void *a, const void *b);
/* The end of an interval's weights that begin at `first`, and their sum. */
size_t sca_sample_pool_of_interval(const struct sca_weight *list, size_t first, size_t count);
double sca_sample_pool_sum(const struct sca_weight *list, size_t first, size_t end);

#endif
