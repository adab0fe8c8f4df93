#include "imbalance/interval_excess.h"
#include "base/degrees.h"
#include "graph/same_place.h"
#include "measure/same_code.h"
#include "stats/dispersion.h"
#include "stats/median.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ASKED = 256 }; /* other ranks: more hardly move a median */

struct comparison {          /* of one rank with the others, in some intervals */
    double seconds, usual;   /* all of them */
    double part, usual_part; /* the place's */
    double rival;            /* what samples see too much at another place, the worst */
    double spread;           /* relative standard deviation of the others */
    double noise;            /* standard deviation of the part, by its samples */
};

struct excess_told {
    double seconds, error;
};

struct placed_cut {
    uint32_t of; /* number among the finding's ranks */
    struct sca_cut cut;
};

struct excess_search {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_finding *c;
    uint32_t *others, nothers;
    double *seconds, *parts; /* of the others, in the group at hand */
    const uint32_t *place;   /* per vertex (same_place.h) */
    bool *its;               /* per vertex: the finding's, or below */
    double *by_place;        /* of a rank in the group; 0 in between */
    double *usual_by_place;  /* likewise, of the others on average */
    bool *on, *asked;        /* per interval: in that group; in it, or in one before */
    double *weight;          /* per interval: seconds at the place */
    double *usual;           /* per interval of the group: the others' median */
    struct placed_cut *cuts;
    uint32_t ncuts, capacity;
};

/* Ranks that are not named, evenly spread. */
static uint32_t list_others(const struct sca_measure *m, const struct sca_finding *c, uint32_t *out)
{
    uint32_t n = 0, stride = 1 + m->nranks / MOST_ASKED;
    for (uint32_t r = 0, i = 0; r < m->nranks; r++) {
        bool named = i < c->nranks && c->ranks[i] == r;
        i += named;
        if (!named && sca_measure_is_present(m, r) && r % stride == 0)
            out[n++] = r;
    }
    return n;
}

/* What equal ranks differ by, where others have so much: of one of them and of the others' median.
 */
static double equal_ranks(const struct comparison *x, double usual, uint32_t nothers)
{
    return x->spread * usual * sqrt(1 + SCA_MEDIAN_VARIANCE / fmax(1, nothers));
}

/* The mean of two estimates of the same, by how exact they are. */
static struct excess_told weigh_both(struct excess_told a, struct excess_told b)
{
    double of_a = 1 / fmax(a.error * a.error, DBL_MIN), of_b = 1 / fmax(b.error * b.error, DBL_MIN);
    return (struct excess_told){(a.seconds * of_a + b.seconds * of_b) / (of_a + of_b),
                                1 / sqrt(of_a + of_b)};
}

/*
 * Two estimates: the place's own part, which samples divide; and all that is too much in these
 * intervals, which is exact, if it is the place's. The second is off by what samples see too much
 * at another place, taken for two standard deviations (what they spread over many places is what
 * they cannot tell), and by what ranks differ in all that they do there; the first by what the rank
 * does less of beside it, as if it did the place's work instead. Others that never come there do
 * the same work between other calls: only the place compares.
 */
static struct excess_told excess_in(const struct comparison *x, uint32_t nothers)
{
    double all = x->seconds - x->usual, part = x->part - x->usual_part;
    bool is_most = x->part + x->usual_part >= SCA_HALF * (x->seconds + x->usual);
    struct excess_told own = {part, hypot(x->noise, equal_ranks(x, x->usual_part, nothers))};
    if (x->usual <= SCA_NO_TIME || !(is_most || (all > 0 && part >= SCA_HALF * all)))
        return own;
    own.error = hypot(own.error, fmax(0, part - all));
    struct excess_told whole = {
        all, hypot(fmin(fmax(0, all - part), x->rival) / 2, equal_ranks(x, x->usual, nothers))};
    return weigh_both(own, whole);
}

static double part_of(const struct excess_search *s, uint32_t rank, uint32_t interval)
{
    return sca_measure_part_in(s->m, s->ends, s->c->vertices, s->c->nvertices, rank, interval);
}

static void put_down(struct excess_search *s, uint32_t of, struct sca_cut cut)
{
    if (s->ncuts == s->capacity) {
        uint32_t more = 2 * s->capacity + s->c->nranks;
        s->cuts = sca_workspace_grow(s->space, s->cuts, s->ncuts, more, sizeof *s->cuts);
        s->capacity = more;
    }
    s->cuts[s->ncuts++] = (struct placed_cut){of, cut};
}

/* Of a rank in the group: its seconds, and those at the place. */
static void add_up(const struct excess_search *s, uint32_t rank, double *seconds, double *part)
{
    *seconds = *part = 0;
    for (uint32_t g = 0; g < s->m->run->intervals.n; g++)
        if (s->on[g]) {
            *seconds += sca_measure_seconds_in(s->m, rank, g);
            *part += part_of(s, rank, g);
        }
}

