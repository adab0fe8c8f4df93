#include "imbalance/rotating.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "graph/same_place.h"
#include "imbalance/excess_by_length.h"
#include "imbalance/instance_place.h"
#include "imbalance/rotating_belief.h"
#include "imbalance/rotating_known.h"
#include "imbalance/rotating_ranks.h"
#include "imbalance/window_levels.h"
#include "stats/over_ranks.h"

#include <math.h>

static double excess_of(const struct sca_rotating_search *s)
{
    return sca_over_ranks_sum(s->of.excess, s->m->nranks);
}

static void look_at(struct sca_rotating_search *s, uint32_t previous, uint32_t site)
{
    sca_long_instances_count(&s->of, previous, site, s->limit, s->late);
}

/* What lies between two calls as look_at() found it. */
static struct sca_rotating_interval rotating_at(const struct sca_rotating_search *s,
                                                uint32_t previous, uint32_t site)
{
    /* more are not to be told from the usual; and what the others have hardly any of, then, is done
       in turn: at the same time each would have its part */
    bool many = s->of.sum.long_members > SCA_QUARTER * s->of.sum.members ||
                s->of.sum.seconds >= SCA_CLEARLY * s->of.sum.median;
    return (struct sca_rotating_interval){
        previous, site, !s->late && (many || s->of.sum.saved_smoothed > s->of.sum.saved_equalised),
        s->limit, s->late};
}

/* Of what is not the program's, or does not rotate. */
static enum sca_outcome_kind why_not(const struct sca_rotating_search *s,
                                     const struct sca_finding *c, uint32_t interval)
{
    if (s->shared)
        return SCA_OUTCOME_SCATTER;
    if (sca_rotating_belief_is_scheduling(s, interval, c->excess))
        return SCA_OUTCOME_SCHEDULING;
    if (c->vertex == 0)
        return SCA_OUTCOME_NO_PLACE;
    return s->of.sum.long_rows < SCA_HALF * s->of.sum.rows ? SCA_OUTCOME_SELDOM
                                                           : SCA_OUTCOME_SAME_RANKS;
}

/* Where samples do not tell, what is around it of a nest of loops, if only that has all of the
 * seconds. */
static uint32_t nest_of(const struct sca_rotating_search *s, uint32_t interval, uint32_t vertex)
{
    double *weight = sca_workspace_alloc(s->space, s->m->ppg->nvertices, sizeof *weight);
    for (uint32_t v = vertex; v; v = s->m->ppg->vertices[v].parent)
        weight[v] = sca_instance_place_seconds(s->m, s->ends, interval, v);
    return sca_named_place_whole(s->m->ppg, s->ends, weight, vertex);
}

/* Its place; false if it has none, or does not rotate. */
static bool find_place(const struct sca_rotating_search *s, struct sca_call_pair pair,
                       struct sca_finding *c, struct sca_instance_place *place)
{
    uint32_t interval = pair.interval;
    *place = sca_instance_place_find(s->space, s->m, s->ends, pair, c->excess,
                                     sca_excess_by_length(&s->of, pair.previous, pair.site));
    c->vertex = place->vertex == SCA_NONE ? 0 : place->vertex;
    if (sca_rotating_belief_is_scheduling(s, interval, c->excess) || c->vertex == 0 ||
        !sca_rotating_belief_moves(s) || !sca_rotating_belief_is_the_programs(s, place->alone))
        return false;
    c->vertex = place->told ? sca_named_place_of(s->m->ppg, s->ends, c->vertex)
                            : nest_of(s, interval, c->vertex);
    return true;
}

/* How much longer a long instance is: of the place, less what the rest of the interval takes; of
 * one that runs only then, of the interval. */
static double ratio_of(const struct sca_rotating_search *s, uint32_t interval,
                       const struct sca_finding *c, bool alone)
{
    double instances = s->of.sum.rows * s->m->nranks;
    double usual = sca_instance_place_seconds(s->m, s->ends, interval, c->vertex) - c->excess;
    if (!alone && usual > 0 && instances > 0)
        return 1 + c->excess / (usual / instances * s->of.sum.long_members);
    return s->of.sum.median > 0 ? s->of.sum.seconds / s->of.sum.median : 0;
}

