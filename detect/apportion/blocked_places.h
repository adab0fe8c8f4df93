/*
 * Where a rank was blocked outside MPI, by interval (SCA_SAMPLE_BLOCKED, sca_part.h). How long it
 * was blocked in an interval is measured beside that (struct sca_part_interval); places divide it.
 * What none of them explains has no place.
 *
 * One rank at a time. Functions return SCA_OK or SCA_ENOMEM.
 */
#ifndef SCA_DETECT_BLOCKED_PLACES_H
#define SCA_DETECT_BLOCKED_PLACES_H

#include "graph/ppg.h"

struct sca_blocked_place {
    uint32_t interval, vertex;
    double seconds; /* that the calls took */
};

struct sca_blocked_places {
    uint32_t *vertex_of; /* per node of the profile: the call that it leads to; SCA_NONE: none */
    struct sca_blocked_place *list; /* by interval */
    size_t n, capacity;
};

/* `places` is zero before; after that, too, it must be freed. */
int sca_blocked_places_open(struct sca_blocked_places *places, const struct sca_ppg_run *run);
/* Of this rank, in place of the one before. What was awaited is added to run->awaited. */
int sca_blocked_places_take(struct sca_blocked_places *places, struct sca_ppg_run *run,
                            const struct sca_rank *rank);
void sca_blocked_places_free(struct sca_blocked_places *places);

/* Those in an interval. */
const struct sca_blocked_place *sca_blocked_places_in(const struct sca_blocked_places *places,
                                                      uint32_t interval, size_t *count);

#endif
