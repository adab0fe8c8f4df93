/*
 * Small messages to one rank, one behind the other with next to no computation between: sent as
 * one, each but the first saves its latency, on both sides.
 */
#include "advice/advice.h"

enum { SMALL = 4096, APART_NS = 2000, SIDES = 2 }; /* bytes; what sending takes at least */

struct sending {           /* of a rank */
    int32_t *peer;         /* [site] the only one it sends to from there; -1: none, -2: several */
    double *count, *bytes; /* [site] */
};

static void look_at_peers(const struct sca_advice_input *in, const struct sca_rank *rank,
                          struct sending *s)
{
    for (uint32_t i = 0; i < in->run->profile->nsites; i++) {
        s->peer[i] = -1;
        s->count[i] = s->bytes[i] = 0;
    }
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *p = &rank->peers[i];
        if (p->direction != SCA_SENT || !p->count)
            continue;
        s->peer[p->site] = s->peer[p->site] == -1 || s->peer[p->site] == p->peer ? p->peer : -2;
        s->count[p->site] += (double)p->count;
        s->bytes[p->site] += (double)p->bytes;
    }
}

static bool is_small(const struct sending *s, uint32_t site)
{
    return s->peer[site] >= 0 && s->bytes[site] < SMALL * s->count[site];
}

static void add_rank(const struct sca_advice_input *in, uint32_t r, struct sending *s,
                     double *saved, double *by_rank)
{
    const struct sca_rank *rank = sca_rank_open(in->opened, r, SCA_OPEN_PEERS | SCA_OPEN_INTERVALS);
    look_at_peers(in, rank, s);
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        uint32_t vertex = in->run->site_vertex[v->site];
        if (!v->count || vertex == SCA_NONE || !is_small(s, v->previous) || !is_small(s, v->site) ||
            s->peer[v->previous] != s->peer[v->site] ||
            v->cpu_ns + v->blocked_ns > APART_NS * v->count)
            continue;
        double transfer = in->per_call[(size_t)r * in->run->profile->nsites + v->site];
        vertex = in->place[vertex];
        saved[vertex] += SIDES * transfer * (double)v->count;
        by_rank[(size_t)vertex * in->run->nranks + r] += (double)v->count;
    }
}

void sca_advice_messages(const struct sca_advice_input *in, struct sca_advices *out)
{
    uint32_t n = in->c->ppg->nvertices, nsites = in->run->profile->nsites;
    struct sca_workspace *space = in->c->space;
    struct sending s = {sca_workspace_alloc(space, nsites, sizeof *s.peer),
                        sca_workspace_alloc(space, nsites, sizeof *s.count),
                        sca_workspace_alloc(space, nsites, sizeof *s.bytes)};
    double *saved = sca_workspace_alloc(space, n, sizeof *saved);
    double *by_rank = sca_workspace_alloc(space, (size_t)n * in->run->nranks, sizeof *by_rank);
    for (uint32_t r = 0; r < in->run->nranks; r++)
        add_rank(in, r, &s, saved, by_rank);
    for (uint32_t v = 0; v < n; v++) {
        const double *counts = &by_rank[(size_t)v * in->run->nranks];
        double messages = 0;
        for (uint32_t r = 0; r < in->run->nranks; r++)
            messages += counts[r];
        const struct sca_advice advice = {
            .kind = SCA_ADVICE_SMALL_MESSAGES,
            .vertex = v,
            .gain = saved[v],
            .text = saved[v] < in->least
                        ? ""
                        : sca_advice_text(in,
                                          "%s sends %.0f small messages right behind another one "
                                          "to the same rank. Send what belongs together as one.",
                                          sca_advice_place(in, v), messages)};
        sca_advice_add(in, out, &advice, counts);
    }
}