/* Of ranks that are late by turns the whole run tells better than windows where, not which. */
static void refine(struct sca_rotating_search *s, const struct sca_finding *known,
                   const struct sca_finding *c, struct sca_ledger *out)
{
    struct sca_finding draft = *known;
    draft.transform = c->transform;
    draft.ratio = c->ratio;
    draft.excess = c->excess;
    if (s->late) {
        draft.nranks = c->nranks;
        draft.ranks = c->ranks;
    }
    for (uint32_t i = 0; i < c->evidence.count; i++)
        sca_finding_add_evidence(s->space, &draft, c->evidence.items[i]);
    sca_ledger_refine(out, known, &draft);
}

/* A place around calls is told by the two that it lies between. */
static void set_interval(const struct sca_rotating_search *s, const struct sca_rotating_interval *w,
                         struct sca_finding *c)
{
    const uint32_t *vertices = s->m->run->site_vertex;
    if (!sca_named_place_calls_mpi(s->m->ppg, s->ends, c->vertex) || vertices[w->site] == SCA_NONE)
        return;
    c->interval.part = SCA_SHOWN_IN_INTERVAL;
    c->interval.after = vertices[w->previous];
    c->interval.before = vertices[w->site];
}

/* `c` rotates: as another finding has it, which says it all of windows on its ranks, or new. */
static void append(struct sca_rotating_search *s, const struct sca_finding *c,
                   struct sca_ledger *out)
{
    const struct sca_finding *known = sca_rotating_known_by(s, &out->open, c);
    if (known &&
        (sca_finding_rotates(known) || (s->late && sca_rotating_known_explains(s, known, c))))
        sca_ledger_append_closed(
            out, c, (struct sca_outcome){.kind = SCA_OUTCOME_EXPLAINED, .of = known->number});
    else if (known)
        refine(s, known, c, out);
    else
        sca_ledger_append(out, c);
}

/* False: it is not believed. */
static bool add_interval(struct sca_rotating_search *s, const struct sca_rotating_interval *w,
                         struct sca_ledger *out)
{
    struct sca_finding c = {.excess = excess_of(s)};
    uint32_t interval = sca_rotating_search_interval(s, w);
    struct sca_instance_place place;
    bool is = find_place(s, (struct sca_call_pair){w->previous, w->site, interval}, &c, &place) &&
              sca_rotating_belief_has(s, place.told, &c);
    sca_finding_add_evidence(
        s->space, &c,
        (struct sca_evidence){SCA_EVIDENCE_ROTATES, 0, s->of.sum.long_rows, s->of.sum.rows});
    if (s->late)
        sca_finding_add_evidence(s->space, &c,
                                 (struct sca_evidence){SCA_EVIDENCE_BY_WINDOWS, 0,
                                                       s->of.sum.seconds / s->of.sum.median,
                                                       s->of.sum.loss});
    c.transform.rotating = sca_workspace_grow(s->space, w, 1, 1, sizeof *w);
    c.transform.nrotating = 1;
    c.ratio = ratio_of(s, interval, &c, place.alone);
    sca_rotating_ranks_name(s, place.alone, &c);
    c.nvertices = sca_same_place(s->space, s->m->ppg, c.vertex, &c.vertices);
    set_interval(s, w, &c);
    if (is)
        append(s, &c, out);
    else
        sca_ledger_append_closed(out, &c, (struct sca_outcome){.kind = why_not(s, &c, interval)});
    return is;
}

/* The intervals that could cost so many core-seconds: were each instance on one rank at a time, all
 * ranks would wait for the seconds of all. */
static uint32_t list_intervals(struct sca_rotating_search *s, double least,
                               struct sca_rotating_interval **out)
{
    const struct sca_interval_matrix *in = &s->m->matrix;
    double *seconds = sca_workspace_alloc(s->space, in->n, sizeof *seconds);
    uint32_t n = 0;
    *out = sca_workspace_alloc(s->space, in->n, sizeof **out);
    for (uint32_t r = 0; r < s->m->nranks; r++) {
        struct sca_interval_matrix_row row = sca_interval_matrix_row(in, r);
        for (const struct sca_interval_cell *x = row.first; x < row.end; x++)
            seconds[x->pair] += x->seconds;
    }
    for (uint32_t i = 0; i < in->n; i++)
        if (seconds[i] * s->m->nranks >= least)
            (*out)[n++] = (struct sca_rotating_interval){in->of[i].previous, in->of[i].site, false,
                                                         s->limit, NULL};
    return n;
}

