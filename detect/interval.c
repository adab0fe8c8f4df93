#include "interval.h"
#include "after.h"
#include "category.h"
#include "interval_line.h"
#include "metrics.h"
#include "model.h"
#include "off_core.h"
#include "uneven.h"
#include "walk.h"

#include <math.h>
#include <string.h>

#define HALF_OF 0.5 /* an excess is explained by candidates that have as much of it */
#define MOST_OF 0.8 /* a candidate's excess lies in an interval that has as much of it */
#define PART_OF 0.2 /* of the excess: what is on the core must have as much to tell its line */
#define EVENED  0.2 /* of an interval's excess: what is left of it around, if it is evened out */

struct search {
    struct sca_room *room;
    const struct sca_measure *runs, *m; /* m: the last of them */
    uint32_t nruns;
    const uint32_t *ends;
    double threshold, least, least_uneven;
    struct sca_candidates *out;
};

int sca_interval_judge(struct sca_room *room, const struct sca_measure *m, uint32_t after,
                       double threshold, struct sca_abnormal *out)
{
    struct sca_after of = sca_after_measure(room, m, after);
    return sca_after_compare(room, m, &of) &&
           sca_abnormal_judge_after(room, m, &of, threshold, out);
}

/* The call that the named ranks come to after most of those seconds. */
static uint32_t call_before(const struct search *s, uint32_t after, const struct sca_abnormal *a)
{
    const struct sca_ppg_run *run = s->m->run;
    double *seconds = sca_room_alloc(s->room, s->m->ppg->nvertices, sizeof *seconds);
    uint32_t best = SCA_NONE;
    struct sca_opened *opened = sca_room_opened(s->room, run->profile);
    for (uint32_t k = 0; k < a->nranks; k++) {
        const struct sca_rank *rank = sca_rank_open(opened, a->ranks[k], SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++) {
            const struct sca_part_interval *interval = &rank->intervals[i];
            uint32_t v = run->site_vertex[interval->site];
            if (run->site_vertex[interval->previous] != after || v == SCA_NONE)
                continue;
            seconds[v] += sca_interval_seconds(interval);
            best = best == SCA_NONE || seconds[v] > seconds[best] ? v : best;
        }
    }
    return best;
}

/* How much of the interval's excess a candidate takes away when it is levelled. */
static double explained_by(const struct search *s, const struct sca_candidate *c, uint32_t after,
                           const struct sca_abnormal *a)
{
    const struct sca_ppg_run *run = s->m->run;
    double seconds = 0;
    for (uint32_t site = 0; site < run->profile->nsites; site++)
        for (uint32_t k = 0; k < a->nranks && run->site_vertex[site] == after; k++)
            seconds += (1 - c->factor[a->ranks[k]]) *
                       sca_part_after(s->m, s->ends, c->vertices, c->nvertices, a->ranks[k], site);
    return seconds;
}

static bool on_the_same_ranks(const struct sca_candidate *c, const struct sca_abnormal *a)
{
    return c->nranks == a->nranks && !memcmp(c->ranks, a->ranks, a->nranks * sizeof *a->ranks);
}

/* Whether a candidate named for a loop around MPI calls is late for that interval: by what goes
 * there when it is levelled, or as the interval has as much of an excess. */
static bool lies_in(const struct search *s, const struct sca_candidate *c, uint32_t after,
                    const struct sca_abnormal *a, double part)
{
    if (!sca_calls_mpi(s->m->ppg, s->ends, c->vertex))
        return false;
    bool inside = after > c->vertex && after < s->ends[c->vertex] && on_the_same_ranks(c, a);
    return part >= MOST_OF * c->excess || (inside && a->excess >= MOST_OF * c->excess);
}

/* What a rank does off the core has no line of its own. Who reads, writes or sleeps computes
 * beside it, as who formats a file: the line of that is named, if there is enough of it. */
static uint32_t place_between(const struct search *s, const struct sca_candidate *c)
{
    bool tells = c->core.vertex != SCA_NONE && c->core.there >= PART_OF * c->excess;
    return tells ? c->core.vertex : sca_vertex_between(s->m->ppg, c->after, c->before);
}

/* Makes the candidate one of the interval. */
static void settle(const struct search *s, struct sca_candidate *c, uint32_t after, uint32_t before,
                   const struct sca_abnormal *a)
{
    const double *seconds = sca_after_measure(s->room, s->m, after).seconds;
    const struct sca_line_search search = {s->room, s->m, s->ends, s->threshold};
    *c = (struct sca_candidate){.between = true, .after = after, .before = before};
    c->nranks = a->nranks;
    c->ranks = a->ranks;
    c->ratio = a->ratio;
    c->excess = a->excess;
    c->uneven = a->uneven;
    c->again = a->again;
    c->core = sca_interval_core(&search, after, a);
    c->vertex = place_between(s, c);
    c->vertices = sca_room_alloc(s->room, 1, sizeof *c->vertices);
    c->vertices[c->nvertices++] = c->vertex;
    c->category = sca_category_of(s->room, s->m, s->ends, s->threshold, c);
    c->factor = sca_room_alloc(s->room, s->m->nranks, sizeof *c->factor);
    for (uint32_t r = 0; r < s->m->nranks; r++)
        c->factor[r] = 1;
    for (uint32_t i = 0; i < c->nranks; i++)
        c->factor[c->ranks[i]] = fmin(1, a->reference / seconds[c->ranks[i]]);
    if (a->uneven)
        sca_uneven_level(s->room, s->m, after, c);
}

