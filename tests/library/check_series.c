/*
 * The series of recorded runs: that it is what libscalana promises.
 *
 * check_series RUN...   C11 and C++17; prints how many points there were
 */
#include "check.h"

#include <math.h>

static void check_point(const struct scalana_series_point *p, const struct scalana_series_loop *l,
                        uint64_t before)
{
    CHECK(p->first_iteration == before + 1 && p->last_iteration >= p->first_iteration);
    CHECK(p->own_min_s <= p->own_median_s && p->own_median_s <= p->own_max_s);
    CHECK(p->mpi_min_s <= p->mpi_median_s && p->mpi_median_s <= p->mpi_max_s);
    CHECK(p->cluster < l->nclusters && p->phase == NO && p->memory_bytes > 0);
    CHECK(p->load_balance > 0 && p->load_balance <= 1.01);
    CHECK(isnan(p->parallel_efficiency) == (l->shared_cores && isnan(p->serialisation)));
    CHECK(isnan(p->transfer_efficiency) == (l->shared_cores || isnan(p->serialisation)));
    CHECK(p->recorded >= 0 && !(p->serialisation > 1.01));
}

static uint64_t check_points(const scalana_runs *runs, uint32_t run, uint32_t loop,
                             const struct scalana_series_loop *l)
{
    struct scalana_series_point point;
    uint64_t before = l->before;
    for (uint32_t i = 0; i < l->npoints; i++) {
        CHECK(!scalana_series_points(runs, run, loop, i, 1, &point, sizeof point));
        check_point(&point, l, before);
        before = point.last_iteration;
    }
    FAILS(scalana_series_points(runs, run, loop, l->npoints, 1, &point, sizeof point),
          SCALANA_EINVAL, "points");
    return before - l->before;
}

/* A rank's own time is within what the ranks have in the iteration. */
static void check_ranks(const scalana_runs *runs, uint32_t run, uint32_t loop,
                        const struct scalana_series_loop *l)
{
    struct scalana_series_rank at;
    struct scalana_series_point point;
    uint32_t each = l->nrank_points / l->nranks;
    for (uint32_t i = 0; i < l->nrank_points; i++) {
        CHECK(!scalana_series_ranks(runs, run, loop, i, 1, &at, sizeof at));
        CHECK(at.rank < l->nranks && at.own_s >= 0);
        if (each != l->npoints)
            continue;
        CHECK(!scalana_series_points(runs, run, loop, i % each, 1, &point, sizeof point));
        CHECK(at.last_iteration == point.last_iteration);
        CHECK(at.own_s >= 0.99 * point.own_min_s && at.own_s <= 1.01 * point.own_max_s);
    }
}

static void check_clusters(const scalana_runs *runs, uint32_t run, uint32_t loop,
                           const struct scalana_series_loop *l, uint64_t iterations)
{
    struct scalana_series_cluster cluster;
    struct scalana_series_pattern pattern;
    for (uint32_t i = 0; i < l->nclusters; i++) {
        CHECK(!scalana_series_clusters(runs, run, loop, i, 1, &cluster, sizeof cluster));
        CHECK(cluster.iterations && cluster.iterations <= iterations);
        iterations -= cluster.iterations;
    }
    CHECK(!iterations);
    for (uint32_t i = 0; i < l->npatterns; i++) {
        CHECK(!scalana_series_patterns(runs, run, loop, i, 1, &pattern, sizeof pattern));
        CHECK(pattern.ratio > 0 && *pattern.acts);
    }
}

static uint32_t check_run(const scalana_runs *runs, uint32_t run)
{
    struct scalana_run about;
    struct scalana_series_loop loop;
    struct scalana_phase phase;
    uint32_t points = 0;
    CHECK(!scalana_runs_get(runs, run, 1, &about, sizeof about));
    for (uint32_t i = 0; i < about.nseries; i++) {
        CHECK(!scalana_run_series(runs, run, i, 1, &loop, sizeof loop));
        CHECK(loop.begin_s <= loop.end_s && loop.nranks == about.ranks && !loop.nleft_out);
        check_ranks(runs, run, i, &loop);
        check_clusters(runs, run, i, &loop, check_points(runs, run, i, &loop));
        points += loop.npoints;
    }
    CHECK(!about.nphases);
    FAILS(scalana_run_phases(runs, run, 0, 1, &phase, sizeof phase), SCALANA_EINVAL, "phases");
    FAILS(scalana_run_series(runs, run, about.nseries, 1, &loop, sizeof loop), SCALANA_EINVAL,
          "loops");
    return points;
}

int main(int argc, char **argv)
{
    CHECK(argc > 1);
    scalana_runs *runs = load(argv + 1, argc - 1);
    struct scalana_series_loop loop;
    struct scalana_series_point point;
    uint32_t points = 0;
    for (uint32_t run = 0; run < scalana_runs_count(runs); run++)
        points += check_run(runs, run);
    FAILS(scalana_run_series(NULL, 0, 0, 1, &loop, sizeof loop), SCALANA_EINVAL, "NULL");
    FAILS(scalana_series_points(runs, 0, 99, 0, 1, &point, sizeof point), SCALANA_EINVAL, "loop");
    printf("%u\n", points);
    scalana_runs_free(runs);
    return 0;
}
