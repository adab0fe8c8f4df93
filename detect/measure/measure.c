#include "measure/measure.h"
#include "base/degrees.h"
#include "base/shared_cores.h"

#include "stats/weighted_quantile.h"
#include "graph/ppg.h"
#include "stats/median.h"
#include "trace/trace_synthesis.h"
#include "stats/over_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t *sca_measure_subtree_ends(struct sca_workspace *space, const struct sca_ppg *ppg)
{
    uint32_t *end = sca_workspace_alloc(space, ppg->nvertices, sizeof *end);
    sca_ppg_ends(ppg, end);
    return end;
}

/* Memory that stays untouched costs nothing, and most vertices cost most ranks nothing. */
static void add_row(double *to, const double *from, uint32_t nranks)
{
    for (uint32_t r = 0; r < nranks; r++)
        if (from[r] != 0)
            to[r] += from[r];
}

static void add_up(const struct sca_ppg *ppg, const double *own, double *inclusive, uint32_t nranks)
{
    for (uint32_t v = 0; v < ppg->nvertices; v++)
        add_row(inclusive + (size_t)v * nranks, own + (size_t)v * nranks, nranks);
    for (uint32_t v = ppg->nvertices; v-- > 1;)
        add_row(inclusive + (size_t)ppg->vertices[v].parent * nranks,
                inclusive + (size_t)v * nranks, nranks);
}

bool sca_measure_is_present(const struct sca_measure *m, uint32_t rank)
{
    return m->run->profile->ranks[rank].present;
}

struct noise {                       /* of one rank, per vertex */
    double *variance, *per_interval; /* from sampling; seconds of error of the measurement */
    double *part; /* of the interval at hand, with all below; 0 between intervals */
    uint32_t *touched, ntouched;
};

static void add_part(const struct sca_ppg *ppg, uint32_t vertex, double part, struct noise *n)
{
    for (uint32_t v = vertex;; v = ppg->vertices[v].parent) {
        if (n->part[v] == 0)
            n->touched[n->ntouched++] = v;
        n->part[v] += part;
        if (v == ppg->vertices[v].parent)
            return;
    }
}

/* What the rank did in an interval beside being sampled. */
struct interval_time {
    double visits, off_cpu; /* seconds */
    uint32_t off_vertex;    /* that has them */
};

/*
 * The total of an interval is exact; samples only divide it, but for what was off the core. A
 * vertex that owns an interval alone has no sampling noise there, one with a part q as much as a
 * count of samples has (binomial). To that comes the error of the interval's measurement, which
 * does not average out.
 */
static void add_interval_noise(const struct sca_ppg *ppg, const struct sca_ppg_share *shares,
                               uint32_t n, const struct interval_time *t, struct noise *noise)
{
    double seconds = -t->off_cpu, samples = 0, unplaced = t->off_cpu;
    for (uint32_t i = 0; i < n; i++) {
        seconds += shares[i].seconds;
        samples += shares[i].samples;
        unplaced -= ppg->vertices[shares[i].vertex].blocks ? shares[i].seconds : 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        double on = shares[i].seconds - (shares[i].vertex == t->off_vertex ? unplaced : 0);
        if (ppg->vertices[shares[i].vertex].blocks)
            continue;
        if (on > 0 && seconds > 0)
            add_part(ppg, shares[i].vertex, on / seconds, noise);
    }
    double enough = fmax(1, samples);
    for (uint32_t i = 0; i < noise->ntouched; i++) {
        uint32_t v = noise->touched[i];
        double q = noise->part[v] > 1 ? 1 : noise->part[v];
        noise->variance[v] += seconds * seconds * q * (1 - q) / enough;
        noise->per_interval[v] += t->visits * q;
        noise->part[v] = 0;
    }
    noise->ntouched = 0;
}

/* Of several intervals in one interval, off the core is where the last is that was. */
static void time_intervals(const struct sca_measure *m, uint32_t rank, struct interval_time *times)
{
    const uint32_t *vertex = m->run->site_vertex;
    for (uint32_t g = 0; g < m->run->intervals.n; g++)
        times[g] = (struct interval_time){0, 0, SCA_NONE};
    struct sca_interval_matrix_row row = sca_interval_matrix_row(&m->matrix, rank);
    for (const struct sca_interval_cell *x = row.first; x < row.end; x++) {
        const struct sca_call_pair *of = &m->matrix.of[x->pair];
        struct interval_time *t = &times[of->interval];
        uint32_t to = vertex[of->site] == SCA_NONE ? 0 : vertex[of->site];
        t->visits += (double)x->count;
        t->off_cpu += x->off;
        if (x->off > 0)
            t->off_vertex = sca_ppg_vertex_between(m->ppg, vertex[of->previous], to);
    }
}