/* All ranks waiting for the greatest difference: spares most calls the closer look. */
static double most_loss(const struct sca_measure *m, uint32_t site)
{
    double least = INFINITY, most = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        double seconds = sca_seconds_after(m, r, site);
        least = fmin(least, seconds);
        most = fmax(most, seconds);
    }
    return (most - least) * m->nranks;
}

/* Whether the same ranks do so much less in the structure around that it makes up for the excess.
 * Then they do there what the others do between other calls, as the first one of a chain does
 * without having received anything. Totals are exact, whatever the samples saw. */
static bool is_evened_out(const struct search *s, uint32_t around, const struct sca_abnormal *a)
{
    const double *row = s->m->inclusive + (size_t)around * s->m->nranks;
    double *others = sca_room_alloc(s->room, s->m->nranks, sizeof *others), more = 0;
    uint32_t n = 0;
    for (uint32_t r = 0, i = 0; r < s->m->nranks; r++)
        if (i < a->nranks && a->ranks[i] == r)
            i++;
        else
            others[n++] = row[r];
    double usual = sca_median(others, n);
    for (uint32_t i = 0; i < a->nranks; i++)
        more += row[a->ranks[i]] - usual;
    return more < EVENED * a->excess;
}

/* In the place of the candidate `instead`, if there is one, and of another that names the line; not
 * of one that has more of it than that interval: what happens there is the least of it, and may be
 * on other ranks. */
static void put_line(const struct search *s, struct sca_candidate *instead, double excess,
                     const struct sca_candidate *line)
{
    struct sca_candidates *all = s->out;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->items[i].vertex == line->vertex && &all->items[i] != instead) {
            if (all->items[i].wanders || excess < HALF_OF * all->items[i].excess)
                return;
            all->items[i] = *line;
            if (instead)
                *instead = all->items[--all->count];
            return;
        }
    *(instead ? instead : sca_candidate_add(all)) = *line;
}

/* The line, if samples tell, else the interval. */
static void name(const struct search *s, struct sca_candidate *instead, uint32_t after,
                 uint32_t before, const struct sca_abnormal *a)
{
    const struct sca_line_search search = {s->room, s->m, s->ends, a->uneven ? 1 : s->threshold};
    struct sca_candidate line;
    if (sca_interval_line(&search, after, a, &line)) {
        line.uneven = a->uneven;
        line.again = a->again;
        if (a->uneven)
            sca_uneven_level(s->room, s->m, after, &line);
        put_line(s, instead, a->excess, &line);
    } else {
        settle(s, instead ? instead : sca_candidate_add(s->out), after, before, a);
    }
}

/* What comes before the first call may be the first of a loop's rounds. Computation says so by its
 * samples, wherever it is; time off the core has none. */
static bool is_first_round(const struct search *s, uint32_t after, const struct sca_abnormal *a)
{
    bool *start = sca_room_alloc(s->room, s->m->run->profile->nsites, sizeof *start);
    start[0] = true;
    return after == SCA_NONE && sca_off_core(s->room, s->m, start) < HALF_OF * a->excess;
}

/* Ranks that stand out, or else an uneven sharing out. */
static bool judge(const struct search *s, uint32_t after, struct sca_abnormal *a)
{
    struct sca_after of = sca_after_measure(s->room, s->m, after);
    if (!sca_after_compare(s->room, s->m, &of))
        return false;
    if (sca_abnormal_judge_after(s->room, s->m, &of, s->threshold, a) &&
        a->most * s->m->nranks >= s->least)
        return true;
    return sca_uneven_judge(s->room, s->runs, s->nruns, after, &of, s->least_uneven, a);
}

static void look_at(const struct search *s, uint32_t after)
{
    struct sca_abnormal a;
    double explained = 0;
    if (!judge(s, after, &a) || is_first_round(s, after, &a))
        return;
    uint32_t before = call_before(s, after, &a);
    if (before == SCA_NONE)
        return;
    uint32_t around = sca_vertex_between(s->m->ppg, after, before);
    if (is_evened_out(s, around, &a))
        return;
    for (uint32_t i = 0; i < s->out->count; i++) {
        struct sca_candidate *c = &s->out->items[i];
        if (c->wanders || c->between)
            continue;
        double part = explained_by(s, c, after, &a);
        if (lies_in(s, c, after, &a, part)) {
            name(s, c, after, before, &a);
            return;
        }
        explained += part;
    }
    if (explained < HALF_OF * a.excess)
        name(s, NULL, after, before, &a);
}

void sca_candidates_interval(struct sca_room *room, const struct sca_measure *runs, uint32_t nruns,
                             const uint32_t *ends, double threshold, double least,
                             double least_uneven, struct sca_candidates *out)
{
    const struct sca_measure *m = &runs[nruns - 1];
    struct search s = {room, runs, m, nruns, ends, threshold, least, least_uneven, out};
    const struct sca_ppg_run *run = m->run;
    bool *seen = sca_room_alloc(room, m->ppg->nvertices, sizeof *seen);
    for (uint32_t site = 1; site < run->profile->nsites; site++) {
        uint32_t v = run->site_vertex[site];
        if (v == SCA_NONE || seen[v] || most_loss(m, site) < least)
            continue;
        seen[v] = true;
        look_at(&s, v);
    }
}

void sca_candidates_start(struct sca_room *room, const struct sca_measure *m, const uint32_t *ends,
                          double threshold, double least, struct sca_candidates *out)
{
    struct search s = {room, m, m, 1, ends, threshold, least, INFINITY, out};
    if (m->run->profile->nsites && most_loss(m, 0) >= least)
        look_at(&s, SCA_NONE);
}
