#include "activity/rank_summary.h"
#include "sca_error.h"

#include <string.h>

void sca_rank_summary_begin(struct sca_workspace *space, uint32_t nranks,
                            struct sca_rank_summary *out)
{
    *out = (struct sca_rank_summary){.space = space,
                                     .nranks = nranks,
                                     .graphs = {.space = space},
                                     .calls = {.space = space},
                                     .distances = {.space = space}};
    out->graph = sca_workspace_alloc(space, nranks, sizeof *out->graph);
    memset(out->graph, 0xff, nranks * sizeof *out->graph);
    out->peers = sca_workspace_alloc(space, nranks, sizeof *out->peers);
    out->own_s = sca_workspace_alloc(space, nranks, sizeof *out->own_s);
    out->own_ns = sca_workspace_alloc(space, nranks, sizeof *out->own_ns);
    out->times = sca_workspace_alloc(space, nranks, sizeof *out->times);
}

static uint32_t *take_words(struct sca_rank_summary *s, size_t n)
{
    if (n > s->room) {
        s->room = (uint32_t)(2 * n);
        s->words = sca_workspace_alloc(s->space, s->room, sizeof *s->words);
    }
    return s->words;
}

/* ---- graphs ---- */

/* Number of sites, these, pairs of intervals. */
static uint32_t graph_of(struct sca_rank_summary *s, const struct sca_rank *rank)
{
    uint32_t *words = take_words(s, 1 + (size_t)rank->nsites + 2 * (size_t)rank->nintervals), n = 1;
    for (uint32_t i = 0; i < rank->nsites; i++)
        if (rank->sites[i].count)
            words[n++] = rank->sites[i].site;
    words[0] = n - 1;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].count) {
            words[n++] = rank->intervals[i].previous;
            words[n++] = rank->intervals[i].site;
        }
    return sca_word_lists_add(&s->graphs, words, n);
}

struct sca_graph_words sca_rank_summary_graph(const struct sca_rank_summary *summary,
                                              uint32_t graph)
{
    const struct sca_word_list *list = &summary->graphs.of[graph];
    uint32_t nsites = list->words[0];
    return (struct sca_graph_words){.nsites = nsites,
                                    .nintervals = (list->n - 1 - nsites) / 2,
                                    .sites = list->words + 1,
                                    .intervals = (const void *)(list->words + 1 + nsites)};
}

/* ---- peers ---- */

static uint32_t distance_to(const struct sca_rank_summary *s, uint32_t number, int32_t peer)
{
    if (peer < 0)
        return peer == -1 ? SCA_PEER_UNKNOWN : SCA_PEER_FOREIGN;
    return (uint32_t)(((uint64_t)(uint32_t)peer + s->nranks - number) % s->nranks);
}

static uint32_t peers_of(struct sca_rank_summary *s, uint32_t number, const struct sca_rank *rank)
{
    uint32_t *calls = take_words(s, 1 + 2 * (size_t)rank->npeers), n = 0;
    uint32_t *distances = calls + rank->npeers;
    for (uint32_t i = 0; i < rank->npeers; i++) {
        const struct sca_part_peer *p = &rank->peers[i];
        if (!p->count)
            continue;
        calls[n] = 2 * p->site + (p->direction != 0);
        distances[++n] = distance_to(s, number, p->peer);
    }
    distances[0] = sca_word_lists_add(&s->calls, calls, n);
    return sca_word_lists_add(&s->distances, distances, n + 1);
}

/* ---- times ---- */

static double own_ns(const struct sca_part_interval *v)
{
    return (double)(v->cpu_ns + v->blocked_ns);
}

static bool are_narrow(const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if ((double)(float)own_ns(&rank->intervals[i]) != own_ns(&rank->intervals[i]))
            return false;
    return true;
}

static struct sca_own_times times_of(struct sca_workspace *space, const struct sca_rank *rank,
                                     uint32_t n)
{
    bool narrow = are_narrow(rank);
    float *small = narrow ? sca_workspace_alloc(space, n, sizeof *small) : NULL;
    double *large = narrow ? NULL : sca_workspace_alloc(space, n, sizeof *large);
    for (uint32_t i = 0, k = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        if (!v->count)
            continue;
        if (narrow)
            small[k++] = (float)own_ns(v);
        else
            large[k++] = own_ns(v);
    }
    return (struct sca_own_times){small, large};
}

/* ---- ranks ---- */

void sca_rank_summary_add(struct sca_rank_summary *s, uint32_t number, const struct sca_rank *rank)
{
    s->graph[number] = graph_of(s, rank);
    s->peers[number] = peers_of(s, number, rank);
    s->times[number] =
        times_of(s->space, rank, sca_rank_summary_graph(s, s->graph[number]).nintervals);
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        s->own_s[number] += 1e-9 * own_ns(&rank->intervals[i]);
        s->own_ns[number] += own_ns(&rank->intervals[i]);
    }
}

const struct sca_rank_summary *sca_rank_summary_of(struct sca_workspace *space,
                                                   const struct sca_task_source *source)
{
    if (source->summary)
        return source->summary;
    struct sca_rank_summary *s = sca_workspace_alloc(space, 1, sizeof *s);
    sca_rank_summary_begin(space, source->run->nranks, s);
    for (uint32_t r = 0; r < s->nranks; r++) {
        const struct sca_rank *rank =
            sca_rank_open(source->opened, r, SCA_OPEN_SITES | SCA_OPEN_INTERVALS | SCA_OPEN_PEERS);
        if (rank->present)
            sca_rank_summary_add(s, r, rank);
    }
    return s;
}

/* ---- while ranks are loaded ---- */

static int take(void *of, const struct sca_profile *so_far, uint32_t number,
                const struct sca_rank *rank)
{
    struct sca_rank_summary *s = of;
    jmp_buf out_of_memory, *before = s->space->out_of_memory;
    s->space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory)) {
        ((struct sca_rank_summary *)of)->space->out_of_memory = NULL;
        return sca_fail(SCA_ENOMEM, "out of memory for what %u ranks do", so_far->nranks);
    }
    if (!s->graph)
        sca_rank_summary_begin(s->space, so_far->nranks, s);
    sca_rank_summary_add(s, number, rank);
    s->space->out_of_memory = before;
    return SCA_OK;
}

struct sca_rank_taker sca_rank_summary_taker(struct sca_workspace *space,
                                             struct sca_rank_summary *summary)
{
    *summary = (struct sca_rank_summary){.space = space};
    return (struct sca_rank_taker){take, summary};
}