/* Adds to seconds by place, of a rank in the group; or takes them away. */
static void add_places(const struct excess_search *s, uint32_t rank, double times, double *to)
{
    const struct sca_ppg_run *run = s->m->run;
    const uint32_t *first = &run->first_share[(size_t)rank * run->intervals.n];
    for (uint32_t g = 0; g < run->intervals.n; g++)
        for (uint32_t i = first[g]; i < first[g + 1] && s->on[g]; i++)
            if (!s->its[run->shares[i].vertex])
                to[s->place[run->shares[i].vertex]] += times * run->shares[i].seconds;
}

/* The most that a rank has more than the others at a place that is not the finding's, by its
 * samples: what none fell on may be the finding's as well. */
static double rival_of(const struct excess_search *s, uint32_t rank)
{
    const struct sca_ppg_run *run = s->m->run;
    const uint32_t *first = &run->first_share[(size_t)rank * run->intervals.n];
    double most = 0;
    add_places(s, rank, 1, s->by_place);
    for (uint32_t g = 0; g < run->intervals.n; g++)
        for (uint32_t i = first[g]; i < first[g + 1] && s->on[g]; i++) {
            uint32_t place = s->place[run->shares[i].vertex];
            if (run->shares[i].samples > 0)
                most = fmax(most, s->by_place[place] - s->usual_by_place[place]);
        }
    add_places(s, rank, -1, s->by_place);
    return most;
}

static void compare_others(struct excess_search *s, struct comparison *x)
{
    for (uint32_t g = 0; g < s->m->run->intervals.n; g++)
        if (s->on[g]) {
            for (uint32_t k = 0; k < s->nothers; k++)
                s->seconds[k] = sca_measure_seconds_in(s->m, s->others[k], g);
            s->usual[g] = sca_median(s->seconds, s->nothers);
        }
    for (uint32_t k = 0; k < s->nothers; k++)
        add_up(s, s->others[k], &s->seconds[k], &s->parts[k]);
    memset(s->usual_by_place, 0, s->m->ppg->nvertices * sizeof *s->usual_by_place);
    for (uint32_t k = 0; k < s->nothers; k++)
        add_places(s, s->others[k], 1.0 / s->nothers, s->usual_by_place);
    x->usual = sca_median(s->seconds, s->nothers);
    x->usual_part = sca_median(s->parts, s->nothers);
    x->spread = sca_dispersion(s->seconds, s->nothers, x->usual, sca_measure_usual_spread(s->m));
}

/* What speaks for an interval of the group as the one that has a rank's excess: what it takes
 * longer there, where the others come, or what samples see of the place. */
static double weight_in(const struct excess_search *s, uint32_t rank, uint32_t interval)
{
    double part = part_of(s, rank, interval);
    if (!s->on[interval] || part <= 0 || s->usual[interval] <= SCA_NO_TIME)
        return s->on[interval] ? part : 0;
    return fmax(0, sca_measure_seconds_in(s->m, rank, interval) - s->usual[interval]);
}

/* The i-th rank's excess in the group. */
static void divide(struct excess_search *s, uint32_t i, double excess)
{
    uint32_t n = s->m->run->intervals.n;
    double all = 0;
    for (uint32_t g = 0; g < n; g++)
        all += s->on[g] ? weight_in(s, s->c->ranks[i], g) : 0;
    for (uint32_t g = 0; g < n && all > 0; g++) {
        double weight = s->on[g] ? weight_in(s, s->c->ranks[i], g) : 0;
        if (weight > 0)
            put_down(s, i, (struct sca_cut){g, excess * weight / all});
    }
}

/* Of a part of what the rank has at the place, by its samples there. */
static double noise_of(const struct excess_search *s, uint32_t rank, double part)
{
    const struct sca_finding *c = s->c;
    double variance = sca_measure_place_variance(s->m, c->vertices, c->nvertices, rank);
    double all = sca_measure_place_seconds(s->m, c->vertices, c->nvertices, rank);
    return all > 0 ? sqrt(variance * fmin(1, part / all)) : 0;
}

static void add_group(struct excess_search *s, struct sca_interval_excess *out)
{
    struct comparison x;
    compare_others(s, &x);
    for (uint32_t i = 0; i < s->c->nranks; i++) {
        add_up(s, s->c->ranks[i], &x.seconds, &x.part);
        x.rival = rival_of(s, s->c->ranks[i]);
        x.noise = noise_of(s, s->c->ranks[i], x.part);
        struct excess_told excess = {0};
        if (x.part + x.usual_part > 0)
            excess = excess_in(&x, s->nothers);
        out->seconds[i] += excess.seconds;
        out->error[i] = hypot(out->error[i], excess.error);
        if (excess.seconds > 0)
            divide(s, i, excess.seconds);
    }
}