/* By instances that are far longer than others. */
static bool add_by_instances(struct sca_rotating_search *s, const struct sca_rotating_interval *at,
                             double least, struct sca_ledger *out)
{
    look_at(s, at->previous, at->site);
    struct sca_rotating_interval w = rotating_at(s, at->previous, at->site);
    return s->of.sum.loss >= least && add_interval(s, &w, out);
}

/* What cores that are shared add, they add to all places alike. What is less than they may make,
 * and lies in one place, is the program's. */
static bool look_closer(struct sca_rotating_search *s, const struct sca_rotating_interval *at,
                        double least, struct sca_ledger *out)
{
    double limit = s->limit;
    s->limit /= 1 + SCA_HALF;
    s->shared = true;
    bool is = add_by_instances(s, at, least, out);
    s->shared = false;
    s->limit = limit;
    return is;
}

/* Whether ranks are late by less than cores may make of single instances. */
static bool is_slight(struct sca_rotating_search *s, const struct sca_rotating_interval *at)
{
    look_at(s, at->previous, at->site);
    return s->of.sum.seconds < SCA_MOST_CORE_SPEED * s->of.sum.median;
}

/* By windows in which ranks are late, if they are slightly, or if they are by more. */
static bool add_by_windows(struct sca_rotating_search *s, const struct sca_rotating_interval *at,
                           const double *late, bool slightly, struct sca_ledger *out)
{
    s->late = late;
    bool is = late && is_slight(s, at) == slightly;
    if (is) {
        struct sca_rotating_interval w = rotating_at(s, at->previous, at->site);
        is = add_interval(s, &w, out);
    }
    s->late = NULL;
    return is;
}

/* Windows tell better what cores may add to instances. Of these the lesser limit misses nothing,
 * and the other needs no more to be believed. */
static bool find_in(struct sca_rotating_search *s, const struct sca_rotating_interval *at,
                    const double *late, double least, struct sca_ledger *out)
{
    return add_by_windows(s, at, late, true, out) ||
           (s->m->shared && look_closer(s, at, least, out)) ||
           add_by_instances(s, at, least, out) || add_by_windows(s, at, late, false, out);
}

/* Work that moves makes a rank late in all that it does of it, before whichever calls: what
 * intervals lose counts together, of those that lose half as much each. */
static const double **list_late(struct sca_rotating_search *s,
                                const struct sca_rotating_interval *list, uint32_t n, double least)
{
    const double **late = sca_workspace_alloc(s->space, n, sizeof *late);
    double loss = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct sca_window_levels levels =
            sca_window_levels_find(&s->of, list[i].previous, list[i].site, SCA_HALF * least);
        loss += levels.late ? levels.loss : 0;
        late[i] = levels.late;
    }
    for (uint32_t i = 0; i < n && loss < least; i++)
        late[i] = NULL;
    return late;
}

static void find_all(struct sca_rotating_search *s, double least, struct sca_ledger *out)
{
    struct sca_rotating_interval *list;
    uint32_t n = list_intervals(s, least, &list);
    const double **late = list_late(s, list, n, least);
    for (uint32_t i = 0; i < n; i++)
        find_in(s, &list[i], late[i], least, out);
}

void sca_rotating_find(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const struct sca_traces *traces,
                       const struct sca_finding_list *seen, double threshold, double least,
                       struct sca_ledger *out)
{
    struct sca_rotating_search s = {.space = space, .m = m, .ends = ends, .seen = seen};
    /* single instances on shared cores scatter more than their totals */
    s.limit = threshold * (m->shared ? 1 + SCA_HALF : 1);
    s.of = sca_long_instances_open(space, traces, m->nranks);
    find_all(&s, least, out);
}
