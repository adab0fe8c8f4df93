/* What a run measured: medians, totals, whether its ranks shared cores, and how far ranks differ
 * that do the same. */
#include "measure/measure.h"
#include "check_main.h"
#include "measured.h"

enum { RANKS = 7, CODES = 4 };

static struct model *model;
static uint32_t code[CODES], inner, call, in_run, first, second, third;

/* Four loops, the first with one in it, and a call that is reached on three ways. */
static void begin(uint32_t nranks)
{
    model = model_new();
    code[0] = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    inner = model_vertex(model, code[0], SCA_LOOP, "", "main", 12);
    code[1] = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    code[2] = model_vertex(model, 0, SCA_LOOP, "", "main", 30);
    code[3] = model_vertex(model, 0, SCA_LOOP, "", "main", 35);
    call = model_vertex(model, 0, SCA_MPI, "MPI_Barrier", "main", 40);
    in_run = model_run(model, nranks);
    first = model_site(model, in_run, call);
    second = model_site(model, in_run, call);
    third = model_site(model, in_run, call);
}

static void work(uint32_t rank, uint32_t previous, uint32_t vertex, double seconds)
{
    model_work(model, in_run, rank, previous, first, 10, vertex, seconds);
}

START_TEST(medians_are_of_own_time_of_the_ranks_that_are_present)
{
    begin(5);
    for (uint32_t r = 0; r < 5; r++) {
        work(r, first, code[0], r < 4 ? 4 - r : 100);
        work(r, first, inner, 50);
    }
    work(4, first, code[1], 1); /* who is alone with it is not there */
    model_lose(model, in_run, 4);
    struct measured d = measured_open(model);
    ck_assert_uint_eq(d.m[0].npresent, 4);
    ck_assert(sca_measure_is_present(&d.m[0], 3) && !sca_measure_is_present(&d.m[0], 4));
    ck_assert_double_eq_tol(d.m[0].median[code[0]], 2, 1e-12); /* of two the lower one */
    ck_assert_double_eq_tol(d.m[0].median[inner], 50, 1e-12);
    ck_assert_double_eq(d.m[0].median[code[1]], 0);
    measured_close(&d);
}
END_TEST

/* Measures two ranks again whose times are these. */
static struct sca_measure timed(struct measured *d, uint64_t cpu_ns, uint64_t wall_ns)
{
    struct sca_profile *profile = (struct sca_profile *)d->ppg->runs[in_run].profile;
    struct sca_measure m;
    profile->ranks[0].wall_ns = wall_ns;
    profile->ranks[1].wall_ns = 2 * wall_ns;
    profile->ranks[0].cpu_ns = wall_ns;
    profile->ranks[1].cpu_ns = cpu_ns;
    for (int r = 0; r < 2; r++) {
        profile->ranks[r].mpi_ns = 3000000000;
        profile->ranks[r].tool_ns = 2000000000;
        profile->ranks[r].tool_gap_ns = 500000000;
    }
    sca_measure_run(&d->space, d->ppg, in_run, &m);
    return m;
}

START_TEST(totals_are_those_of_all_ranks)
{
    begin(2);
    struct measured d = measured_open(model);
    struct sca_measure m = timed(&d, 14000000000, 10000000000);
    ck_assert_double_eq_tol(m.wall, 20, 1e-9); /* the longest */
    ck_assert_double_eq_tol(m.mpi, 6, 1e-9);
    ck_assert_double_eq_tol(m.tool, 4, 1e-9);
    ck_assert_double_eq_tol(m.tool_interval, 1, 1e-9);
    ck_assert_double_eq_tol(m.on_core, 0.8, 1e-12);
    ck_assert_double_eq(d.m[0].on_core, 1); /* nothing is known of it */
    measured_close(&d);
}
END_TEST

