#include "measure.h"

#include "walk.h"

#include <math.h>
#include <string.h>

uint32_t *sca_subtree_ends(struct sca_room *room, const struct sca_ppg *ppg)
{
    uint32_t *end = sca_room_alloc(room, ppg->nvertices, sizeof *end);
    for (uint32_t v = ppg->nvertices; v-- > 0;) {
        uint32_t parent = ppg->vertices[v].parent;
        if (end[v] < v + 1)
            end[v] = v + 1;
        if (parent < v && end[parent] < end[v])
            end[parent] = end[v];
    }
    return end;
}

static void add_up(const struct sca_ppg *ppg, double *matrix, uint32_t nranks)
{
    for (uint32_t v = ppg->nvertices; v-- > 1;) {
        double *from = matrix + (size_t)v * nranks;
        double *to = matrix + (size_t)ppg->vertices[v].parent * nranks;
        for (uint32_t r = 0; r < nranks; r++)
            to[r] += from[r];
    }
}

#define OWN_CORE_GAP    0.1e-6 /* seconds of error per gap: reading the clock */
#define SHARED_CORE_GAP 2e-6   /* and what a rank pays for having been switched out: cold caches */
#define BUSY            0.75   /* ranks that run for less than that of their time share cores */

struct gap { /* the computation of one rank after one site */
    double seconds, count;
};

struct touched { /* per vertex, summed over the gaps that it or something below takes part in */
    struct gap *gap;
    uint32_t *stamp, mark;
};

/* Adds the gap once to every vertex that takes part in it, and to those above. */
static void touch(const struct sca_ppg *ppg, const struct sca_ppg_share *shares, uint32_t n,
                  const struct gap *gap, struct touched *t)
{
    t->mark++;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t v = shares[i].vertex; t->stamp[v] != t->mark; v = ppg->vertices[v].parent) {
            t->stamp[v] = t->mark;
            t->gap[v].seconds += gap->seconds;
            t->gap[v].count += gap->count;
        }
}

/*
 * The total of a gap is exact; samples only divide it. A vertex that owns its gaps alone has no
 * sampling noise, one with a part q of them as much as a count of its samples (binomial). To that
 * comes the error of each gap's measurement, which does not average out.
 */
static float one_noise(double seconds, const struct gap *touched, double samples, double per_gap)
{
    double q = touched->seconds > 0 ? fmin(1, seconds / touched->seconds) : 1;
    return (float)hypot(seconds * sqrt((1 - q) / fmax(1, samples)), q * touched->count * per_gap);
}

static void count_gaps(const struct sca_profile *profile, uint32_t rank, struct gap *gaps)
{
    const struct sca_rank *r = &profile->ranks[rank];
    memset(gaps, 0, profile->nsites * sizeof *gaps);
    for (uint32_t i = 0; i < r->nintervals; i++) {
        gaps[r->intervals[i].previous].count += (double)r->intervals[i].count;
        gaps[r->intervals[i].previous].seconds += sca_interval_seconds(profile, &r->intervals[i]);
    }
}

static void measure_noise(struct sca_room *room, struct sca_measure *m)
{
    const struct sca_ppg *ppg = m->ppg;
    const struct sca_ppg_run *run = m->run;
    uint32_t nsites = run->profile->nsites, nv = ppg->nvertices;
    struct gap *gaps = sca_room_alloc(room, nsites, sizeof *gaps);
    struct touched t = {sca_room_alloc(room, nv, sizeof *t.gap),
                        sca_room_alloc(room, nv, sizeof *t.stamp), 0};
    double *samples = sca_room_alloc(room, nv, sizeof *samples);
    for (uint32_t r = 0; r < m->nranks; r++) {
        memset(t.gap, 0, nv * sizeof *t.gap);
        count_gaps(run->profile, r, gaps);
        for (uint32_t s = 0; s < nsites; s++) {
            const uint32_t *first = &run->first_share[(size_t)r * nsites + s];
            touch(ppg, run->shares + first[0], first[1] - first[0], &gaps[s], &t);
        }
        sca_ppg_inclusive(ppg, run->samples, m->nranks, r, samples);
        for (uint32_t v = 0; v < nv; v++) {
            size_t i = (size_t)v * m->nranks + r;
            m->noise[i] = one_noise(m->inclusive[i], &t.gap[v], samples[v],
                                    m->shared ? SHARED_CORE_GAP : OWN_CORE_GAP);
        }
    }
}

static void measure_totals(struct sca_measure *m)
{
    const struct sca_profile *profile = m->run->profile;
    double cpu = 0, wall = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct sca_rank *rank = &profile->ranks[r];
        m->rank_total[r] = m->inclusive[r];
        m->total += m->inclusive[r];
        m->wall = fmax(m->wall, (double)rank->wall_ns * 1e-9);
        m->mpi += (double)rank->mpi_ns * 1e-9;
        m->tool += (double)rank->tool_ns * 1e-9;
        cpu += (double)rank->cpu_ns;
        wall += (double)rank->wall_ns;
    }
    m->on_core = cpu > 0 && wall > 0 ? cpu / wall : 1;
    m->shared = m->oversubscribed || m->on_core < BUSY;
}

void sca_measure_run(struct sca_room *room, const struct sca_ppg *ppg, uint32_t run,
                     struct sca_measure *out)
{
    const struct sca_ppg_run *r = &ppg->runs[run];
    size_t cells = (size_t)ppg->nvertices * r->nranks;
    *out = (struct sca_measure){.ppg = ppg, .run = r, .nranks = r->nranks};
    out->inclusive = sca_room_grow(room, r->comp, cells, cells, sizeof(double));
    out->noise = sca_room_alloc(room, cells, sizeof *out->noise);
    out->rank_total = sca_room_alloc(room, r->nranks, sizeof(double));
    out->oversubscribed = !strcmp(sca_profile_meta(r->profile, "oversubscribed", "0"), "1");
    add_up(ppg, out->inclusive, r->nranks);
    measure_totals(out);
    measure_noise(room, out);
}
