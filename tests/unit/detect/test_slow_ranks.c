/* Ranks that exact times show to be as slow as abnormal ones. */
#include "imbalance/slow_ranks.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 6, CHOSEN = 1, ASKED = 4 };

static const bool chosen[RANKS] = {[CHOSEN] = true};

/* In the steps all others take 2 s, the chosen one 4 s, and the one that is asked about `seconds`.
 */
static bool is_as_slow(double seconds, double least)
{
    struct program p = program_new();
    bool slow[RANKS];
    program_run(&p, RANKS, (double[RANKS]){2, 4, 2, 2, seconds, 2}, (double[RANKS]){0});
    struct measured d = measured_open(p.model);
    const struct sca_within place = {.ends = d.ends, .vertices = &p.work, .nvertices = 1};
    sca_slow_ranks_find(&d.space, &d.m[0], &place, chosen, least, slow);
    ck_assert(!slow[0] && !slow[CHOSEN] && !slow[2] && !slow[3] && !slow[5]);
    bool is = slow[ASKED];
    measured_close(&d);
    return is;
}

/* 3 s is half of what the chosen one has more. */
START_TEST(half_as_much_more_is_as_slow)
{
    ck_assert(is_as_slow(3.1, 1.3));
    ck_assert(!is_as_slow(2.9, 1.3));
    ck_assert(is_as_slow(9, 1.3));
}
END_TEST

START_TEST(and_so_many_times_as_much)
{
    ck_assert(is_as_slow(3.1, 1.5));
    ck_assert(!is_as_slow(3.1, 1.6));
}
END_TEST

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
    ck_assert_uint_eq(sca_slow_ranks_intervals(&d.space, &d.m[run], &place, both, &intervals), 1);
    ck_assert_uint_eq(intervals[0], step);
    ck_assert_uint_eq(sca_slow_ranks_intervals(&d.space, &d.m[run], &place, neither, &intervals),
                      0);
    double seconds[2];
    const bool on[] = {true, true, false};
    sca_slow_ranks_time_marked(&d.m[run], on, seconds);
    ck_assert_double_eq_tol(seconds[0], 1, 1e-9);
    measured_close(&d);
}
END_TEST

SCA_SUITE("slow_ranks", half_as_much_more_is_as_slow, and_so_many_times_as_much,
          intervals_with_little_of_the_place_are_left_out)
