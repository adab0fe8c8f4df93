/*
 * Phases that the program names, on their way into the run's series (series_marks.h): a rank's are
 * written for the way to rank 0, put together with those of other ranks by their names and what
 * holds them, and written into the chunk. For readers and the runtime: what needs memory takes the
 * caller's.
 */
#ifndef SCA_PHASE_SUM_H
#define SCA_PHASE_SUM_H

#include "sca_part.h"
#include "sca_wire.h"

#include <stdbool.h>
#include <stdint.h>

/* A rank's own, each behind the one that holds it. */
struct sca_phases {
    const struct sca_part_phase *list;
    uint32_t n;
    const char *strings; /* what their names are offsets in */
};

/* One thread at a time. */
void sca_phases_put(struct sca_writer *w, const struct sca_phases *phases);

struct sca_summed_phase;
struct sca_phase_sum {
    uint32_t nranks, n;
    struct sca_summed_phase *phase[SCA_SERIES_PHASES];
    void *(*map)(void *context, size_t bytes); /* zeros; NULL without memory */
    void *context;
};

/* What sca_phases_put() wrote. number[i]: what the rank's i-th is in the sum, both from 1 on; 0:
 * none, as where there was no memory, or there are too many. Ranks rise. */
void sca_phase_sum_add(struct sca_phase_sum *sum, uint32_t rank, struct sca_reader *r,
                       uint8_t number[SCA_SERIES_PHASES + 1]);
void sca_phase_sum_put(const struct sca_phase_sum *sum, struct sca_writer *w);
enum { SCA_PHASE_BYTES = 256 }; /* that one takes there at most */

#endif
