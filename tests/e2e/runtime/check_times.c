/*
 * check_times RUN: does full recording hold every call, with its times?
 *
 * The events of a site must be as many as the site counted calls, their durations must add up to
 * its time to the nanosecond, and on each rank calls must follow each other in time, inside their
 * windows, with no more own time in between than time went by. Local calls are no events.
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad(uint32_t rank, const char *what, const char *where)
{
    fprintf(stderr, "check_times: rank %u: %s %s\n", rank, what, where);
    return 1;
}

static int check_order(const struct sca_profile *p, uint32_t rank)
{
    const struct sca_rank *r = &p->ranks[rank];
    uint64_t now = 0;
    for (uint32_t w = 0; w < r->nwindows; w++) {
        const struct sca_window *window = &r->windows[w];
        if (!window->times)
            return bad(rank, "window without times", "");
        if (w && window->begin_ns != window[-1].end_ns)
            return bad(rank, "a window is missing", "");
        for (uint32_t e = 0; e < window->nevents; e++) {
            const struct sca_event_time *t = &window->times[e];
            if (t->enter_ns < now || t->exit_ns < t->enter_ns || t->exit_ns > window->end_ns)
                return bad(rank, "calls out of order", p->sites[window->events[e].site].function);
            if (window->events[e].gap_ns > t->enter_ns - now)
                return bad(rank, "more work than time", p->sites[window->events[e].site].function);
            now = t->exit_ns;
        }
    }
    return 0;
}

static int is_local(const char *function)
{
    return !strcmp(function, "MPI_Comm_rank") || !strcmp(function, "MPI_Comm_size");
}

static int check_sums(const struct sca_profile *p, uint32_t rank)
{
    const struct sca_rank *r = &p->ranks[rank];
    struct sca_site_total *sums = calloc(p->nsites, sizeof *sums);
    int failed = !sums;
    for (uint32_t w = 0; !failed && w < r->nwindows; w++)
        for (uint32_t e = 0; e < r->windows[w].nevents; e++) {
            struct sca_site_total *sum = &sums[r->windows[w].events[e].site];
            sum->count++;
            sum->time_ns += r->windows[w].times[e].exit_ns - r->windows[w].times[e].enter_ns;
        }
    for (uint32_t i = 0; !failed && i < r->nsites; i++) {
        const struct sca_site_total *all = &r->sites[i], *sum = &sums[all->site];
        const char *function = p->sites[all->site].function;
        if (!is_local(function) && (sum->count != all->count || sum->time_ns != all->time_ns))
            failed = bad(rank, "calls missing of", function);
    }
    free(sums);
    return failed;
}

/* What the run counted by its length, against the events. */
static int check_durations(const struct sca_profile *p, uint32_t rank)
{
    const struct sca_rank *r = &p->ranks[rank];
    for (uint32_t i = 0; i < r->ndurations; i++) {
        const struct sca_durations *d = &r->durations[i];
        uint64_t classes[SCA_DURATION_CLASSES] = {0};
        double squares = 0, mean = d->total_ns / (double)d->count;
        if (d->previous != SCA_NONE || is_local(p->sites[d->site].function))
            continue;
        for (uint32_t w = 0; w < r->nwindows; w++)
            for (uint32_t e = 0; e < r->windows[w].nevents; e++) {
                const struct sca_event_time *t = &r->windows[w].times[e];
                double apart = (double)(t->exit_ns - t->enter_ns) - mean;
                if (r->windows[w].events[e].site != d->site)
                    continue;
                classes[sca_duration_class(t->exit_ns - t->enter_ns)]++;
                squares += apart * apart;
            }
        if (!d->n || memcmp(&classes[d->first], d->classes, d->n * sizeof *classes))
            return bad(rank, "other durations of", p->sites[d->site].function);
        if (!(d->squares > squares * (1 - 1.0 / 128) - 1e3 &&
              d->squares < squares * (1 + 1.0 / 128) + 1e3))
            return bad(rank, "another deviation of", p->sites[d->site].function);
    }
    return !r->ndurations && bad(rank, "no durations", "");
}

int main(int argc, char **argv)
{
    struct sca_profile *p;
    int failed = 0;
    if (argc != 2)
        return SCA_EXIT_USAGE;
    if (sca_profile_load(argv[1], &p) < 0)
        return bad(0, sca_error_message(), "");
    for (uint32_t r = 0; r < p->nranks; r++)
        failed |=
            !p->ranks[r].nwindows || check_order(p, r) || check_sums(p, r) || check_durations(p, r);
    sca_profile_free(p);
    return failed;
}
