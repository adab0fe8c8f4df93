#include "sampling/thread_turns.h"

static struct turns {
    double own_ns, helpers_ns; /* lately, the earlier the less */
} turns[SCA_THREAD_TURNS_SITES];

bool sca_thread_turns_known(uint32_t site)
{
    return turns[site % SCA_THREAD_TURNS_SITES].helpers_ns > 0;
}

uint64_t sca_thread_turns_longest(uint32_t site, uint64_t own_ns,
                                  const struct sca_threads_work *helpers)
{
    struct turns *of = &turns[site % SCA_THREAD_TURNS_SITES];
    of->own_ns = of->own_ns * SCA_THREADS_REMEMBERED + (double)own_ns;
    of->helpers_ns = of->helpers_ns * SCA_THREADS_REMEMBERED + (double)helpers->all_ns;
    double busiest_ns = of->helpers_ns * helpers->busiest;
    double most_ns = of->own_ns > busiest_ns ? of->own_ns : busiest_ns;
    double lately_ns = of->own_ns + of->helpers_ns;
    return lately_ns > 0 ? (uint64_t)((double)(own_ns + helpers->all_ns) * most_ns / lately_ns) : 0;
}
