/* By how much a walk is shorter than the run. */
#include "base/workspace.h"
#include "measured.h"
#include "trace/trace_scale.h"
#include "check_main.h"

/* One rank: so many rounds of an outer loop, and of an inner one in all of them. */
static double factor(uint64_t outer, uint64_t inner)
{
    struct model *model = model_new();
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t halo = model_vertex(model, 0, SCA_MPI, "MPI_Sendrecv", "main", 20);
    uint32_t sum = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 30);
    uint32_t run = model_run(model, 1);
    uint32_t in = model_site(model, run, halo), out = model_site(model, run, sum);
    model_work(model, run, 0, in, out, outer, work, 1);
    if (inner)
        model_work(model, run, 0, in, in, inner, work, 1);
    const struct sca_profile *profile = model_ppg(model)->runs[run].profile;
    struct sca_workspace space = test_room();
    double found = sca_trace_scale_factor(&space, profile, sca_workspace_opened(&space, profile));
    sca_workspace_free(&space);
    model_free(model);
    return found;
}

START_TEST(what_is_short_enough_stays)
{
    ck_assert_double_eq(factor(10, 0), 1);
    ck_assert_double_eq(factor(300000, 0), 1);
}
END_TEST

/* 600,015 calls are twice what a walk may have, and a little: of 15 rounds it makes 7. */
START_TEST(whole_rounds_are_left)
{
    ck_assert_double_eq_tol(factor(15, 600000), 15.0 / 7, 1e-12);
}
END_TEST

/* Of one round with all in it nothing can be left out; of the inner loop's it can. */
START_TEST(one_round_is_not_divided)
{
    double found = factor(1, 900000);
    ck_assert_double_ge(found, 3);
    ck_assert_double_le(found, 3.0001);
}
END_TEST

START_TEST(counts_are_rounded_down_but_multiples_stay)
{
    ck_assert_uint_eq(sca_trace_scale_count(15, 15.0 / 7), 7);
    ck_assert_uint_eq(sca_trace_scale_count(14, 15.0 / 7), 6);
    ck_assert_uint_eq(sca_trace_scale_count(600000, 15.0 / 7), 280000);
    ck_assert_uint_eq(sca_trace_scale_count(1, 2), 0);
    ck_assert_uint_eq(sca_trace_scale_count(0, 3), 0);
    ck_assert_uint_eq(sca_trace_scale_count(12345, 1), 12345);
    ck_assert_uint_eq(sca_trace_scale_count(3, 0.1 * 3 * 10 / 3), 3);
}
END_TEST

SCA_SUITE("trace_scale", what_is_short_enough_stays, whole_rounds_are_left,
          one_round_is_not_divided, counts_are_rounded_down_but_multiples_stay)
