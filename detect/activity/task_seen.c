#include "activity/task_seen.h"

double sca_task_seen_weight(const struct sca_rank *rank, const struct sca_window *w)
{
    uint32_t alike = 0;
    for (uint32_t i = 0; i < rank->nwindows; i++)
        alike += sca_window_stands(&rank->windows[i]) &&
                 rank->windows[i].duration_class == w->duration_class;
    return !w->times && w->class_total > alike ? (double)w->class_total / alike : 1;
}

static bool is_timed(const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nwindows; i++)
        if (rank->windows[i].times)
            return true;
    return false;
}

/* Windows have no local calls. Where such calls follow, the time to the next recorded one is of
 * several computations. */
static bool *find_followed_by_local(const struct sca_task_graph *g)
{
    bool *followed = sca_workspace_alloc(g->space, g->nnodes, sizeof *followed);
    for (uint32_t i = 0; i < g->nedges; i++)
        if (g->edges[i].kind == SCA_TASK_COMPUTES &&
            g->nodes[g->edges[i].to].kind == SCA_TASK_LOCAL)
            followed[g->edges[i].from] = true;
    return followed;
}

static void add_to(struct sca_task_times *times, uint32_t number, double seconds, double weight)
{
    if (times->measured != number + 1)
        sca_task_sample_add(&times->sample, seconds, weight);
}

/* The first event's interval began in an earlier window, at a call that is not there. */
static void add_computation(struct sca_task_graph *g, const struct sca_window *w, uint32_t number,
                            double weight, const bool *followed_by_local)
{
    for (uint32_t e = 1; e < w->nevents; e++) {
        uint32_t from = sca_task_graph_call(g, w->events[e - 1].site),
                 to = sca_task_graph_call(g, w->events[e].site);
        struct sca_task_edge *edge = from != SCA_NONE && to != SCA_NONE && !followed_by_local[from]
                                         ? sca_task_graph_find(g, SCA_TASK_COMPUTES, from, to)
                                         : NULL;
        if (edge)
            add_to(&edge->times, number, 1e-9 * (double)w->events[e].gap_ns, weight);
    }
}

static void add_call(struct sca_task_graph *g, uint32_t number, uint32_t site, uint64_t enter_ns,
                     uint64_t exit_ns)
{
    uint32_t node = sca_task_graph_call(g, site);
    if (node != SCA_NONE && exit_ns >= enter_ns)
        add_to(&g->nodes[node].times, number, 1e-9 * (double)(exit_ns - enter_ns), 1);
}

/* Kept messages are any of all, so that the calls they belong to are. A call that completes
 * several is not: it comes with more of them. */
static bool is_of_one_message(const struct sca_rank *rank, const struct sca_part_message *m)
{
    for (uint32_t i = 0; i < rank->nmessages; i++) {
        const struct sca_part_message *other = &rank->messages[i];
        if (other < m && other->site == m->site && other->enter_ns == m->enter_ns)
            return false;
    }
    return true;
}

static void add_kept(struct sca_task_graph *g, const struct sca_rank *rank, uint32_t number)
{
    for (uint32_t i = 0; i < rank->nmessages; i++) {
        const struct sca_part_message *m = &rank->messages[i];
        if (is_of_one_message(rank, m))
            add_call(g, number, m->site, m->enter_ns, m->exit_ns);
    }
}

void sca_task_seen_add(struct sca_task_graph *g, const struct sca_rank *rank, uint32_t number)
{
    bool timed = is_timed(rank), *followed = find_followed_by_local(g);
    for (uint32_t i = 0; i < rank->nwindows; i++) {
        const struct sca_window *w = &rank->windows[i];
        if (!sca_window_stands(w))
            continue;
        add_computation(g, w, number, sca_task_seen_weight(rank, w), followed);
        for (uint32_t e = 0; w->times && e < w->nevents; e++)
            add_call(g, number, w->events[e].site, w->times[e].enter_ns, w->times[e].exit_ns);
    }
    if (!timed)
        add_kept(g, rank, number);
}
