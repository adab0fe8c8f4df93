#include "trace/local_calls.h"
#include "trace/trace_synthesis.h"

#include <string.h>

struct reached { /* a site on the widest way found to it */
    const struct sca_part_interval *by;
    uint64_t width; /* the least count on the way; 0: not reached */
};

static void mark_recorded(struct sca_routes *routes)
{
    const struct sca_profile *p = routes->profile;
    memset(routes->left_out, 1, p->nsites * sizeof *routes->left_out);
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(routes->opened, r, SCA_OPEN_WINDOWS);
        for (uint32_t w = 0; w < rank->nwindows; w++)
            for (uint32_t e = 0; e < rank->windows[w].nevents; e++)
                routes->left_out[rank->windows[w].events[e].site] = false;
    }
}

static void mark_followed(struct sca_routes *routes)
{
    const struct sca_profile *p = routes->profile;
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(routes->opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++)
            if (routes->left_out[rank->intervals[i].site])
                routes->leads_away[rank->intervals[i].previous] = true;
    }
}

void sca_routes_open(struct sca_room *room, const struct sca_profile *profile,
                     struct sca_routes *out)
{
    *out = (struct sca_routes){.room = room, .profile = profile};
    out->opened = sca_room_opened(room, profile);
    out->left_out = sca_room_alloc(room, profile->nsites, sizeof *out->left_out);
    out->leads_away = sca_room_alloc(room, profile->nsites, sizeof *out->leads_away);
    out->direct = (struct sca_route){.nlegs = 1, .legs = &out->direct_leg};
    mark_recorded(out);
    mark_followed(out);
}

/* Every call is come to as often as it is left, but for the first, which nothing leads to. */
static uint32_t find_start(struct sca_routes *routes, const struct sca_rank *rank)
{
    int64_t *left = sca_room_alloc(&routes->scratch, routes->profile->nsites, sizeof *left);
    uint32_t start = SCA_NONE;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        left[rank->intervals[i].previous] += (int64_t)rank->intervals[i].count;
        left[rank->intervals[i].site] -= (int64_t)rank->intervals[i].count;
    }
    for (uint32_t s = 0; s < routes->profile->nsites; s++)
        if (left[s] > 0 && (start == SCA_NONE || left[s] > left[start]))
            start = s;
    return start;
}

const struct sca_rank *sca_routes_of_rank(struct sca_routes *routes, uint32_t rank)
{
    sca_room_free(&routes->scratch);
    routes->scratch = (struct sca_room){.out_of_memory = routes->room->out_of_memory};
    routes->rank = sca_rank_open(routes->opened, rank, SCA_OPEN_INTERVALS | SCA_OPEN_WINDOWS);
    routes->known = NULL;
    routes->start = find_start(routes, routes->rank);
    return routes->rank;
}

/* Widest ways from `previous` to all sites, through calls that windows leave out; what can still be
 * widened is, as in Bellman's and Ford's algorithm. */
static struct reached *reach(struct sca_routes *routes, uint32_t previous)
{
    const struct sca_rank *rank = routes->rank;
    uint32_t nsites = routes->profile->nsites;
    struct reached *at = sca_room_alloc(&routes->scratch, nsites, sizeof *at);
    bool better = true;
    for (uint32_t round = 0; better && round < nsites; round++) {
        better = false;
        for (uint32_t i = 0; i < rank->nintervals; i++) {
            const struct sca_part_interval *x = &rank->intervals[i];
            bool begins = x->previous == previous;
            uint64_t width = begins ? x->count : at[x->previous].width;
            if ((!begins && !routes->left_out[x->previous]) || x->site == x->previous)
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
    return sca_interval_seconds(interval) / (double)(interval->count ? interval->count : 1);
}

static uint32_t count_legs(const struct reached *at, uint32_t previous, uint32_t site)
{
    uint32_t n = 0;
    for (uint32_t s = site; at[s].by && (n == 0 || s != previous); s = at[s].by->previous)
        n++;
    return n;
}

/* Nobody knows such a way, as when records were dropped: as if it were direct. */
static void make_direct(struct sca_route *route)
{
    route->nlegs = 1;
    route->legs[0] = (struct sca_leg){route->previous, route->site, 1};
}

static void lay_out(struct sca_routes *routes, const struct reached *at, struct sca_route *route)
{
    double total = 0;
    uint32_t s = route->site, n = count_legs(at, route->previous, route->site);
    route->legs = sca_room_alloc(&routes->scratch, n ? n : 1, sizeof *route->legs);
    route->nlegs = n;
    for (uint32_t i = n; i-- > 0; s = at[s].by->previous) {
        route->legs[i] = (struct sca_leg){at[s].by->previous, s, mean_seconds(at[s].by)};
        total += route->legs[i].part;
    }
    for (uint32_t i = 0; i < n; i++)
        route->legs[i].part = total > 0 ? route->legs[i].part / total : i + 1 == n;
    if (!n)
        make_direct(route);
}

const struct sca_route *sca_route(struct sca_routes *routes, uint32_t previous, uint32_t site)
{
    struct sca_route *route = routes->known;
    if (previous >= routes->profile->nsites || !routes->leads_away[previous]) {
        routes->direct.previous = previous;
        routes->direct.site = site;
        make_direct(&routes->direct);
        return &routes->direct;
    }
    while (route && (route->previous != previous || route->site != site))
        route = route->next;
    if (route)
        return route;
    route = sca_room_alloc(&routes->scratch, 1, sizeof *route);
    *route = (struct sca_route){.previous = previous, .site = site, .next = routes->known};
    lay_out(routes, reach(routes, previous), route);
    return routes->known = route;
}

void sca_routes_close(struct sca_routes *routes)
{
    sca_room_free(&routes->scratch);
}
