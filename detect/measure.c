#include "measure.h"

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

/* Seconds of one rank's gaps after site s. */
static double gap_seconds(const struct sca_ppg_share *shares, uint32_t n)
{
    double seconds = 0;
    for (uint32_t i = 0; i < n; i++)
        seconds += shares[i].seconds;
    return seconds;
}

/* Adds the gap once to every vertex that takes part in it, and to those above. */
static void touch(const struct sca_ppg *ppg, const struct sca_ppg_share *shares, uint32_t n,
                  double *touched, uint32_t *stamp, uint32_t mark)
{
    double seconds = gap_seconds(shares, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t v = shares[i].vertex; stamp[v] != mark; v = ppg->vertices[v].parent) {
            stamp[v] = mark;
            touched[v] += seconds;
        }
}

/*
 * The total of a gap is exact; samples only divide it. A vertex that owns its gaps alone has no
 * noise, one with a part q of them as much as a count of its samples (binomial).
 */
static float share_noise(double seconds, double touched, double samples)
{
    double q = touched > 0 ? fmin(1, seconds / touched) : 1;
    return (float)(seconds * sqrt((1 - q) / fmax(1, samples)));
}

static void measure_noise(struct sca_room *room, struct sca_measure *m)
{
    const struct sca_ppg *ppg = m->ppg;
    const struct sca_ppg_run *run = m->run;
    uint32_t nsites = run->profile->nsites, nv = ppg->nvertices, mark = 0;
    double *touched = sca_room_alloc(room, nv, sizeof *touched);
    double *samples = sca_room_alloc(room, nv, sizeof *samples);
    uint32_t *stamp = sca_room_alloc(room, nv, sizeof *stamp);
    for (uint32_t r = 0; r < m->nranks; r++) {
        memset(touched, 0, nv * sizeof *touched);
        for (uint32_t s = 0; s < nsites; s++) {
            size_t gap = (size_t)r * nsites + s;
            uint32_t first = run->first_share[gap], n = run->first_share[gap + 1] - first;
            touch(ppg, run->shares + first, n, touched, stamp, ++mark);
        }
        sca_ppg_inclusive(ppg, run->samples, m->nranks, r, samples);
        for (uint32_t v = 0; v < nv; v++) {
            size_t i = (size_t)v * m->nranks + r;
            m->noise[i] = share_noise(m->inclusive[i], touched[v], samples[v]);
        }
    }
}

static void measure_totals(struct sca_measure *m)
{
    const struct sca_profile *profile = m->run->profile;
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct sca_rank *rank = &profile->ranks[r];
        m->rank_total[r] = m->inclusive[r];
        m->total += m->inclusive[r];
        m->wall = fmax(m->wall, (double)rank->wall_ns * 1e-9);
        m->mpi += (double)rank->mpi_ns * 1e-9;
        m->tool += (double)rank->tool_ns * 1e-9;
    }
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
