/* What became of a cause: the one that stands for it on the other side, and how the two compare. */
#include "views/diff.h"
#include "base/degrees.h"

#include <math.h>
#include <string.h>

static bool is_one_place(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    return a->kind == b->kind && a->line == b->line && !strcmp(a->function, b->function) &&
           !strcmp(a->file, b->file) && !strcmp(a->name, b->name);
}

static bool is_below(const struct sca_diff_side *side, uint32_t v, uint32_t above)
{
    while (v != above && side->vertices[v].parent != v)
        v = side->vertices[v].parent;
    return v == above;
}

/* One of the two loops is within the other, in one function. */
static bool are_nested(const struct sca_diff_side *side, uint32_t a, uint32_t b)
{
    return !strcmp(side->vertices[a].function, side->vertices[b].function) &&
           (is_below(side, a, b) || is_below(side, b, a));
}

/* Both are listed by rising rank. */
static bool have_a_rank_in_common(const struct sca_report_cause *a,
                                  const struct sca_report_cause *b)
{
    uint32_t i = 0, k = 0;
    while (i < a->nranks && k < b->nranks && a->ranks[i] != b->ranks[k])
        if (a->ranks[i] < b->ranks[k])
            i++;
        else
            k++;
    return i < a->nranks && k < b->nranks;
}

/* 0: another cause. Place counts before category, category before doubt, doubt before ranks. */
static uint32_t likeness(const struct sca_diff_sides *q, const struct sca_report_cause *was,
                         const struct sca_report_cause *now)
{
    const struct sca_ppg_vertex *before = &q->before->vertices[was->vertex];
    const struct sca_ppg_vertex *after = &q->after->vertices[now->vertex];
    uint32_t v = q->to[was->vertex];
    bool same_category = !strcmp(was->category, now->category);
    bool moved = v != SCA_NONE && is_one_place(&q->after->vertices[v], after);
    bool same = moved || (v == SCA_NONE && is_one_place(before, after));
    if (!same && !(same_category && v != SCA_NONE && are_nested(q->after, v, now->vertex)))
        return 0;
    return 1 + 8 * same + 4 * same_category + 2 * !(now->doubt && *now->doubt) +
           have_a_rank_in_common(was, now);
}

const struct sca_report_cause *sca_diff_successor(const struct sca_diff_sides *q, uint32_t i)
{
    const struct sca_report *r = q->after->report;
    const struct sca_report_cause *found = NULL;
    uint32_t best = 0;
    for (uint32_t k = 0; k < r->ncauses + r->nunconfirmed; k++) {
        uint32_t like = likeness(q, &q->before->report->causes[i], &r->causes[k]);
        found = like > best ? &r->causes[k] : found;
        best = like > best ? like : best;
    }
    return found;
}

const struct sca_report_cause *sca_diff_predecessor(const struct sca_diff_sides *q,
                                                    const struct sca_report_cause *now)
{
    const struct sca_report *before = q->before->report;
    for (uint32_t i = 0; i < before->ncauses + before->nunconfirmed; i++)
        if (likeness(q, &before->causes[i], now))
            return &before->causes[i]; /* those that are confirmed come first */
    return NULL;
}

/* How much longer the cause's ranks take at a vertex than if they took what the others do; NAN:
 * the report does not have that. */
static double excess(const struct sca_diff_side *side, uint32_t vertex,
                     const struct sca_report_cause *cause)
{
    const struct sca_report_vertex *v = &side->report->vertices[vertex];
    double theirs = 0, all = 0;
    if (v->nranks != side->ranks || !cause->nranks || cause->nranks >= v->nranks)
        return NAN;
    for (uint32_t r = 0; r < v->nranks; r++)
        all += v->rank_s[r];
    for (uint32_t i = 0; i < cause->nranks; i++) {
        if (cause->ranks[i] >= v->nranks)
            return NAN;
        theirs += v->rank_s[cause->ranks[i]];
    }
    return theirs - (all - theirs) / (v->nranks - cause->nranks) * cause->nranks;
}

/* Of a cause that is not in the list after the change: what its ranks still take more than the
 * others, where that is most of what it was; else 0. */
static double excess_left(const struct sca_diff_sides *q, const struct sca_report_cause *was)
{
    uint32_t v = q->to[was->vertex];
    if (v == SCA_NONE || q->before->ranks != q->after->ranks)
        return 0;
    double before = excess(q->before, was->vertex, was), after = excess(q->after, v, was);
    return before > 0 && after >= SCA_HALF * before ? after : 0;
}

static const char *compare_gains(const struct sca_report_cause *was,
                                 const struct sca_report_cause *now)
{
    if (now->gain_ci[1] < was->gain_ci[0]) /* bounds that overlap tell no difference */
        return "smaller";
    return now->gain_ci[0] > was->gain_ci[1] ? "larger" : "unchanged";
}

struct sca_diff_fate sca_diff_fate(const struct sca_diff_sides *q, uint32_t i)
{
    const struct sca_report_cause *was = &q->before->report->causes[i];
    struct sca_diff_fate fate = {.now = sca_diff_successor(q, i)};
    bool same_ranks = q->before->ranks == q->after->ranks;
    if (!fate.now) {
        fate.still_s = excess_left(q, was);
        fate.state = !same_ranks ? "before only" : fate.still_s > 0 ? "not reported" : "gone";
    } else if (fate.now->doubt && *fate.now->doubt) {
        fate.state = "not confirmed";
    } else {
        fate.state = same_ranks ? compare_gains(was, fate.now) : "both";
    }
    fate.mended = !strcmp(fate.state, "gone") || !strcmp(fate.state, "smaller");
    return fate;
}
