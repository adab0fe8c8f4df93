#include "trace/window_start.h"
#include "base/degrees.h"
#include "trace/trace_synthesis.h"

#include <math.h>

enum { MOST_LEFT_OUT = 16 }; /* calls in a row */

/* The logarithm of how likely an instance of so long is one of it: of as many as there were, if
 * they scatter about their mean by a factor of two (log-normal). */
static double likelihood(const struct sca_part_interval *interval, uint64_t ns)
{
    double mean = sca_trace_synthesis_seconds(interval) / (double)interval->count;
    double away = log(fmax(mean, SCA_NO_TIME) / fmax((double)ns * 1e-9, SCA_NO_TIME));
    return log((double)interval->count) - pow(away / log(SCA_TWICE), 2) / 2;
}

/* Of the intervals that end with the site, the one that begins with that call; else the likeliest.
 */
static const struct sca_part_interval *find_interval(const struct sca_rank *rank, uint32_t previous,
                                                     uint32_t site, uint64_t ns)
{
    const struct sca_part_interval *best = NULL;
    double most = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *each = &rank->intervals[i];
        if (each->site != site || !each->count)
            continue;
        if (each->previous == previous)
            return each;
        double here = likelihood(each, ns);
        if (best && here <= most)
            continue;
        best = each;
        most = here;
    }
    return best;
}

static uint32_t usual_before(const struct sca_rank *rank, uint32_t site)
{
    const struct sca_part_interval *usual = NULL;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *each = &rank->intervals[i];
        if (each->site == site && each->previous != site && (!usual || each->count > usual->count))
            usual = each;
    }
    return usual ? usual->previous : SCA_NONE;
}

/* Back over calls that windows leave out, by the way they are mostly reached. */
static uint32_t recorded_before(const struct sca_detours *detours, uint32_t site)
{
    for (uint32_t n = 0; site != SCA_NONE && detours->left_out[site]; n++)
        site = n < MOST_LEFT_OUT ? usual_before(detours->rank, site) : SCA_NONE;
    return site;
}

/*
 * Where a window is a whole number of the program's steps, what came before its first call came
 * before its last one too, unless it is the run's first. Where it is not, the intervals tell that
 * end with its first call.
 */
uint32_t sca_window_start_call(const struct sca_detours *detours, const struct sca_window *window)
{
    if (!window->iteration && detours->start != SCA_NONE)
        return detours->start;
    if (!window->nevents)
        return SCA_NONE;
    const struct sca_event *first = window->events, *last = first + window->nevents - 1;
    const struct sca_part_interval *found =
        find_interval(detours->rank, last->site, first->site, first->gap_ns);
    if (!found || found->previous == last->site)
        return last->site;
    uint32_t before = recorded_before(detours, found->previous);
    return before == SCA_NONE ? last->site : before;
}