double sca_measure_usual_spread(const struct sca_measure *m)
{
    return m->level_known || m->shared ? m->noise_level : SCA_EQUAL_RANKS;
}

double sca_measure_interval_error(const struct sca_measure *m)
{
    return m->shared ? SCA_SHARED_CORE_GAP : SCA_OWN_CORE_GAP;
}

static void measure_noise(struct sca_workspace *space, struct sca_measure *m)
{
    const struct sca_ppg_run *run = m->run;
    uint32_t nintervals = run->intervals.n, nv = m->ppg->nvertices;
    double per_interval = sca_measure_interval_error(m);
    struct interval_time *times = sca_workspace_alloc(space, nintervals, sizeof *times);
    struct noise n = {sca_workspace_alloc(space, nv, sizeof(double)),
                      sca_workspace_alloc(space, nv, sizeof(double)),
                      sca_workspace_alloc(space, nv, sizeof(double)),
                      sca_workspace_alloc(space, nv, sizeof(uint32_t)), 0};
    for (uint32_t r = 0; r < m->nranks; r++) {
        memset(n.variance, 0, nv * sizeof(double));
        memset(n.per_interval, 0, nv * sizeof(double));
        time_intervals(m, r, times);
        for (uint32_t g = 0; g < nintervals; g++) {
            const uint32_t *first = &run->first_share[(size_t)r * nintervals + g];
            add_interval_noise(m->ppg, run->shares + first[0], first[1] - first[0], &times[g], &n);
        }
        for (uint32_t v = 0; v < nv; v++)
            if (n.variance[v] > 0 || n.per_interval[v] > 0)
                m->noise[(size_t)v * m->nranks + r] =
                    (float)hypot(sqrt(n.variance[v]), n.per_interval[v] * per_interval);
    }
}

/* Ranks that wait for messages keep their cores, so that only others can take a part of them. */
static double part_had(const struct sca_measure *m)
{
    if (!m->oversubscribed)
        return m->on_core;
    return m->cores ? m->on_core * m->nranks / m->cores : 1;
}

/* Seconds in calls that block: no word on whether others had the cores. */
static double measure_blocked(struct sca_measure *m)
{
    double in_calls = 0;
    for (uint32_t v = 0; v < m->ppg->nvertices; v++) {
        const double *row = m->run->blocked + (size_t)v * m->nranks;
        for (uint32_t r = 0; r < m->nranks; r++) {
            m->rank_blocked[r] += row[r];
            in_calls += m->ppg->vertices[v].blocks ? row[r] : 0;
        }
        m->awaited += m->run->awaited[v];
    }
    return in_calls + m->awaited;
}

/* Threads of a rank may keep a core busy together, on which each of them has a part: of the time
 * that they could run, what they did. Without threads the clocks of the rank say it. */
static double threads_on_core(const struct sca_measure *m, double cpu)
{
    double waited = 0;
    for (uint32_t r = 0; r < m->nranks && m->run->threads > 1; r++)
        waited += (double)m->run->profile->ranks[r].core_waited_ns;
    return cpu > 0 ? cpu / (cpu + waited) : 1;
}

static void measure_totals(struct sca_measure *m)
{
    const struct sca_profile *profile = m->run->profile;
    double cpu = 0, wall = -measure_blocked(m) * 1e9;
    for (uint32_t r = 0; r < m->nranks; r++) {
        const struct sca_rank *rank = &profile->ranks[r];
        m->npresent += rank->present;
        m->absent[r] = !rank->present;
        m->rank_total[r] = m->inclusive[r];
        m->total += m->inclusive[r];
        m->wall = fmax(m->wall, (double)rank->wall_ns * 1e-9);
        m->mpi += (double)rank->mpi_ns * 1e-9;
        m->tool += (double)rank->tool_ns * 1e-9;
        m->tool_interval += (double)rank->tool_gap_ns * 1e-9;
        cpu += (double)rank->cpu_ns;
        wall += (double)rank->wall_ns;
    }
    m->on_core = cpu > 0 && wall > 0 ? fmin(cpu / wall, threads_on_core(m, cpu)) : 1;
    m->shared = m->oversubscribed || m->on_core < SCA_MOST;
    m->had = part_had(m);
}

static void measure_medians(struct sca_workspace *space, struct sca_measure *m)
{
    double *row = sca_workspace_alloc(space, m->nranks, sizeof *row);
    m->median = sca_workspace_alloc(space, m->ppg->nvertices, sizeof *m->median);
    for (uint32_t v = 0; v < m->ppg->nvertices; v++)
        m->median[v] =
            sca_over_ranks_median(m->run->comp + (size_t)v * m->nranks, m->nranks, m->absent, row);
}

