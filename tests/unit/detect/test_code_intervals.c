/* The intervals in which a place's code runs. */
#include "imbalance/code_intervals.h"
#include "measured.h"
#include "check_main.h"

/* The place is in the steps for 9 parts of 10 and before them for one; something else follows. */
START_TEST(intervals_with_little_of_the_place_are_left_out)
{
    struct model *model = model_new();
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t other = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    uint32_t sum = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 30);
    uint32_t end = model_vertex(model, 0, SCA_MPI, "MPI_Barrier", "main", 40);
    uint32_t run = model_run(model, 2), *intervals;
    uint32_t step = model_site(model, run, sum), last = model_site(model, run, end);
    for (uint32_t r = 0; r < 2; r++) {
        model_work(model, run, r, 0, step, 1, work, 0.05);
        model_work(model, run, r, step, last, 10, work, 0.95);
        model_work(model, run, r, last, step, 10, other, 2);
    }
    struct measured d = measured_open(model);
    const struct sca_within place = {.ends = d.ends, .vertices = &work, .nvertices = 1};
    const bool both[] = {true, true}, neither[] = {false, false};
    ck_assert_uint_eq(sca_code_intervals_list(&d.space, &d.m[run], &place, both, &intervals), 1);
    ck_assert_uint_eq(intervals[0], step);
    ck_assert_uint_eq(sca_code_intervals_list(&d.space, &d.m[run], &place, neither, &intervals), 0);
    double seconds[2];
    const bool on[] = {true, true, false};
    sca_code_intervals_time(&d.m[run], on, seconds);
    ck_assert_double_eq_tol(seconds[0], 1, 1e-9);
    measured_close(&d);
}
END_TEST

SCA_SUITE("code_intervals", intervals_with_little_of_the_place_are_left_out)
