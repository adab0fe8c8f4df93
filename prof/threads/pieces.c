#include "threads/pieces.h"

void sca_pieces_clear(struct sca_pieces *p)
{
    p->n = 0;
    p->rest_ns = 0;
}

uint32_t sca_pieces_take(struct sca_pieces *p)
{
    uint32_t number = __atomic_fetch_add(&p->n, 1, __ATOMIC_RELAXED);
    if (number < SCA_PIECES)
        p->ns[number] = 0;
    return number;
}

void sca_pieces_end(struct sca_pieces *p, uint32_t number, uint64_t ns)
{
    if (number < SCA_PIECES)
        p->ns[number] += ns;
    else
        __atomic_fetch_add(&p->rest_ns, ns, __ATOMIC_RELAXED);
}

static unsigned first_free(const uint64_t *busy_ns, unsigned size)
{
    unsigned first = 0;
    for (unsigned i = 1; i < size; i++)
        first = busy_ns[i] < busy_ns[first] ? i : first;
    return first;
}

uint64_t sca_pieces_schedule(const struct sca_pieces *p, uint64_t *busy_ns, unsigned size)
{
    uint64_t longest_ns = 0, all_ns = p->rest_ns;
    for (uint32_t k = 0; size && k < p->n && k < SCA_PIECES; k++)
        busy_ns[first_free(busy_ns, size)] += p->ns[k];
    for (unsigned i = 0; i < size; i++) {
        all_ns += busy_ns[i];
        longest_ns = busy_ns[i] > longest_ns ? busy_ns[i] : longest_ns;
    }
    uint64_t even_ns = size ? all_ns / size : 0;
    return even_ns > longest_ns ? even_ns : longest_ns;
}
