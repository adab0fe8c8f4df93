#include "trace/walker.h"
#include "trace/trace_synthesis.h"

/* Of all ranks together, for what comes round less than once: where there are very many, what leads
 * back from a step's last call to its first is left out, for it takes a second round. */
enum { SPARE_STEPS = 1000000 };

static void add_transition(struct sca_walker *w, uint32_t from, uint32_t to, uint64_t count,
                           double seconds)
{
    if (count)
        w->transitions.list[w->transitions.n++] =
            (struct sca_transition){.from = from, .to = to, .count = count, .seconds = seconds};
}

/* Another thread than the first begins at a call that it leaves more often than it comes to it, or
 * at the first known, if it ends there; those that followed each other begin anew. */
static void add_begins(struct sca_walker *w, const uint64_t *come, const uint64_t *left)
{
    uint32_t nsites = w->profile->nsites, first = SCA_NONE;
    uint64_t begins = 0;
    for (uint32_t s = nsites; s-- > 1;)
        if (sca_walker_is_of_thread(w, s) && (come[s] || left[s])) {
            uint64_t n = left[s] > come[s] ? left[s] - come[s] : 0;
            add_transition(w, 0, s, n, 0);
            add_transition(w, s, 0, come[s] > left[s] ? come[s] - left[s] : 0, 0);
            begins += n;
            first = s;
        }
    if (!begins && first != SCA_NONE)
        add_transition(w, 0, first, 1, 0);
}

/* Threads that made no more than one call each. */
static void add_single_calls(struct sca_walker *w, uint64_t *come, uint64_t *left)
{
    for (uint32_t i = 0; i < w->rank->nsites; i++) {
        const struct sca_site_total *total = &w->rank->sites[i];
        uint32_t s = total->site;
        if (!sca_walker_is_of_thread(w, s) || come[s] || left[s] ||
            w->traffic_first[s] == w->traffic_first[s + 1])
            continue;
        add_transition(w, 0, s, total->count, 0);
        add_transition(w, s, 0, total->count, 0);
    }
}

static void add_intervals(struct sca_walker *w, uint64_t *come, uint64_t *left)
{
    for (uint32_t i = 0; i < w->rank->nintervals; i++) {
        const struct sca_part_interval *x = &w->rank->intervals[i];
        if (!sca_walker_is_of_thread(w, x->site))
            continue;
        add_transition(w, x->previous, x->site, x->count, sca_trace_synthesis_seconds(x));
        come[x->site] += x->count;
        left[x->previous] += x->count;
    }
}

void sca_walker_collect_transitions(struct sca_walker *w)
{
    struct sca_transitions *transitions = &w->transitions;
    uint32_t nsites = w->profile->nsites;
    uint64_t *come = sca_workspace_alloc(w->space, nsites, sizeof *come);
    uint64_t *left = sca_workspace_alloc(w->space, nsites, sizeof *left);
    size_t most = w->rank->nintervals + (w->thread ? 2 * (size_t)nsites + 1 : 0);
    *transitions = (struct sca_transitions){
        .nsites = nsites, .list = sca_workspace_alloc(w->space, most, sizeof *transitions->list)};
    add_intervals(w, come, left);
    if (w->thread) {
        add_begins(w, come, left);
        add_single_calls(w, come, left);
    }
    sca_call_sequence_shorten(w->space, transitions, w->factor, SPARE_STEPS / w->profile->nranks);
    w->left = sca_workspace_alloc(w->space, transitions->nsites, sizeof *w->left);
    for (uint32_t i = 0; i < transitions->n; i++)
        w->left[transitions->list[i].from].quota += transitions->list[i].quota;
}
