#include "imbalance/interval_findings.h"
#include "base/degrees.h"
#include "imbalance/abnormal_findings.h"
#include "imbalance/interval_draft.h"
#include "imbalance/interval_known.h"
#include "measure/off_cpu.h"
#include "imbalance/rank_contrast.h"
#include "imbalance/skew.h"
#include "measure/interval_bounds.h"
#include "stats/over_ranks.h"

#include <math.h>
#include <string.h>

struct interval_search {
    struct sca_workspace *space;
    const struct sca_measure *runs, *m; /* m: the last of them */
    uint32_t nruns;
    const uint32_t *ends;
    double threshold, least, least_uneven;
    struct sca_ledger *out;
};

static struct sca_line_search search_of(const struct interval_search *s, double threshold)
{
    return (struct sca_line_search){s->space, s->m, s->ends, threshold};
}

int sca_interval_findings_judge(struct sca_workspace *space, const struct sca_measure *m,
                                const struct sca_interval_bounds *bounds, double threshold,
                                struct sca_abnormal *out)
{
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(space, m, bounds);
    return sca_interval_bounds_compare(space, m, &of) &&
           sca_abnormal_judge_bounds(space, m, bounds, &of, threshold, out);
}

/* The call that the named ranks come to after most of those seconds. */
static uint32_t call_before(const struct interval_search *s,
                            const struct sca_interval_bounds *bounds, const struct sca_abnormal *a)
{
    const struct sca_ppg_run *run = s->m->run;
    const struct sca_interval_matrix *in = &s->m->matrix;
    double *seconds = sca_workspace_alloc(s->space, s->m->ppg->nvertices, sizeof *seconds);
    uint32_t best = SCA_NONE;
    for (uint32_t k = 0; k < a->nranks; k++) {
        struct sca_interval_matrix_row row = sca_interval_matrix_row(in, a->ranks[k]);
        for (const struct sca_interval_cell *x = row.first; x < row.end; x++) {
            const struct sca_call_pair *of = &in->of[x->pair];
            uint32_t v = run->site_vertex[of->site];
            if (v == SCA_NONE || !sca_interval_bounds_has(run, bounds, of->previous, of->site))
                continue;
            seconds[v] += x->seconds;
            best = best == SCA_NONE || seconds[v] > seconds[best] ? v : best;
        }
    }
    return best;
}

/* All ranks waiting for the greatest difference in some intervals: spares most the closer look. */
static double most_loss(const struct sca_measure *m, uint32_t first, uint32_t end)
{
    double least = INFINITY, most = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        double seconds = 0;
        for (uint32_t interval = first; interval < end; interval++)
            seconds += sca_measure_seconds_in(m, r, interval);
        least = fmin(least, seconds);
        most = fmax(most, seconds);
    }
    return (most - least) * m->nranks;
}

/* The finding whose place the line is, but `instead`; NULL if there is none. */
static const struct sca_finding *with_place(const struct interval_search *s, uint32_t vertex,
                                            const struct sca_finding *instead)
{
    for (uint32_t i = 0; i < s->out->open.count; i++)
        if (s->out->open.items[i]->vertex == vertex && s->out->open.items[i] != instead)
            return s->out->open.items[i];
    return NULL;
}

/* Of a place that is named already: it is told with all that lies in the interval, if it has no
 * less than that on all its call paths. */
static void put_named(const struct interval_search *s, const struct sca_finding *instead,
                      const struct sca_finding *named, const struct sca_finding *line)
{
    if (line->excess > named->excess)
        named = sca_ledger_refine(s->out, named, line);
    else
        sca_ledger_append_closed(
            s->out, line, (struct sca_outcome){.kind = SCA_OUTCOME_TOLD, .of = named->number});
    if (instead)
        sca_ledger_close_for_last(
            s->out, instead,
            (struct sca_outcome){.kind = SCA_OUTCOME_REFINED, .of = named->number});
}

/* In the place of the finding `instead`, if there is one, and of another that names the line; not
 * of one that has more of it than that interval: what happens there is the least of it, and may be
 * on other ranks. */
static void put_line(const struct interval_search *s, const struct sca_finding *instead,
                     double excess, const struct sca_finding *line)
{
    const struct sca_finding *named = with_place(s, line->vertex, instead);
    if (!named && instead)
        sca_ledger_refine(s->out, instead, line);
    else if (!named)
        sca_ledger_append(s->out, line);
    else if (sca_finding_rotates(named) || excess < SCA_HALF * named->excess)
        sca_ledger_append_closed(
            s->out, line, (struct sca_outcome){.kind = SCA_OUTCOME_TOLD, .of = named->number});
    else
        put_named(s, instead, named, line);
}

/* The line, if samples tell, else the interval. */
static void name(const struct interval_search *s, const struct sca_finding *instead,
                 const struct sca_interval_bounds *bounds, uint32_t before,
                 const struct sca_abnormal *a)
{
    const struct sca_line_search search = search_of(s, s->threshold),
                                 for_line = search_of(s, a->skewed ? 1 : s->threshold);
    struct sca_finding draft;
    if (sca_interval_line(&for_line, bounds, a, &draft)) {
        sca_abnormal_findings_add_evidence(s->space, a, &draft);
        if (a->skewed)
            sca_skew_level(s->space, s->m, s->ends, bounds, &draft);
        put_line(s, instead, a->excess, &draft);
        return;
    }
    draft = sca_interval_draft(&search, s->runs, s->nruns - 1, bounds, before, a);
    if (instead)
        sca_ledger_refine(s->out, instead, &draft);
    else
        sca_ledger_append(s->out, &draft);
}