/* Its threads kept one core busy, but three quarters of what they could have done they waited. */
START_TEST(threads_that_wait_for_a_core_share_it)
{
    begin(2);
    struct measured d = measured_open(model);
    struct sca_ppg_run *run = (struct sca_ppg_run *)&d.ppg->runs[in_run];
    struct sca_profile *profile = (struct sca_profile *)run->profile;
    profile->ranks[0].core_waited_ns = profile->ranks[1].core_waited_ns = 40000000000;
    ck_assert_double_gt(timed(&d, 20000000000, 10000000000).on_core, 0.9);
    run->threads = 4;
    struct sca_measure m = timed(&d, 20000000000, 10000000000);
    ck_assert_double_lt(m.on_core, 0.3);
    ck_assert(m.shared);
    measured_close(&d);
}
END_TEST

/* Less than four fifths of their time on a core. */
START_TEST(ranks_that_are_often_off_their_cores_share_them)
{
    begin(2);
    struct measured d = measured_open(model);
    struct sca_measure busy = timed(&d, 140000000, 100000000);
    struct sca_measure idle = timed(&d, 139000000, 100000000);
    ck_assert(!busy.shared && !busy.oversubscribed);
    ck_assert(idle.shared && !idle.oversubscribed);
    ck_assert_double_eq(sca_measure_interval_error(&busy), 1e-7);
    ck_assert_double_eq(sca_measure_interval_error(&idle), 2e-6);
    measured_close(&d);
}
END_TEST

START_TEST(more_ranks_than_cores_share_them)
{
    for (int more = 0; more < 2; more++) {
        begin(2);
        model_meta(model, in_run, "oversubscribed", more ? "1" : "0");
        struct measured d = measured_open(model);
        ck_assert(d.m[0].oversubscribed == more && d.m[0].shared == more);
        ck_assert_double_eq(d.m[0].on_core, 1);
        measured_close(&d);
    }
}
END_TEST

/* ---- how far ranks differ that do the same ---- */

struct taken { /* in an interval: which code, and seconds per rank */
    uint32_t code;
    double seconds[RANKS];
};

struct level {
    double is;
    bool known;
};

static struct level level_of(uint32_t nranks, uint32_t nlost, bool shared, uint32_t n,
                             const struct taken *taken)
{
    begin(nranks);
    const uint32_t previous[] = {0, first, second, third};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t r = 0; r < nranks; r++)
            work(r, previous[i], code[taken[i].code], taken[i].seconds[r]);
    for (uint32_t r = nranks - nlost; r < nranks; r++)
        model_lose(model, in_run, r);
    model_meta(model, in_run, "oversubscribed", shared ? "1" : "0");
    struct measured d = measured_open(model);
    struct level level = {d.m[0].noise_level, d.m[0].level_known};
    measured_close(&d);
    return level;
}

#define MAD 1.4826 /* standard deviation over median deviation */

/* Of one interval, by its ranks' seconds. */
static void check_level(uint32_t nranks, bool shared, struct taken taken, double expected)
{
    struct level level = level_of(nranks, 0, shared, 1, &taken);
    ck_assert(level.known);
    ck_assert_double_eq_tol(level.is, expected, 1e-9);
}

START_TEST(it_is_the_median_deviation_from_the_median)
{
    check_level(5, false, (struct taken){0, {1, 1.05, 0.95, 1.02, 0.97}}, 0.03 * MAD);
    check_level(5, false, (struct taken){0, {2, 2.1, 1.9, 2.04, 1.94}}, 0.03 * MAD);
    check_level(4, false, (struct taken){0, {1, 1.04, 0.3, 6}}, 0.04 * MAD); /* two are alike */
}
END_TEST

START_TEST(who_takes_half_or_twice_as_long_does_something_else)
{
    check_level(7, false, (struct taken){0, {1, 1.05, 0.95, 1.02, 0.97, 2, 0.5}}, 0.03 * MAD);
    check_level(7, false, (struct taken){0, {1, 1.05, 0.95, 1.02, 0.97, 1.99, 0.51}}, 0.05 * MAD);
}
END_TEST

