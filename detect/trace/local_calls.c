#include "trace/local_calls.h"
#include "trace/trace_synthesis.h"

#include <string.h>

struct reached { /* a site on the widest way found to it */
    const struct sca_part_interval *by;
    uint64_t width; /* the least count on the way; 0: not reached */
};

static void mark_recorded(struct sca_detours *detours)
{
    const struct sca_profile *p = detours->profile;
    memset(detours->left_out, 1, p->nsites * sizeof *detours->left_out);
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(detours->opened, r, SCA_OPEN_WINDOWS);
        for (uint32_t w = 0; w < rank->nwindows; w++)
            for (uint32_t e = 0;
                 sca_window_stands(&rank->windows[w]) && e < rank->windows[w].nevents; e++)
                detours->left_out[rank->windows[w].events[e].site] = false;
    }
}

static void mark_followed(struct sca_detours *detours)
{
    const struct sca_profile *p = detours->profile;
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(detours->opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (detours->left_out[rank->intervals[i].site])
                detours->leads_away[rank->intervals[i].previous] = true;
    }
}

void sca_local_calls_open(struct sca_workspace *space, const struct sca_profile *profile,
                          struct sca_detours *out)
{
    *out = (struct sca_detours){.space = space, .profile = profile};
    out->opened = sca_workspace_opened(space, profile);
    out->left_out = sca_workspace_alloc(space, profile->nsites, sizeof *out->left_out);
    out->leads_away = sca_workspace_alloc(space, profile->nsites, sizeof *out->leads_away);
    out->direct = (struct sca_local_calls_detour){.nhops = 1, .hops = &out->direct_hop};
    mark_recorded(out);
    mark_followed(out);
}

/* Every call is come to as often as it is left, but for the first, which nothing leads to. */
static uint32_t find_start(struct sca_detours *detours, const struct sca_rank *rank)
{
    int64_t *left = sca_workspace_alloc(&detours->scratch, detours->profile->nsites, sizeof *left);
    uint32_t start = SCA_NONE;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        left[rank->intervals[i].previous] += (int64_t)rank->intervals[i].count;
        left[rank->intervals[i].site] -= (int64_t)rank->intervals[i].count;
    }
    for (uint32_t s = 0; s < detours->profile->nsites; s++)
        if (left[s] > 0 && (start == SCA_NONE || left[s] > left[start]))
            start = s;
    return start;
}

const struct sca_rank *sca_local_calls_of_rank(struct sca_detours *detours, uint32_t rank)
{
    sca_workspace_free(&detours->scratch);
    detours->scratch = (struct sca_workspace){.out_of_memory = detours->space->out_of_memory};
    detours->rank = sca_rank_open(detours->opened, rank, SCA_OPEN_INTERVALS | SCA_OPEN_WINDOWS);
    detours->known = NULL;
    detours->start = find_start(detours, detours->rank);
    return detours->rank;
}

/* Widest ways from `previous` to all sites, through calls that windows leave out; what can still be
 * widened is, as in Bellman's and Ford's algorithm. */
static struct reached *reach(struct sca_detours *detours, uint32_t previous)
{
    const struct sca_rank *rank = detours->rank;
    uint32_t nsites = detours->profile->nsites;
    struct reached *at = sca_workspace_alloc(&detours->scratch, nsites, sizeof *at);
    bool better = true;
    for (uint32_t round = 0; better && round < nsites; round++) {
        better = false;
        for (uint32_t i = 0; i < rank->nintervals; i++) {
            const struct sca_part_interval *x = &rank->intervals[i];
            bool begins = x->previous == previous;
            uint64_t width = begins ? x->count : at[x->previous].width;
            if ((!begins && !detours->left_out[x->previous]) || x->site == x->previous)
                continue;
            width = width < x->count ? width : x->count;
            if (width > at[x->site].width) {
                at[x->site] = (struct reached){x, width};
                better = true;
            }
        }
    }
    return at;
}

static double mean_seconds(const struct sca_part_interval *interval)
{
    return sca_trace_synthesis_seconds(interval) / (double)(interval->count ? interval->count : 1);
}

static uint32_t count_hops(const struct reached *at, uint32_t previous, uint32_t site)
{
    uint32_t n = 0;
    for (uint32_t s = site; at[s].by && (n == 0 || s != previous); s = at[s].by->previous)
        n++;
    return n;
}

/* Nobody knows such a way, as when records were dropped: as if it were direct. */
static void make_direct(struct sca_local_calls_detour *detour)
{
    detour->nhops = 1;
    detour->hops[0] = (struct sca_hop){detour->previous, detour->site, 1};
}

static void lay_out(struct sca_detours *detours, const struct reached *at,
                    struct sca_local_calls_detour *detour)
{
    double total = 0;
    uint32_t s = detour->site, n = count_hops(at, detour->previous, detour->site);
    detour->hops = sca_workspace_alloc(&detours->scratch, n ? n : 1, sizeof *detour->hops);
    detour->nhops = n;
    for (uint32_t i = n; i-- > 0; s = at[s].by->previous) {
        detour->hops[i] = (struct sca_hop){at[s].by->previous, s, mean_seconds(at[s].by)};
        total += detour->hops[i].part;
    }
    for (uint32_t i = 0; i < n; i++)
        detour->hops[i].part = total > 0 ? detour->hops[i].part / total : i + 1 == n;
    if (!n)
        make_direct(detour);
}

const struct sca_local_calls_detour *sca_local_calls_detour(struct sca_detours *detours,
                                                            uint32_t previous, uint32_t site)
{
    struct sca_local_calls_detour *detour = detours->known;
    if (previous >= detours->profile->nsites || !detours->leads_away[previous]) {
        detours->direct.previous = previous;
        detours->direct.site = site;
        make_direct(&detours->direct);
        return &detours->direct;
    }
    while (detour && (detour->previous != previous || detour->site != site))
        detour = detour->next;
    if (detour)
        return detour;
    detour = sca_workspace_alloc(&detours->scratch, 1, sizeof *detour);
    *detour =
        (struct sca_local_calls_detour){.previous = previous, .site = site, .next = detours->known};
    lay_out(detours, reach(detours, previous), detour);
    return detours->known = detour;
}

void sca_local_calls_close(struct sca_detours *detours)
{
    sca_workspace_free(&detours->scratch);
}
