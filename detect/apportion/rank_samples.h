/*
 * What one rank's samples say of its intervals. What the rank takes there is the time of its first
 * thread, or of the one whose calls they lie between: what that computed, divided by its own
 * samples, and what it waited for other threads of its process meanwhile (SCA_SAMPLE_HELPED,
 * sca_part.h), divided by the samples of those: of the busiest ones, as many as computed so long.
 * What threads compute beside that makes nothing longer. Of a rank that says nothing of waits (an
 * older runtime), what the first thread's samples leave of an interval is taken for one.
 */
#ifndef SCA_DETECT_RANK_SAMPLES_H
#define SCA_DETECT_RANK_SAMPLES_H

#include "apportion/sample_pool.h"
#include "graph/intervals.h"

struct sca_thread_weight { /* samples of a thread beside the first */
    uint32_t interval, thread, vertex;
    double count;
};

/* Zero before; working memory is kept from rank to rank, until sca_rank_samples_free(). */
struct sca_rank_samples {
    struct sca_weight *own; /* outside MPI, by interval, vertex */
    size_t nown, own_capacity;
    struct sca_thread_weight *beside;
    size_t nbeside, beside_capacity;
    double *helped; /* per interval: seconds */
};

/* Of a rank, in place of the one before; `seconds`: what it computed, per interval; `node_vertex`:
 * where its samples were. SCA_OK or SCA_ENOMEM. */
int sca_rank_samples_take(struct sca_rank_samples *samples, const struct sca_intervals *numbers,
                          const struct sca_rank *rank, const uint32_t *node_vertex,
                          const double *seconds);
void sca_rank_samples_free(struct sca_rank_samples *samples);

#endif
