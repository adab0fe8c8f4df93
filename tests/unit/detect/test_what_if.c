/* What equalising a cause saves, by a replay. */
#include "verdict/ranking.h"
#include "replay_script.h"
#include "price/smoothing.h"
#include "price/shortlist.h"
#include "check_main.h"

enum { RANKS = 3 };

static struct script *s;
static struct staged st;
static uint32_t first, second;
static double factor[2][RANKS];
static uint32_t of_rank[2] = {0, 1};
static struct sca_finding causes[3];
static const struct sca_finding *order[3];
static struct sca_gain gains[3];

/* Of the first n causes, those that gain as much. */
static uint32_t rank(uint32_t n, double least)
{
    struct sca_finding_list list = {.count = n, .items = order};
    for (uint32_t i = 0; i < n; i++) {
        causes[i].number = i;
        order[i] = &causes[i];
        gains[i] = (struct sca_gain){0};
    }
    return sca_ranking_order(&st.space, &st.stage, &list, least, gains);
}

/* A barrier after each of two phases: rank 0 has `a` seconds in the first and rank 1 `b` in the
 * second, where all others have one. Equalised, both have one. */
static void begin(double a, double b)
{
    s = script_new(RANKS);
    first = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t one = script_site(s, "MPI_Barrier", 20);
    second = model_vertex(s->model, 0, SCA_LOOP, "", "main", 30);
    uint32_t two = script_site(s, "MPI_Barrier", 40);
    for (uint32_t r = 0; r < RANKS; r++) {
        double in_first = r == 0 ? a : 1, in_second = r == 1 ? b : 1;
        script_collective(s, r, in_first, one, SCA_ALL_TO_ALL, -1, 0);
        script_collective(s, r, in_second, two, SCA_ALL_TO_ALL, -1, 1);
        script_work(s, r, two, one, first, in_first);
        script_work(s, r, one, two, second, in_second);
        factor[0][r] = r == 0 ? 1 / a : 1;
        factor[1][r] = r == 1 ? 1 / b : 1;
    }
    script_stage(s, &st);
    uint32_t *vertices[] = {&first, &second};
    for (int i = 0; i < 2; i++)
        causes[i] = (struct sca_finding){.vertex = *vertices[i],
                                         .nvertices = 1,
                                         .vertices = vertices[i],
                                         .nranks = 1,
                                         .ranks = &of_rank[i],
                                         .excess = i ? b - 1 : a - 1,
                                         .transform.factor = factor[i]};
}

static void end(void)
{
    staged_end(s, &st);
}

START_TEST(a_stage_stands_as_measured)
{
    begin(3, 2);
    ck_assert_double_eq_tol(st.stage.duration, 5, 1e-6);
    ck_assert_double_eq_tol(st.stage.ideal, 5, 1e-6);
    ck_assert_double_eq_tol(st.stage.waits, 2 * 2 + 2 * 1, 1e-6);
    ck_assert_uint_eq(st.stage.forced, 0);
    end();
}
END_TEST

START_TEST(equalised_the_others_wait_no_longer)
{
    const struct sca_finding *both[] = {&causes[0], &causes[1]};
    begin(3, 2);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, both, 1), 3, 1e-6);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, both + 1, 1), 4, 1e-6);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, both, 2), 2, 1e-6);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, NULL, 0), 5, 1e-6);
    end();
}
END_TEST

/* Done at the same time it is off the path, but rank 0 still computes four seconds; what another
 * cause takes from rank 1 is none of these. */
START_TEST(what_is_done_at_the_same_time_is_still_done)
{
    const struct sca_finding *both[] = {&causes[0], &causes[1]};
    begin(3, 2);
    causes[0].category = SCA_CAUSE_SERIAL;
    causes[0].nranks = 2;
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, both, 1), 4, 1e-6);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, both, 2), 4, 1e-6);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, both + 1, 1), 4, 1e-6);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, NULL, 0), 5, 1e-6);
    end();
}
END_TEST

/* Three ranks that end a second earlier: three core-seconds. */
START_TEST(gains_are_of_all_ranks_and_the_greatest_is_first)
{
    begin(2, 3);
    ck_assert_uint_eq(rank(2, 0.1), 2);
    ck_assert_uint_eq(order[0]->vertex, second);
    ck_assert_double_eq_tol(gains[1].gain, 6, 1e-6);
    ck_assert_double_eq_tol(gains[0].gain, 3, 1e-6);
    end();
}
END_TEST

