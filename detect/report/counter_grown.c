#include "report/counter_grown.h"
#include "base/degrees.h"
#include "stats/merge_ranks.h"

#include <math.h>
#include <string.h>

struct counted_run {         /* of a counter in one run */
    double each, seconds;    /* of a rank, merged: events, and computation */
    double events, at_place; /* of all ranks; of these, at the cause's place */
};

struct grown_counting {
    const struct sca_analysis *c;
    const struct sca_finding *cause;
    double expected_slope;
    bool *inside;                /* per vertex: at the place */
    double *row, *x, *y;         /* per rank; per run */
    struct counted_run *of_runs; /* per run */
};

/* ---- one run ---- */

static int number_in(const struct sca_profile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->nmetrics; i++)
        if (!strcmp(profile->metrics[i], name))
            return (int)i;
    return -1;
}

static bool is_inside(const struct grown_counting *n, const struct sca_ppg_run *run,
                      const struct sca_part_sample *sample)
{
    uint32_t vertex =
        sample->in_mpi ? run->site_vertex[sample->previous] : run->node_vertex[sample->node];
    return vertex < n->c->ppg->nvertices && n->inside[vertex];
}

static void count_rank(const struct grown_counting *n, const struct sca_ppg_run *run, uint32_t rank,
                       int counter, struct counted_run *out)
{
    struct sca_opened *opened = sca_workspace_opened(n->c->space, run->profile);
    const struct sca_rank *r = sca_rank_open(opened, rank, SCA_OPEN_SAMPLES);
    n->row[rank] = 0;
    for (uint32_t i = 0; i < r->nsamples; i++) {
        double events =
            sca_part_is_sample(&r->sample[i]) ? (double)r->sample[i].metric[counter] : 0;
        n->row[rank] += events;
        out->events += events;
        out->at_place += is_inside(n, run, &r->sample[i]) ? events : 0;
    }
}

static double merged(const struct grown_counting *n, uint32_t nranks)
{
    const struct sca_settings *settings = n->c->settings;
    return sca_merge_ranks(n->row, nranks, settings->merge, settings->merge_rank);
}

/* False: this run did not count it. */
static bool count_run(const struct grown_counting *n, const struct sca_measure *m, const char *name,
                      struct counted_run *out)
{
    int counter = number_in(m->run->profile, name);
    *out = (struct counted_run){0};
    for (uint32_t r = 0; r < m->nranks && counter >= 0; r++)
        count_rank(n, m->run, r, counter, out);
    if (counter < 0)
        return false;
    out->each = merged(n, m->nranks);
    memcpy(n->row, m->rank_total, m->nranks * sizeof *n->row);
    out->seconds = merged(n, m->nranks);
    return out->seconds > 0;
}

static double scale_of(const struct grown_counting *n, uint32_t run)
{
    return sca_comparable_scale(&n->c->comparable, run, n->cause->vertex);
}

/* ---- over the runs ---- */

static bool count_runs(const struct grown_counting *n, const char *name)
{
    for (uint32_t i = 0; i < n->c->nwhole; i++) {
        if (!count_run(n, &n->c->whole[i], name, &n->of_runs[i]))
            return false;
        n->x[i] = n->c->whole[i].nranks;
        n->y[i] = n->of_runs[i].each * scale_of(n, i);
    }
    return true;
}

/* Events of a rank scatter by chance as counts do, and as ranks of the run differ. */
static double noise_of(const struct grown_counting *n)
{
    double noise = 0;
    for (uint32_t i = 0; i < n->c->nwhole; i++)
        if (n->of_runs[i].each > 0)
            noise = fmax(noise, hypot(n->c->whole[i].noise_level, 1 / sqrt(n->of_runs[i].each)));
    return noise;
}

/* What a number of the smallest run promises for the largest, of all ranks. */
static double promised(const struct grown_counting *n, double events)
{
    const struct sca_measure *runs = n->c->whole;
    double more = (double)runs[n->c->nwhole - 1].nranks / runs[0].nranks;
    return events * scale_of(n, 0) * pow(more, 1 + n->expected_slope);
}

static bool is_beyond(const struct grown_counting *n)
{
    const struct counted_run *first = &n->of_runs[0], *last = &n->of_runs[n->c->nwhole - 1];
    double excess = last->events - promised(n, first->events);
    double here = last->at_place - promised(n, first->at_place);
    struct sca_fit fit;
    return excess > SCA_FIVE_SIGMAS * sqrt(last->events) && 2 * here > excess &&
           sca_fit_loglog(n->x, n->y, n->c->nwhole, noise_of(n), &fit) &&
           fit.low > n->expected_slope;
}

/* How much more there are in a second than in the smallest run; infinite: that had none. */
static double faster(const struct grown_counting *n)
{
    const struct counted_run *first = &n->of_runs[0], *last = &n->of_runs[n->c->nwhole - 1];
    return last->each / last->seconds / (first->each / first->seconds);
}

static struct sca_counter_grown told(const struct grown_counting *n, const char *name)
{
    const struct counted_run *first = &n->of_runs[0], *last = &n->of_runs[n->c->nwhole - 1];
    const struct sca_measure *runs = n->c->whole;
    double fewer = (double)runs[0].nranks / runs[n->c->nwhole - 1].nranks;
    return (struct sca_counter_grown){name, last->each, first->each, runs[0].nranks,
                                      promised(n, first->each) * fewer};
}

static struct sca_counter_grown fastest(const struct grown_counting *n)
{
    const struct sca_profile *profile = n->c->whole[n->c->nwhole - 1].run->profile;
    struct sca_counter_grown grown = {0};
    double most = 0;
    for (uint32_t i = 0; i < profile->nmetrics; i++) {
        if (!count_runs(n, profile->metrics[i]) || !is_beyond(n))
            continue;
        double ratio = faster(n);
        if (ratio < n->c->settings->abnorm_thd || ratio <= most)
            continue;
        most = ratio;
        grown = told(n, profile->metrics[i]);
    }
    return grown;
}

static void mark_place(struct grown_counting *n)
{
    n->inside = sca_workspace_alloc(n->c->space, n->c->ppg->nvertices, sizeof *n->inside);
    for (uint32_t i = 0; i < n->cause->nvertices; i++)
        for (uint32_t v = n->cause->vertices[i]; v < n->c->ends[n->cause->vertices[i]]; v++)
            n->inside[v] = true;
}

struct sca_counter_grown sca_counter_grown_of(const struct sca_analysis *c,
                                              const struct sca_finding *cause)
{
    const struct sca_evidence *grows = sca_evidence_find(&cause->evidence, SCA_EVIDENCE_GROWS);
    struct grown_counting n = {.c = c, .cause = cause};
    if (!grows || c->whole[0].nranks == c->whole[c->nwhole - 1].nranks)
        return (struct sca_counter_grown){0};
    n.expected_slope = grows->other;
    n.row = sca_workspace_alloc(c->space, c->whole[c->nwhole - 1].nranks, sizeof *n.row);
    n.x = sca_workspace_alloc(c->space, c->nwhole, sizeof *n.x);
    n.y = sca_workspace_alloc(c->space, c->nwhole, sizeof *n.y);
    n.of_runs = sca_workspace_alloc(c->space, c->nwhole, sizeof *n.of_runs);
    mark_place(&n);
    return fastest(&n);
}