/* What is not looked into any further. */
static void set_aside(const struct interval_search *s, const struct sca_interval_bounds *bounds,
                      uint32_t before, const struct sca_abnormal *a, struct sca_outcome outcome)
{
    struct sca_finding draft = sca_interval_draft_unplaced(s->space, s->m, bounds, before, a);
    sca_ledger_append_closed(s->out, &draft, outcome);
}

/* What comes before the first call may be the first of a loop's rounds. Computation says so by its
 * samples, wherever it is; time off the core has none. */
static bool is_first_round(const struct interval_search *s,
                           const struct sca_interval_bounds *bounds, const struct sca_abnormal *a)
{
    const double *off = sca_off_cpu_unplaced(s->space, s->m, bounds);
    return bounds->after == SCA_NONE &&
           sca_over_ranks_sum(off, s->m->nranks) < SCA_HALF * a->excess;
}

static bool judge(const struct interval_search *s, const struct sca_interval_bounds *bounds,
                  struct sca_abnormal *a)
{
    const struct sca_abnormal_limits limits = {s->threshold, s->least, s->least_uneven};
    struct sca_interval_bounds_times of = sca_interval_bounds_measure(s->space, s->m, bounds);
    return sca_interval_bounds_compare(s->space, s->m, &of) &&
           sca_rank_contrast_between(s->space, s->m, bounds, &of, &limits, a);
}

static void look_at(const struct interval_search *s, const struct sca_interval_bounds *bounds)
{
    struct sca_abnormal a;
    if (!judge(s, bounds, &a))
        return;
    uint32_t before = call_before(s, bounds, &a);
    if (before == SCA_NONE)
        return;
    struct sca_outcome outcome = {.of = SCA_NONE};
    struct sca_interval_known known = {0};
    const struct sca_line_search search = search_of(s, s->threshold);
    if (is_first_round(s, bounds, &a))
        outcome.kind = SCA_OUTCOME_FIRST_ROUND;
    else if (!(known = sca_interval_known_ask(&search, &s->out->open, bounds, &a)).late &&
             known.explained >= SCA_HALF * a.excess)
        outcome = (struct sca_outcome){.kind = SCA_OUTCOME_EXPLAINED, .of = known.by};
    else if (sca_interval_known_in_all(&search, bounds, &a) < SCA_HALF * a.excess)
        outcome.kind = SCA_OUTCOME_ELSEWHERE;
    if (outcome.kind == SCA_OUTCOME_OPEN)
        name(s, known.late, bounds, before, &a);
    else
        set_aside(s, bounds, before, &a, outcome);
}

/* Several sites may be of one vertex. */
static bool is_new(struct sca_interval_bounds *seen, uint32_t *nseen,
                   const struct sca_interval_bounds *bounds)
{
    for (uint32_t i = 0; i < *nseen; i++)
        if (seen[i].after == bounds->after && seen[i].before == bounds->before)
            return false;
    seen[(*nseen)++] = *bounds;
    return true;
}

/* What lies between two calls, and, of a call after which several may come, all of it: a rank may
 * come to the one and another to the other. */
static void look_behind(const struct interval_search *s, uint32_t site,
                        struct sca_interval_bounds *seen, uint32_t *nseen)
{
    const struct sca_ppg_run *run = s->m->run;
    const uint32_t *first = &run->intervals.first[site];
    struct sca_interval_bounds bounds = {run->site_vertex[site], SCA_NONE};
    for (uint32_t interval = first[0]; interval < first[1] && first[1] > first[0] + 1; interval++) {
        bounds.before = run->site_vertex[run->intervals.next[interval]];
        if (bounds.before != SCA_NONE && most_loss(s->m, interval, interval + 1) >= s->least &&
            is_new(seen, nseen, &bounds))
            look_at(s, &bounds);
    }
    bounds.before = SCA_NONE;
    if (most_loss(s->m, first[0], first[1]) >= s->least && is_new(seen, nseen, &bounds))
        look_at(s, &bounds);
}

void sca_interval_findings_add(struct sca_workspace *space, const struct sca_measure *runs,
                               uint32_t nruns, const uint32_t *ends, double threshold, double least,
                               double least_uneven, struct sca_ledger *out)
{
    const struct sca_measure *m = &runs[nruns - 1];
    struct interval_search s = {space, runs, m, nruns, ends, threshold, least, least_uneven, out};
    const struct sca_ppg_run *run = m->run;
    struct sca_interval_bounds *seen =
        sca_workspace_alloc(space, run->intervals.n + run->intervals.nsites, sizeof *seen);
    uint32_t nseen = 0;
    for (uint32_t site = 1; site < run->intervals.nsites; site++)
        if (run->site_vertex[site] != SCA_NONE)
            look_behind(&s, site, seen, &nseen);
}

void sca_interval_findings_add_start(struct sca_workspace *space, const struct sca_measure *m,
                                     const uint32_t *ends, double threshold, double least,
                                     struct sca_ledger *out)
{
    struct interval_search s = {space, m, m, 1, ends, threshold, least, INFINITY, out};
    const struct sca_intervals *intervals = &m->run->intervals;
    if (intervals->nsites && most_loss(m, intervals->first[0], intervals->first[1]) >= least)
        look_at(&s, &(struct sca_interval_bounds){SCA_NONE, SCA_NONE});
}
