/*
 * Collectives that a rank has completed on a group, by function and root. Forms of one function
 * count as one: MPI_Bcast and MPI_Bcast_c.
 */
#ifndef SCA_COMPLETED_H
#define SCA_COMPLETED_H

#include "look/seen.h"

#define SCA_ANY_ROOT (SCALANA_NONE - 1) /* or none */

bool sca_completed_is_same(const char *function, const char *other);

/* Calls of one function, NULL: of all, with that root. */
uint64_t sca_completed_calls(const struct sca_look *look, uint32_t rank, uint32_t group,
                             const char *function, uint32_t root);

/* A call that `second` has completed more often than `first`. */
struct sca_surplus {
    uint32_t context, root; /* root: SCALANA_NONE: it has none */
};

/* Calls that differ in root count as different ones if `function` is given; others are then left
 * out. False: there is none. */
bool sca_completed_surplus(const struct sca_look *look, uint32_t first, uint32_t second,
                           uint32_t group, const char *function, struct sca_surplus *out);

#endif
