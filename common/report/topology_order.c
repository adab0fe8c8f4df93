#include "sca_topology.h"

/* The place of a number, counted with the last dimension running fastest. */
static void place_of(const struct sca_topology *t, uint32_t number, int32_t *place)
{
    for (uint32_t d = t->ndims; d-- > 0; number /= t->dims[d])
        place[d] = (int32_t)(number % t->dims[d]);
}

bool sca_topology_has_all(const struct sca_topology *t)
{
    uint64_t places = 1;
    for (uint32_t d = 0; d < t->ndims && places <= t->nranks; d++)
        places *= t->dims[d];
    return places == t->nranks;
}

bool sca_topology_is_row_major(const struct sca_topology *t)
{
    uint64_t numbers = (uint64_t)t->nranks * t->ndims;
    uint32_t carry;
    if (!numbers || !sca_topology_has_all(t))
        return false;
    for (uint32_t d = 0; d < t->ndims; d++)
        if (t->coordinates[d])
            return false;
    for (uint64_t at = t->ndims; at < numbers; at += t->ndims) {
        carry = 1; /* each place is the one before it, counted on */
        for (uint32_t d = t->ndims; d-- > 0;) {
            uint32_t next = (uint32_t)t->coordinates[at - t->ndims + d] + carry;
            carry = next == t->dims[d];
            if (t->coordinates[at + d] != (carry ? 0 : (int32_t)next))
                return false;
        }
    }
    return true;
}

void sca_topology_count_off(struct sca_topology *t)
{
    for (uint32_t r = 0; r < t->nranks; r++)
        place_of(t, r, &t->coordinates[(uint64_t)r * t->ndims]);
    t->members = t->nranks;
}