/* Ranks that differ by more do it more often, or instead of something else. */
static uint32_t keep_alike(double *row, uint32_t n, double median)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (row[i] > median / SCA_TWICE && row[i] < median * SCA_TWICE)
            row[kept++] = row[i];
    return kept;
}

/* Of the ranks that are present. */
static uint32_t take_present(const struct sca_measure *m, const double *from, double *row)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        if (sca_measure_is_present(m, r))
            row[n++] = from[r];
    return n;
}

static double deviation_of(double *row, uint32_t n, double median)
{
    n = keep_alike(row, n, median);
    for (uint32_t i = 0; i < n; i++)
        row[i] = fabs(row[i] - median) / median;
    return n > 2 ? sca_median(row, n) : fmax(row[0], row[n - 1]);
}

/* Deviations from the ranks' median in each phase, weighted by that: those of ranks that do the
 * same. */
static uint32_t list_deviations(const struct sca_measure *m, double *row, struct sca_weighted *list,
                                double *weight)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < m->phases.n; p++) {
        uint32_t present = take_present(m, sca_phases_row(&m->phases, m->run, p), row);
        double median = sca_median(row, present);
        if (median * m->npresent < SCA_NEGLIGIBLE * m->total)
            continue;
        list[n++] = (struct sca_weighted){deviation_of(row, present, median), median};
        *weight += median;
    }
    return n;
}

/*
 * How much ranks that do the same differ, beside what samples scatter: the median deviation from
 * the ranks' median, of phases, which no sampling divides. Half of the ranks may be abnormal
 * without showing here, and half of the phases. Few ranks do not say what is usual.
 */
static void measure_level(struct sca_workspace *space, struct sca_measure *m)
{
    double *row = sca_workspace_alloc(space, m->nranks, sizeof *row), weight = 0;
    struct sca_weighted *list = sca_workspace_alloc(space, m->phases.n, sizeof *list);
    double usual = m->shared ? SCA_USUAL_SHARED : SCA_USUAL_OWN;
    uint32_t n = list_deviations(m, row, list, &weight);
    bool enough = n && m->npresent >= SCA_SEVERAL;
    m->noise_level = usual;
    m->level_known = enough;
    if (enough)
        m->noise_level =
            fmin(usual, fmax(SCA_EQUAL_RANKS,
                             SCA_NORMAL_MAD * sca_weighted_quantile(list, n, weight, 0.5)));
}

static void find_tracks(struct sca_workspace *space, struct sca_measure *m)
{
    const struct sca_profile *p = m->run->profile;
    const struct sca_intervals *intervals = &m->run->intervals;
    uint32_t last = 0;
    for (uint32_t s = 0; s < p->nsites; s++)
        last = p->sites[s].thread > last ? p->sites[s].thread : last;
    if (!last)
        return;
    m->ntracks = 1 + last;
    m->track = sca_workspace_alloc(space, intervals->n, sizeof *m->track);
    for (uint32_t i = 0; i < intervals->n; i++)
        m->track[i] = (uint8_t)(1 + p->sites[sca_intervals_site(intervals, i)].thread);
}

/* Of the time between MPI calls, what ranks had of their cores. */
static double part_on_core(const struct sca_measure *m)
{
    double between = -m->mpi;
    for (uint32_t r = 0; r < m->nranks; r++)
        between += (double)m->run->profile->ranks[r].wall_ns * 1e-9;
    return m->shared && between > 0 ? fmin(1, m->total / between) : 1;
}

void sca_measure_run(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t run,
                     struct sca_measure *out)
{
    const struct sca_ppg_run *r = &ppg->runs[run];
    size_t cells = (size_t)ppg->nvertices * r->nranks;
    *out = (struct sca_measure){.ppg = ppg, .run = r, .nranks = r->nranks};
    find_tracks(space, out);
    out->inclusive = sca_workspace_alloc(space, cells, sizeof(double));
    out->noise = sca_workspace_alloc(space, cells, sizeof *out->noise);
    out->absent = sca_workspace_alloc(space, r->nranks, sizeof *out->absent);
    out->rank_total = sca_workspace_alloc(space, r->nranks, sizeof(double));
    out->rank_blocked = sca_workspace_alloc(space, r->nranks, sizeof(double));
    out->oversubscribed = sca_shares_cores(r->profile);
    if (!strcmp(sca_profile_meta(r->profile, "hosts", "0"), "1"))
        out->cores = (uint32_t)strtoul(sca_profile_meta(r->profile, "host.cores", "0"), NULL, 10);
    if (out->oversubscribed && out->cores)
        sca_core_use_fill(space, r->profile, &out->core_use);
    sca_core_waits_find(space, r->profile, &out->core_waits);
    sca_interval_matrix_fill(space, r, &out->matrix);
    add_up(ppg, r->comp, out->inclusive, r->nranks);
    measure_totals(out);
    measure_medians(space, out);
    sca_phases_find(space, ppg, r, &out->phases);
    measure_level(space, out);
    measure_noise(space, out);
    sca_other_world_measure(space, r, part_on_core(out), &out->other_world);
}

