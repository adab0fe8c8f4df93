/* A rank's totals as part of a task activity graph. */
#include "activity/task_graph.h"
#include "activity/task_requests.h"
#include "activity/task_seen.h"

#include <math.h>

static void add_sites(struct sca_task_graph *g, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsites; i++) {
        const struct sca_site_total *s = &rank->sites[i];
        uint32_t node = s->count && s->site ? sca_task_graph_call(g, s->site) : SCA_NONE;
        if (node == SCA_NONE)
            continue;
        struct sca_task_node *n = &g->nodes[node];
        n->times.count += (double)s->count;
        n->times.seconds += 1e-9 * (double)s->time_ns;
        n->bytes += (double)s->bytes;
    }
}

static void add_intervals(struct sca_task_graph *g, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        uint32_t from = sca_task_graph_call(g, v->previous), to = sca_task_graph_call(g, v->site);
        if (!v->count || !v->site || from == SCA_NONE || to == SCA_NONE)
            continue;
        struct sca_task_edge *e = sca_task_graph_edge(g, SCA_TASK_COMPUTES, from, to);
        e->times.count += (double)v->count;
        e->times.seconds += 1e-9 * (double)(v->cpu_ns + v->blocked_ns);
    }
}

/* What begins or ends a phase is passed as often as steps lead to it. */
static void add_steps(struct sca_task_graph *g, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (s->in_mpi != SCA_SAMPLE_STEP)
            continue;
        uint32_t from = sca_task_graph_call(g, s->previous), to = sca_task_graph_call(g, s->next);
        if (from == SCA_NONE || to == SCA_NONE)
            continue;
        if (g->nodes[to].kind == SCA_TASK_BEGINS || g->nodes[to].kind == SCA_TASK_ENDS)
            g->nodes[to].times.count += (double)s->count;
        struct sca_task_edge *e = sca_task_graph_edge(g, SCA_TASK_STEPS, from, to);
        e->times.count += (double)s->count;
        e->times.seconds += 1e-9 * (double)s->length_ns;
    }
}

/* Samples outside MPI know between which calls they were taken. */
static void add_counters(struct sca_task_graph *g, const struct sca_rank *rank)
{
    for (uint32_t i = 0; g->run->profile->nmetrics && i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        uint32_t to = s->next && s->in_mpi == SCA_SAMPLE_COMPUTES ? sca_task_graph_call(g, s->next)
                                                                  : SCA_NONE;
        uint32_t from = to == SCA_NONE ? SCA_NONE : sca_task_graph_call(g, s->previous);
        struct sca_task_edge *e =
            from == SCA_NONE ? NULL : sca_task_graph_find(g, SCA_TASK_COMPUTES, from, to);
        for (uint32_t k = 0; e && k < g->run->profile->nmetrics; k++)
            e->counters[k] += (double)s->metric[k];
    }
}

/* fmin() and fmax() take what is known. */
static void widen(struct sca_task_times *times, uint64_t shortest_ns, uint64_t longest_ns)
{
    times->shortest = fmin(times->shortest, 1e-9 * (double)shortest_ns);
    times->longest = fmax(times->longest, 1e-9 * (double)longest_ns);
}

static void add_extremes(struct sca_task_graph *g, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsites; i++) {
        const struct sca_site_total *s = &rank->sites[i];
        uint32_t node = s->count && s->site ? sca_task_graph_call(g, s->site) : SCA_NONE;
        if (node != SCA_NONE)
            widen(&g->nodes[node].times, s->min_ns, s->max_ns);
    }
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *v = &rank->intervals[i];
        uint32_t from = sca_task_graph_call(g, v->previous), to = sca_task_graph_call(g, v->site);
        struct sca_task_edge *e = v->count && from != SCA_NONE && to != SCA_NONE
                                      ? sca_task_graph_find(g, SCA_TASK_COMPUTES, from, to)
                                      : NULL;
        if (e)
            widen(&e->times, v->min_ns, v->max_ns);
    }
}

/* What the run counted by its length. Two contexts of a rank that became one have both. */
static void add_all(struct sca_task_times *times, const struct sca_durations *all, uint32_t number)
{
    sca_task_sample_add_all(&times->sample, all);
    times->measured = number + 1;
}

static void add_durations(struct sca_task_graph *g, const struct sca_rank *rank, uint32_t number)
{
    for (uint32_t i = 0; i < rank->ndurations; i++) {
        const struct sca_durations *d = &rank->durations[i];
        uint32_t to = d->site ? sca_task_graph_call(g, d->site) : SCA_NONE;
        uint32_t from = d->previous == SCA_NONE ? SCA_NONE : sca_task_graph_call(g, d->previous);
        struct sca_task_edge *e = to == SCA_NONE || from == SCA_NONE
                                      ? NULL
                                      : sca_task_graph_find(g, SCA_TASK_COMPUTES, from, to);
        if (to != SCA_NONE && d->previous == SCA_NONE)
            add_all(&g->nodes[to].times, d, number);
        else if (e)
            add_all(&e->times, d, number);
    }
}

void sca_task_graph_add(struct sca_task_graph *g, const struct sca_task_source *source,
                        uint32_t number)
{
    const struct sca_rank *rank = sca_rank_open(source->opened, number, SCA_OPEN_ALL);
    if (!rank->present)
        return;
    g->nranks++;
    g->seconds += 1e-9 * (double)rank->wall_ns;
    add_sites(g, rank);
    add_intervals(g, rank);
    add_steps(g, rank);
    add_counters(g, rank);
    if (source->whole && source->whole->ranks[number].present) {
        add_extremes(g, &source->whole->ranks[number]);
        add_durations(g, &source->whole->ranks[number], number);
    }
    sca_task_seen_add(g, rank, number);
    sca_task_requests_add(g, rank);
}
