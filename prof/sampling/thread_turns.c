#include "sampling/thread_turns.h"
#include "sampling/virtual_time.h"

#include <math.h>

#define STEADY_PART 0.8 /* of the waits are for one thread */
#define STEADY      0.1 /* the first thread's part scatters by less */

static struct turns {
    double own_ns, helpers_ns; /* lately, the earlier the less */
    double scatter_ns;         /* of the first thread's, beyond its usual part of both */
} turns[SCA_THREAD_TURNS_SITES];

bool sca_thread_turns_known(uint32_t site)
{
    return turns[site % SCA_THREAD_TURNS_SITES].helpers_ns > 0;
}

static void note_scatter(struct turns *of, uint64_t own_ns, uint64_t helpers_ns)
{
    double usual_ns = of->own_ns / (of->own_ns + of->helpers_ns + 1);
    usual_ns *= (double)(own_ns + helpers_ns);
    of->scatter_ns = of->scatter_ns * SCA_THREADS_REMEMBERED + fabs((double)own_ns - usual_ns);
}

bool sca_thread_turns_are_steady(uint32_t site)
{
    const struct turns *of = &turns[site % SCA_THREAD_TURNS_SITES];
    return of->scatter_ns <= STEADY * (of->own_ns + of->helpers_ns) &&
           sca_virtual_time_part() >= STEADY_PART;
}

uint64_t sca_thread_turns_longest(uint32_t site, uint64_t own_ns,
                                  const struct sca_threads_work *helpers)
{
    struct turns *of = &turns[site % SCA_THREAD_TURNS_SITES];
    of->own_ns = of->own_ns * SCA_THREADS_REMEMBERED + (double)own_ns;
    of->helpers_ns = of->helpers_ns * SCA_THREADS_REMEMBERED + (double)helpers->all_ns;
    note_scatter(of, own_ns, helpers->all_ns);
    double busiest_ns = of->helpers_ns * helpers->busiest;
    double most_ns = of->own_ns > busiest_ns ? of->own_ns : busiest_ns;
    double lately_ns = of->own_ns + of->helpers_ns;
    return lately_ns > 0 ? (uint64_t)((double)(own_ns + helpers->all_ns) * most_ns / lately_ns) : 0;
}