/* Seconds of the place in each interval, of all that are compared. */
static void weigh(struct excess_search *s)
{
    for (uint32_t g = 0; g < s->m->run->intervals.n; g++) {
        for (uint32_t i = 0; i < s->c->nranks; i++)
            s->weight[g] += part_of(s, s->c->ranks[i], g);
        for (uint32_t k = 0; k < s->nothers; k++)
            s->weight[g] += part_of(s, s->others[k], g);
    }
}

/* The interval with most of the place, of those that were not asked yet, and all in which ranks run
 * the same code. False: none has any of it. */
static bool next_group(struct excess_search *s)
{
    uint32_t n = s->m->run->intervals.n, most = SCA_NONE;
    for (uint32_t g = 0; g < n; g++)
        if (!s->asked[g] && s->weight[g] > (most == SCA_NONE ? 0 : s->weight[most]))
            most = g;
    if (most == SCA_NONE)
        return false;
    memset(s->on, 0, n * sizeof *s->on);
    s->on[most] = true;
    sca_same_code_add(s->space, s->m->ppg, s->m->run, s->on);
    for (uint32_t g = 0; g < n; g++) {
        s->on[g] = s->on[g] && !s->asked[g];
        s->asked[g] |= s->on[g];
    }
    return true;
}

/* They were put down interval by interval. */
static void sort_by_rank(struct excess_search *s, struct sca_interval_excess *out)
{
    uint32_t n = s->c->nranks;
    uint32_t *next = sca_workspace_alloc(s->space, n + 1, sizeof *next);
    out->cuts = sca_workspace_alloc(s->space, s->ncuts, sizeof *out->cuts);
    out->first_cut = sca_workspace_alloc(s->space, n + 1, sizeof *out->first_cut);
    for (uint32_t k = 0; k < s->ncuts; k++)
        out->first_cut[s->cuts[k].of + 1]++;
    for (uint32_t i = 0; i < n; i++)
        next[i + 1] = out->first_cut[i + 1] += out->first_cut[i];
    for (uint32_t k = 0; k < s->ncuts; k++)
        out->cuts[next[s->cuts[k].of]++] = s->cuts[k].cut;
}

static void list_compared(struct excess_search *s)
{
    const struct sca_finding *c = s->c;
    s->others = sca_workspace_alloc(s->space, s->m->nranks, sizeof *s->others);
    s->nothers = list_others(s->m, c, s->others);
    s->seconds = sca_workspace_alloc(s->space, s->nothers + 1, sizeof *s->seconds);
    s->parts = sca_workspace_alloc(s->space, s->nothers + 1, sizeof *s->parts);
}

static void open_places(struct excess_search *s)
{
    const struct sca_finding *c = s->c;
    uint32_t nv = s->m->ppg->nvertices;
    s->place = sca_same_place_find(s->space, s->m->ppg);
    s->its = sca_workspace_alloc(s->space, nv, sizeof *s->its);
    s->by_place = sca_workspace_alloc(s->space, nv, sizeof *s->by_place);
    s->usual_by_place = sca_workspace_alloc(s->space, nv, sizeof *s->usual_by_place);
    for (uint32_t k = 0; k < c->nvertices; k++)
        for (uint32_t v = c->vertices[k]; v < s->ends[c->vertices[k]]; v++)
            s->its[v] = true;
}

static void open_intervals(struct excess_search *s)
{
    uint32_t n = s->m->run->intervals.n;
    s->on = sca_workspace_alloc(s->space, n, sizeof *s->on);
    s->asked = sca_workspace_alloc(s->space, n, sizeof *s->asked);
    s->weight = sca_workspace_alloc(s->space, n, sizeof *s->weight);
    s->usual = sca_workspace_alloc(s->space, n, sizeof *s->usual);
    weigh(s);
}

struct sca_interval_excess sca_interval_excess_find(struct sca_workspace *space,
                                                    const struct sca_measure *m,
                                                    const uint32_t *ends,
                                                    const struct sca_finding *finding)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct excess_search s = {.space = &scratch, .m = m, .ends = ends, .c = finding};
    struct sca_interval_excess out = {
        .seconds = sca_workspace_alloc(space, finding->nranks, sizeof *out.seconds),
        .error = sca_workspace_alloc(space, finding->nranks, sizeof *out.error)};
    list_compared(&s);
    open_places(&s);
    open_intervals(&s);
    while (next_group(&s))
        add_group(&s, &out);
    s.space = space;
    sort_by_rank(&s, &out);
    sca_workspace_free(&scratch);
    return out;
}

void sca_interval_excess_scale(struct sca_cut *cuts, const uint32_t range[2], double seconds)
{
    double sum = 0;
    for (uint32_t k = range[0]; k < range[1]; k++)
        sum += cuts[k].seconds;
    for (uint32_t k = range[0]; k < range[1]; k++)
        cuts[k].seconds *= sum > 0 ? fmax(0, seconds) / sum : 0;
}