struct shares { /* of one interval, or of some that follow each other */
    const struct sca_ppg_share *first, *end;
};

static struct shares shares_of(const struct sca_measure *m, uint32_t rank, uint32_t from,
                               uint32_t to)
{
    const struct sca_ppg_run *run = m->run;
    const uint32_t *first = &run->first_share[(size_t)rank * run->intervals.n];
    return (struct shares){run->shares + first[from], run->shares + first[to]};
}

static struct shares shares_in(const struct sca_measure *m, uint32_t rank, uint32_t interval)
{
    bool none = interval == SCA_NONE;
    return shares_of(m, rank, none ? 0 : interval, none ? 0 : interval + 1);
}

static double sum_up(struct shares s)
{
    double seconds = 0;
    for (; s.first < s.end; s.first++)
        seconds += s.first->seconds;
    return seconds;
}

double sca_measure_seconds_in(const struct sca_measure *m, uint32_t rank, uint32_t interval)
{
    return sum_up(shares_in(m, rank, interval));
}

double sca_measure_seconds_after(const struct sca_measure *m, uint32_t rank, uint32_t site)
{
    const uint32_t *first = &m->run->intervals.first[site];
    return sum_up(shares_of(m, rank, first[0], first[1]));
}

void sca_measure_add_in(const struct sca_measure *m, uint32_t rank, uint32_t interval,
                        double *by_vertex)
{
    struct shares s = shares_in(m, rank, interval);
    for (; s.first < s.end; s.first++)
        by_vertex[s.first->vertex] += s.first->seconds;
}

double sca_measure_part_in(const struct sca_measure *m, const uint32_t *ends,
                           const uint32_t *vertices, uint32_t nvertices, uint32_t rank,
                           uint32_t interval)
{
    struct shares s = shares_in(m, rank, interval);
    double seconds = 0;
    for (; s.first < s.end; s.first++)
        for (uint32_t k = 0; k < nvertices; k++)
            if (s.first->vertex >= vertices[k] && s.first->vertex < ends[vertices[k]])
                seconds += s.first->seconds;
    return seconds;
}

static bool is_at(uint32_t vertex, const uint32_t *ends, const uint32_t *vertices,
                  uint32_t nvertices)
{
    for (uint32_t k = 0; k < nvertices; k++)
        if (vertex >= vertices[k] && vertex < ends[vertices[k]])
            return true;
    return false;
}

double sca_measure_samples_at(const struct sca_measure *m, const uint32_t *ends,
                              const uint32_t *vertices, uint32_t nvertices, const uint32_t *ranks,
                              uint32_t nranks)
{
    const struct sca_ppg_run *run = m->run;
    double samples = 0;
    for (uint32_t k = 0; k < nranks; k++) {
        const uint32_t *first = &run->first_share[(size_t)ranks[k] * run->intervals.n];
        for (uint32_t i = first[0]; i < first[run->intervals.n]; i++)
            if (is_at(run->shares[i].vertex, ends, vertices, nvertices))
                samples += (double)run->shares[i].samples;
    }
    return samples;
}

double sca_measure_place_seconds(const struct sca_measure *m, const uint32_t *vertices,
                                 uint32_t nvertices, uint32_t rank)
{
    double seconds = 0;
    for (uint32_t k = 0; k < nvertices; k++)
        seconds += m->inclusive[(size_t)vertices[k] * m->nranks + rank];
    return seconds;
}

double sca_measure_place_variance(const struct sca_measure *m, const uint32_t *vertices,
                                  uint32_t nvertices, uint32_t rank)
{
    double variance = 0;
    for (uint32_t k = 0; k < nvertices; k++) {
        double noise = m->noise[(size_t)vertices[k] * m->nranks + rank];
        variance += noise * noise;
    }
    return variance;
}

void sca_measure_add_place(const struct sca_measure *m, const uint32_t *vertices,
                           uint32_t nvertices, double *seconds)
{
    for (uint32_t k = 0; k < nvertices; k++)
        for (uint32_t r = 0; r < m->nranks; r++)
            seconds[r] += m->inclusive[(size_t)vertices[k] * m->nranks + r];
}
