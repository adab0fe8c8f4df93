/*
 * The backtracking paths of a report and the counters that tell of its causes, a line for each and
 * for each step; and that they are what libscalana promises.
 *
 * check_paths REPORT   C11 and C++17
 */
#include "check.h"

static void check_path(const scalana_report *report, uint32_t i, const struct scalana_summary *s)
{
    struct scalana_path path;
    struct scalana_step step;
    CHECK(!scalana_report_paths(report, i, 1, &path, sizeof path) && path.nsteps && path.start);
    CHECK(path.cause == NO || path.cause < s->ncauses);
    printf("path %s %.9g %d\n", path.start, path.wait_s, path.cause == NO ? -1 : (int)path.cause);
    for (uint32_t k = 0; k < path.nsteps; k++) {
        CHECK(!scalana_path_steps(report, i, k, 1, &step, sizeof step));
        CHECK(step.vertex < s->nvertices);
        printf("step %u %u %s\n", step.vertex, step.rank, step.via);
    }
    FAILS(scalana_path_steps(report, i, path.nsteps, 1, &step, sizeof step), SCALANA_EINVAL,
          "steps");
}

static void check_counter(const scalana_report *report, uint32_t i)
{
    struct scalana_cause cause;
    CHECK(!scalana_report_causes(report, i, 1, &cause, sizeof cause) && cause.counter);
    printf("counter '%s' %.9g %.9g %u %.9g %.9g\n", cause.counter, cause.counter_each,
           cause.counter_others_each, cause.counter_fewest, cause.counter_fewest_each,
           cause.counter_expected_each);
}

int main(int argc, char **argv)
{
    scalana_report *report;
    struct scalana_summary s;
    struct scalana_path path;
    struct scalana_step step;
    if (argc != 2)
        return 2;
    CHECK(!scalana_report_read(argv[1], &report) && !scalana_report_get(report, &s, sizeof s));
    printf("left out %u\n", s.npaths_left_out);
    for (uint32_t i = 0; i < s.npaths; i++)
        check_path(report, i, &s);
    FAILS(scalana_report_paths(report, s.npaths, 1, &path, sizeof path), SCALANA_EINVAL, "paths");
    FAILS(scalana_path_steps(report, s.npaths, 0, 1, &step, sizeof step), SCALANA_EINVAL, "path");
    for (uint32_t i = 0; i < s.ncauses; i++)
        check_counter(report, i);
    scalana_report_free(report);
    return 0;
}