START_TEST(what_gains_too_little_is_not_among_them)
{
    begin(2, 3);
    ck_assert_uint_eq(rank(2, 3.1), 1);
    end();
    begin(2, 3);
    ck_assert_uint_eq(rank(2, 6.1), 0);
    end();
    begin(2, 3);
    ck_assert_uint_eq(rank(0, 0.1), 0);
    end();
}
END_TEST

/* Ranks 0 and 1 are late by two seconds, for different reasons: mending one of them saves nothing,
 * both together six core-seconds. The call they meet in. */
static uint32_t begin_hidden_by_each_other(void)
{
    s = script_new(RANKS);
    first = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    second = model_vertex(s->model, 0, SCA_LOOP, "", "main", 12);
    uint32_t all = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_collective(s, r, r < 2 ? 3 : 1, all, SCA_ALL_TO_ALL, -1, 0);
        script_work(s, r, all, all, r == 1 ? second : first, r < 2 ? 3 : 1);
    }
    script_stage(s, &st);
    for (int i = 0; i < 2; i++) {
        for (uint32_t r = 0; r < RANKS; r++)
            factor[i][r] = r == of_rank[i] ? 1.0 / 3 : 1;
        causes[i] = (struct sca_finding){.vertex = i ? second : first,
                                         .nvertices = 1,
                                         .vertices = i ? &second : &first,
                                         .nranks = 1,
                                         .ranks = &of_rank[i],
                                         .excess = 2,
                                         .transform.factor = factor[i]};
    }
    return all;
}

START_TEST(those_that_help_only_together_share_what_they_save)
{
    begin_hidden_by_each_other();
    const struct sca_finding *one = &causes[0];
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, &one, 1), 3, 1e-6);
    ck_assert_uint_eq(rank(2, 0.5), 2);
    ck_assert_double_eq_tol(gains[0].gain + gains[1].gain, 6, 1e-6);
    ck_assert_double_gt(gains[0].gain, 0);
    ck_assert_double_gt(gains[1].gain, 0);
    end();
}
END_TEST

/* Instances that scatter are late in turn, too, wherever one looks. */
START_TEST(what_is_late_in_turn_must_save_enough_alone)
{
    double late[2 * RANKS] = {[1] = 2, [RANKS + 1] = 2}; /* rank 1 in both halves of a window */
    const struct sca_finding *both[] = {&causes[0], &causes[1]};
    uint32_t all = begin_hidden_by_each_other();
    struct sca_rotating_interval in = {.previous = all, .site = all, .late = late};
    causes[1].transform.rotating = &in;
    causes[1].transform.nrotating = 1;
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, both, 2), 1, 1e-6);
    ck_assert_uint_eq(rank(2, 0.5), 0);
    end();
}
END_TEST

/* One that rotates, and saves nothing, is no reason not to look at the others together. */
START_TEST(others_may_help_together_beside_what_is_late_in_turn)
{
    double late[2 * RANKS] = {[2] = 0.1, [RANKS + 2] = 0.1};
    uint32_t all = begin_hidden_by_each_other();
    struct sca_rotating_interval in = {.previous = all, .site = all, .late = late};
    causes[2] = causes[1];
    causes[2].transform.rotating = &in;
    causes[2].transform.nrotating = 1;
    ck_assert_uint_eq(rank(3, 0.5), 2);
    ck_assert_double_eq_tol(gains[0].gain + gains[1].gain, 6, 1e-6);
    ck_assert_double_eq(gains[2].gain, 0);
    end();
}
END_TEST

/* Rank 0 takes 4 s in each of four steps, the others 1 and 3 s by turns. With 8 s less it waits for
 * one of them in each step; were the steps of a rank alike, all would take 2 s. */