START_TEST(it_is_never_little_and_at_most_the_usual)
{
    const struct taken wide = {0, {1.2, 1.1, 1, 0.9, 0.8}}, wider = {0, {1.4, 1.2, 1, 0.8, 0.6}};
    check_level(5, false, (struct taken){0, {1, 1, 1, 1, 1}}, 0.02);
    check_level(5, false, wide, 0.08);
    check_level(5, true, wide, 0.1 * MAD);
    check_level(5, true, wider, 0.15);
}
END_TEST

START_TEST(the_interval_with_most_of_the_time_decides)
{
    struct taken two[] = {{0, {1, 1.05, 0.95, 1.02, 0.97}}, {1, {2, 2.1, 1.9, 2.1, 1.9}}};
    ck_assert_double_eq_tol(level_of(5, 0, false, 2, two).is, 0.05 * MAD, 1e-9);
    for (int r = 0; r < 5; r++)
        two[1].seconds[r] /= 4;
    ck_assert_double_eq_tol(level_of(5, 0, false, 2, two).is, 0.03 * MAD, 1e-9);
}
END_TEST

START_TEST(intervals_of_one_code_are_added_up)
{
    const struct taken same[] = {{0, {1.2, 1.1, 1, 0.9, 0.8}}, {0, {0.8, 0.9, 1, 1.1, 1.2}}};
    const struct taken not_same[] = {same[0], {1, {0.8, 0.9, 1, 1.1, 1.2}}};
    ck_assert_double_eq_tol(level_of(5, 0, true, 2, same).is, 0.02, 1e-9);
    ck_assert_double_eq_tol(level_of(5, 0, true, 2, not_same).is, 0.1 * MAD, 1e-9);
}
END_TEST

static void check_unknown(struct level level, double usual)
{
    ck_assert(!level.known);
    ck_assert_double_eq(level.is, usual);
}

START_TEST(few_ranks_do_not_tell)
{
    struct taken t[] = {{0, {1, 1, 1, 1}}, {1, {1, 1, 1, 1}}};
    check_unknown(level_of(3, 0, false, 2, t), 0.08);
    check_unknown(level_of(3, 0, true, 2, t), 0.15);
    check_unknown(level_of(4, 1, false, 2, t), 0.08); /* one left nothing */
    struct level level = level_of(4, 0, false, 2, t);
    ck_assert(level.known && level.is == 0.02);
}
END_TEST

/* A twentieth of all. */
START_TEST(a_phase_with_hardly_any_time_is_not_asked)
{
    struct taken t[] = {{0, {0, 0, 0, 1}}, {1, {0.01, 0.01, 0.012, 0.008}}};
    check_unknown(level_of(4, 0, false, 2, t), 0.08);
    for (int r = 0; r < 4; r++)
        t[1].seconds[r] *= 2;
    ck_assert(level_of(4, 0, false, 2, t).known);
}
END_TEST

START_TEST(of_a_run_that_computes_nothing_nothing_is_known)
{
    check_unknown(level_of(5, 0, false, 0, NULL), 0.08);
    check_unknown(level_of(5, 5, true, 0, NULL), 0.15);
}
END_TEST

SCA_SUITE("measure", medians_are_of_own_time_of_the_ranks_that_are_present,
          threads_that_wait_for_a_core_share_it, totals_are_those_of_all_ranks,
          ranks_that_are_often_off_their_cores_share_them, more_ranks_than_cores_share_them,
          it_is_the_median_deviation_from_the_median,
          who_takes_half_or_twice_as_long_does_something_else,
          it_is_never_little_and_at_most_the_usual, the_interval_with_most_of_the_time_decides,
          intervals_of_one_code_are_added_up, few_ranks_do_not_tell,
          a_phase_with_hardly_any_time_is_not_asked,
          of_a_run_that_computes_nothing_nothing_is_known)
