#include "trace/window_rest.h"
#include "base/degrees.h"
#include "trace/trace_synthesis.h"

#include <string.h>

void sca_window_rest_open(struct sca_workspace *space, const struct sca_profile *profile,
                          const struct sca_intervals *intervals, uint32_t nwindows,
                          struct sca_window_rest *out)
{
    uint32_t nsites = profile->nsites;
    *out = (struct sca_window_rest){
        .space = space,
        .intervals = intervals,
        .nsites = nsites,
        .nwindows = nwindows,
        .shown = sca_workspace_alloc(space, intervals->n, sizeof *out->shown),
        .led_to = sca_workspace_alloc(space, nsites, sizeof *out->led_to),
        .calls = sca_workspace_alloc(space, nsites, sizeof *out->calls),
        .ranks = sca_workspace_alloc(space, (size_t)nwindows * nsites, sizeof *out->ranks),
        .sites = sca_workspace_alloc(space, nsites, sizeof *out->sites)};
}

void sca_window_rest_show(struct sca_window_rest *rest, uint32_t window, const struct sca_hop *hop)
{
    uint32_t number = sca_intervals_number(rest->intervals, hop->previous, hop->site);
    if (number != SCA_NONE)
        rest->shown[number] = true;
    rest->ranks[(size_t)window * rest->nsites + hop->site] += !rest->led_to[hop->site];
    rest->led_to[hop->site] = rest->sites[hop->site] = true;
}

void sca_window_rest_end_window(struct sca_window_rest *rest)
{
    memset(rest->led_to, 0, rest->nsites * sizeof *rest->led_to);
}

static void add_item(struct sca_window_rest *rest, struct sca_unshown item)
{
    if (rest->nitems == rest->capacity) {
        uint32_t more = 2 * rest->capacity + 64;
        rest->items =
            sca_workspace_grow(rest->space, rest->items, rest->nitems, more, sizeof *rest->items);
        rest->capacity = more;
    }
    rest->items[rest->nitems++] = item;
}

static void count_calls(struct sca_window_rest *rest, const struct sca_rank *of)
{
    memset(rest->calls, 0, rest->nsites * sizeof *rest->calls);
    for (uint32_t i = 0; i < of->nintervals; i++)
        rest->calls[of->intervals[i].site] += (double)of->intervals[i].count;
}

/* What chance makes of a run is left where it is: it tells nothing. */
static bool is_unshown(const struct sca_window_rest *rest, const struct sca_part_interval *x)
{
    uint32_t number = sca_intervals_number(rest->intervals, x->previous, x->site);
    const struct sca_site *sites = rest->intervals->sites;
    return !(sites && sites[x->site].thread) && number != SCA_NONE && !rest->shown[number] &&
           (double)x->count <= SCA_RELEVANT * rest->calls[x->site] &&
           sca_trace_synthesis_seconds(x) >= SCA_BY_CHANCE;
}

void sca_window_rest_end_rank(struct sca_window_rest *rest, const struct sca_rank *of,
                              uint32_t rank)
{
    count_calls(rest, of);
    for (uint32_t i = 0; i < of->nintervals; i++) {
        const struct sca_part_interval *x = &of->intervals[i];
        if (is_unshown(rest, x))
            add_item(rest, (struct sca_unshown){rank, x->previous, x->site,
                                                sca_trace_synthesis_seconds(x)});
    }
    memset(rest->shown, 0, rest->intervals->n * sizeof *rest->shown);
}

double sca_window_rest_seconds(const struct sca_window_rest *rest, bool led_to)
{
    double seconds = 0;
    for (uint32_t i = 0; i < rest->nitems; i++)
        seconds += rest->sites[rest->items[i].site] == led_to ? rest->items[i].seconds : 0;
    return seconds;
}

/* SCA_NONE: no window comes to the call. */
static uint32_t window_with(const struct sca_window_rest *rest, const double *weight, uint32_t site)
{
    uint32_t best = SCA_NONE, most = 0;
    for (uint32_t w = 0; w < rest->nwindows; w++) {
        uint32_t n = weight[w] > 0 ? rest->ranks[(size_t)w * rest->nsites + site] : 0;
        if (n > most || (n && n == most && weight[w] < weight[best])) {
            best = w;
            most = n;
        }
    }
    return best;
}

/* The first event that ends at the call; the number of events if there is none. */
static uint32_t first_at(const struct sca_event_sequence *sequence, uint32_t site)
{
    uint32_t e = 0;
    while (e < sequence->nevents && sequence->sites[e + 1] != site)
        e++;
    return e;
}

/* It is played as it is. */
static void insert_shown(struct sca_workspace *space, struct sca_event_sequence *sequence,
                         uint32_t at, double seconds)
{
    uint32_t n = sequence->nevents;
    float *shown = sca_workspace_grow(space, sequence->shown, n, n + (size_t)2, sizeof *shown);
    memmove(shown + at + 3, shown + at + 1, (n - at - 1) * sizeof *shown);
    shown[at + 1] = 0;
    shown[at + 2] = (float)seconds;
    sequence->shown = shown;
}

/* The event splits in two: its own work leads to the call, where nothing takes place; then comes
 * the work from the other call, and the call itself. Between the two no time passes. */
static void insert(struct sca_workspace *space, struct sca_event_sequence *sequence, uint32_t at,
                   uint32_t previous, double seconds, uint32_t *sites)
{
    uint32_t n = sequence->nevents;
    double *interval =
        sca_workspace_grow(space, sequence->interval, n, n + (size_t)2, sizeof *interval);
    memmove(interval + at + 3, interval + at + 1, (n - at - 1) * sizeof *interval);
    interval[at + 1] = 0;
    interval[at + 2] = seconds;
    if (sequence->shown)
        insert_shown(space, sequence, at, seconds);
    memcpy(sites, sequence->sites, (at + (size_t)2) * sizeof *sites);
    sites[at + 2] = previous;
    memcpy(sites + at + 3, sequence->sites + at + 1, (n - at) * sizeof *sites);
    for (uint32_t i = 0; i < sequence->nops; i++)
        sequence->ops[i].event += sequence->ops[i].event >= at ? 2 : 0;
    sequence->interval = interval;
    sequence->nevents = n + 2;
}

static void put(struct sca_workspace *space, struct sca_trace *trace,
                const struct sca_unshown *item)
{
    struct sca_event_sequence *sequence = &trace->sequences[item->rank];
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    uint32_t at = first_at(sequence, item->site);
    if (at == sequence->nevents)
        return;
    uint32_t *sites = sca_workspace_alloc(&scratch, sequence->nevents + (size_t)3, sizeof *sites);
    insert(space, sequence, at, item->previous, item->seconds / trace->weight, sites);
    sequence->sites =
        sca_replay_trace_sites(space, trace->sequences, item->rank, sites, sequence->nevents);
    sca_workspace_free(&scratch);
}

void sca_window_rest_put(const struct sca_window_rest *rest, struct sca_workspace *space,
                         const double *weight, uint32_t window, struct sca_trace *trace)
{
    for (uint32_t i = 0; i < rest->nitems; i++)
        if (window_with(rest, weight, rest->items[i].site) == window)
            put(space, trace, &rest->items[i]);
}
