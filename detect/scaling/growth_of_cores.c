#include "scaling/growth_of_cores.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "measure/thread_work.h"

#include <math.h>

/* The structure around it that has MPI calls: its time is exact, whatever samples say of its parts.
 */
static uint32_t measured_around(const struct sca_growth_search *a, uint32_t v)
{
    while (v && !sca_named_place_calls_mpi(a->ppg, a->ends, v))
        v = a->ppg->vertices[v].parent;
    return v;
}

/* Samples that fall on one loop in one run and on its neighbour in the other make it grow, but not
 * the two together. */
static bool shows_around(const struct sca_growth_search *a, uint32_t v, double factor, double loss)
{
    uint32_t around = measured_around(a, v);
    double before = sca_growth_totals_mean(a, &a->runs[0], true, around);
    return sca_growth_totals_mean(a, &a->runs[a->nruns - 1], true, around) - factor * before >=
           SCA_QUARTER * loss;
}

/* Shared cores and busy machines make all slower, and samples, which divide the whole, then need
 * only fall a little differently for one line to grow and its neighbour to shrink. */
double sca_growth_of_cores_loss(const struct sca_growth_search *a, uint32_t v, double factor,
                                double expected)
{
    const struct sca_measure *last = &a->runs[a->nruns - 1];
    uint32_t around = measured_around(a, v);
    double before = factor * sca_growth_totals_mean(a, &a->runs[0], true, around);
    double slower = before > 0 ? sca_growth_totals_mean(a, last, true, around) / before : 1;
    return last->shared ? expected * (fmin(SCA_SHARED_CORES, fmax(1, slower)) - 1) : 0;
}

/* Threads of the rank's own wait for cores as ranks do, the longer the more of them there are. */
static bool may_be_scheduling(const struct sca_growth_search *a, uint32_t v, double loss)
{
    return a->off_cpu && a->off_cpu[v] >= SCA_HALF * loss;
}

/* Which thread of a rank gets how much of work that they share out is a matter of turns where cores
 * are shared. Work that does not scale is more for all of them together. Of more threads in the
 * same ranks that is not so: a serial part keeps its time. */
static bool may_be_turns(const struct sca_growth_search *a, uint32_t v, double factor, double loss)
{
    const struct sca_measure *first = &a->runs[0], *last = &a->runs[a->nruns - 1];
    double before = sca_comparable_scale(a->comparable, 0, v) * sca_thread_work(first);
    double after = sca_comparable_scale(a->comparable, a->nruns - 1, v) * sca_thread_work(last);
    return last->shared && !a->comparable->by_threads &&
           (sca_thread_work_is_shared_out(first) || sca_thread_work_is_shared_out(last)) &&
           after - factor * before < SCA_HALF * loss;
}

/* The first run of fewer ranks that shares cores as the last one does; NULL: there is none, or all
 * do. */
static const struct sca_measure *first_shared(const struct sca_growth_search *a)
{
    const struct sca_measure *last = &a->runs[a->nruns - 1];
    uint32_t i = 0;
    while (!a->runs[i].shared && i < a->nruns - 1)
        i++;
    return i && a->runs[i].nranks < last->nranks ? &a->runs[i] : NULL;
}

/* Caches that ranks share with their cores make memory dearer, however little more there is to do:
 * what the program makes grow grows among runs that share cores as well. */
static bool grows_among_shared(const struct sca_growth_search *a, uint32_t v, double expected)
{
    const struct sca_measure *from = first_shared(a), *last = &a->runs[a->nruns - 1];
    if (!from)
        return true;
    double more = (double)last->nranks / from->nranks;
    return sca_growth_totals_mean(a, last, true, v) >=
           sca_growth_totals_mean(a, from, true, v) * pow(more, 1 + expected + SCA_HALF);
}

bool sca_growth_of_cores_may_be(const struct sca_growth_search *a, uint32_t v, double factor,
                                double expected_slope, double loss)
{
    return !shows_around(a, v, factor, loss) || !grows_among_shared(a, v, expected_slope) ||
           may_be_scheduling(a, v, loss) || may_be_turns(a, v, factor, loss);
}