START_TEST(without_scatter_nobody_waits_for_it)
{
    s = script_new(RANKS);
    first = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t all = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < 4; i++) {
            double seconds = r == 0 ? 4 : 1 + 2 * ((i + r) % 2);
            script_collective(s, r, seconds, all, SCA_ALL_TO_ALL, -1, i);
            script_work(s, r, all, all, first, seconds);
            factor[0][r] = r == 0 ? 0.5 : 1;
        }
    script_stage(s, &st);
    causes[0] = (struct sca_finding){
        .vertex = first, .nvertices = 1, .vertices = &first, .transform.factor = factor[0]};
    const struct sca_finding *one = &causes[0];
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, &one, 1), 4 * 3, 1e-6);
    const struct sca_intervals *intervals = &st.measure.run->intervals;
    uint32_t number = sca_intervals_number(intervals, all, all);
    intervals->next[number] = all; /* all that lies behind the call leads to the same one */
    st.measure.shared = true;
    sca_what_if_even(&st.stage, &(struct sca_smoothing_findings){0});
    ck_assert_uint_eq(sca_smoothing_most_uneven(&st.stage), number);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, NULL, 0), 4 * 4, 1e-6);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, &one, 1), 4 * 2, 1e-6);
    end();
}
END_TEST

/* One rank takes 3 s in each of four steps, by turns, the others 1 s: no scatter, if a finding says
 * so. */
START_TEST(what_the_program_makes_long_is_no_scatter)
{
    s = script_new(RANKS);
    first = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t all = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < RANKS; i++) {
            double seconds = r == i ? 3 : 1;
            script_collective(s, r, seconds, all, SCA_ALL_TO_ALL, -1, i);
            script_work(s, r, all, all, first, seconds);
        }
    script_stage(s, &st);
    const struct sca_intervals *intervals = &st.measure.run->intervals;
    intervals->next[sca_intervals_number(intervals, all, all)] = all;
    struct sca_rotating_interval in = {.previous = all, .site = all, .limit = 1.5};
    causes[0] = (struct sca_finding){.transform.nrotating = 1, .transform.rotating = &in};
    const struct sca_finding *one = &causes[0];
    struct sca_smoothing_findings findings = {.told = {.items = &one, .count = 1}};
    st.measure.shared = true;
    sca_what_if_even(&st.stage, &findings);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, NULL, 0), RANKS * 3, 1e-6);
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, &one, 1), RANKS * 1, 1e-6);
    end();
}
END_TEST

/* Rank 0 takes 3 s in each of four steps, the others 1 s: to equalise long instances, whosever they
 * are, saves as much as to equalise rank 0, and has more to take. */
START_TEST(named_ranks_win_over_all_in_turn)
{
    s = script_new(RANKS);
    first = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t all = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < 4; i++) {
            script_collective(s, r, r ? 1 : 3, all, SCA_ALL_TO_ALL, -1, i);
            script_work(s, r, all, all, first, r ? 1 : 3);
            factor[0][r] = r ? 1 : 1.0 / 3;
        }
    script_stage(s, &st);
    struct sca_rotating_interval in = {.previous = all, .site = all, .limit = 1.5};
    causes[0] = (struct sca_finding){
        .vertex = first, .nvertices = 1, .vertices = &first, .transform.factor = factor[0]};
    causes[0].excess = 8;
    causes[1] =
        (struct sca_finding){.transform.nrotating = 1, .transform.rotating = &in, .excess = 9};
    const struct sca_finding *turns = &causes[1];
    ck_assert_double_eq_tol(sca_what_if_level(&st.stage, &turns, 1), 4, 1e-6);
    ck_assert_uint_eq(rank(2, 0.5), 1);
    ck_assert_ptr_eq(order[0], &causes[0]);
    ck_assert_double_eq_tol(gains[0].gain, 4 * 2 * RANKS, 1e-6);
    ck_assert_double_eq(gains[1].gain, 0);
    end();
}
END_TEST

SCA_SUITE("what_if", what_the_program_makes_long_is_no_scatter, without_scatter_nobody_waits_for_it,
          a_stage_stands_as_measured, equalised_the_others_wait_no_longer,
          what_is_done_at_the_same_time_is_still_done,
          gains_are_of_all_ranks_and_the_greatest_is_first, what_gains_too_little_is_not_among_them,
          those_that_help_only_together_share_what_they_save,
          what_is_late_in_turn_must_save_enough_alone,
          others_may_help_together_beside_what_is_late_in_turn, named_ranks_win_over_all_in_turn)
