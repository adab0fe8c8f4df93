/* Ranks that compute more than the others, and what is left alone. */
#include "imbalance/abnormal.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

#include <string.h>

enum { RANKS = 8 };

static struct program p;
static struct measured d;
static struct sca_abnormals found;

/* Ten seconds of the work and five of the rest on each, but for what is told. */
static void measure(const double *work, const double *extra)
{
    p = program_new();
    program_run(&p, RANKS, work, extra);
    d = measured_open(p.model);
}

static const struct sca_abnormal *look(double threshold, double least)
{
    memset(&found, 0, sizeof found);
    const struct sca_abnormal_limits limits = {threshold, least, INFINITY};
    sca_abnormal_find(&d.space, &d.m[0], d.ends, &limits, &found);
    uint32_t i = found.of_vertex[p.work];
    return i == SCA_NONE ? NULL : &found.items[i];
}

static const double even[RANKS] = {10, 10, 10, 10, 10, 10, 10, 10};
static const double five[RANKS] = {5, 5, 5, 5, 5, 5, 5, 5};

START_TEST(equal_ranks_are_normal)
{
    measure(even, five);
    ck_assert_ptr_null(look(1.3, 0));
    ck_assert_uint_eq(found.count, 0);
    measured_close(&d);
}
END_TEST

START_TEST(one_with_twice_the_work_is_not)
{
    measure((double[RANKS]){10, 10, 10, 20, 10, 10, 10, 10}, five);
    const struct sca_abnormal *a = look(1.3, 0);
    ck_assert_ptr_nonnull(a);
    ck_assert_uint_eq(a->nranks, 1);
    ck_assert_uint_eq(a->ranks[0], 3);
    ck_assert_double_eq_tol(a->reference, 10, 1e-6);
    ck_assert_double_eq_tol(a->ratio, 2, 1e-6);
    ck_assert_double_eq_tol(a->excess, 10, 1e-6);
    ck_assert_double_eq_tol(a->most, 10, 1e-6);
    ck_assert_uint_eq(found.of_vertex[p.extra], SCA_NONE);
    measured_close(&d);
}
END_TEST

static bool is_abnormal(double seconds, double threshold, double least)
{
    measure((double[RANKS]){10, 10, 10, seconds, 10, 10, 10, 10}, five);
    bool is = look(threshold, least) != NULL;
    measured_close(&d);
    return is;
}

START_TEST(from_the_threshold_on)
{
    ck_assert(!is_abnormal(12.9, 1.3, 0));
    ck_assert(is_abnormal(13.1, 1.3, 0));
    ck_assert(!is_abnormal(13.1, 1.4, 0));
}
END_TEST

/* All eight wait for its ten seconds: 80 core-seconds. */
START_TEST(what_is_not_worth_it_is_left_alone)
{
    ck_assert(is_abnormal(20, 1.3, 79));
    ck_assert(!is_abnormal(20, 1.3, 81));
}
END_TEST

START_TEST(less_than_the_others_is_nothing)
{
    ck_assert(!is_abnormal(5, 1.3, 0));
}
END_TEST

START_TEST(half_of_the_ranks_may_stand_out_and_no_more)
{
    measure((double[RANKS]){10, 20, 10, 20, 10, 20, 10, 20}, five);
    const struct sca_abnormal *a = look(1.3, 0);
    ck_assert_ptr_nonnull(a);
    ck_assert_uint_eq(a->nranks, 4);
    ck_assert_double_eq_tol(a->excess, 40, 1e-6);
    measured_close(&d);
    measure((double[RANKS]){20, 20, 10, 20, 10, 20, 10, 20}, five);
    ck_assert_ptr_null(look(1.3, 0));
    measured_close(&d);
}
END_TEST

START_TEST(what_the_others_have_none_of_has_no_ratio)
{
    measure(even, (double[RANKS]){0, 0, 0, 0, 0, 0, 6, 0});
    look(1.3, 0);
    uint32_t i = found.of_vertex[p.extra];
    ck_assert_uint_ne(i, SCA_NONE);
    ck_assert_double_eq(found.items[i].ratio, 0);
    ck_assert_double_eq_tol(found.items[i].excess, 6, 1e-6);
    ck_assert_uint_eq(found.items[i].ranks[0], 6);
    measured_close(&d);
}
END_TEST

START_TEST(one_rank_is_compared_with_nobody)
{
    p = program_new();
    program_run(&p, 1, (double[]){10}, (double[]){5});
    d = measured_open(p.model);
    ck_assert_ptr_null(look(1.3, 0));
    ck_assert_uint_eq(found.count, 0);
    measured_close(&d);
}
END_TEST

/* Ten samples a second: one in 1.5 s of the others' 1 s, with few, is chance. */
static bool is_inconclusive(uint32_t nranks, double seconds)
{
    double work[RANKS];
    program_fill(work, RANKS, 10);
    work[1] = seconds;
    p = program_new();
    program_run(&p, nranks, work, five);
    d = measured_open(p.model);
    const struct sca_abnormal *a = look(1, 0);
    ck_assert_ptr_nonnull(a);
    bool inconclusive = a->inconclusive;
    measured_close(&d);
    return inconclusive;
}

/* A core for each rank: of two, nothing tells what memory makes of equal work; 1.54 is beyond. */
START_TEST(a_difference_of_few_ranks_may_be_the_cores)
{
    ck_assert(is_inconclusive(2, 14));
    ck_assert(!is_inconclusive(2, 16));
    ck_assert(!is_inconclusive(4, 14));
}
END_TEST

/* Two cores for eight ranks, each on one of them; those named take 1.25 times as long, the others
 * the same. */
static bool is_inconclusive_on_shared_cores(const uint32_t *on, const uint32_t *ranks, uint32_t n)
{
    static uint32_t first[RANKS + 1] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, core[RANKS];
    static double part[RANKS] = {1, 1, 1, 1, 1, 1, 1, 1};
    double work[RANKS];
    program_fill(work, RANKS, 10);
    for (uint32_t i = 0; i < n; i++)
        work[ranks[i]] = 12.5;
    memcpy(core, on, sizeof core);
    measure(work, five);
    d.m[0].shared = true;
    d.m[0].cores = 2;
    d.m[0].core_use = (struct sca_core_use){RANKS, 2, first, core, part};
    const struct sca_abnormal *a = look(1.05, 0);
    ck_assert_ptr_nonnull(a);
    ck_assert_uint_eq(a->nranks, n);
    bool inconclusive = a->inconclusive;
    ck_assert(!a->no_core || n > RANKS / 4);
    ck_assert(inconclusive || a->no_core || n <= RANKS / 4);
    measured_close(&d);
    return inconclusive;
}

/* However ranks are put on cores: the ranks of one may be slow by it, and half of each may not. */
START_TEST(a_slow_core_has_all_of_its_ranks)
{
    const uint32_t places[][RANKS] = {
        {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 0, 0, 1, 1, 1, 1}, {1, 1, 0, 0, 0, 1, 1, 0}};
    for (int i = 0; i < 3; i++) {
        uint32_t slow[RANKS], n = 0, half[4], k = 0, of[2] = {0};
        for (uint32_t r = 0; r < RANKS; r++) {
            if (places[i][r])
                slow[n++] = r;
            if (of[places[i][r]]++ < 2)
                half[k++] = r;
        }
        ck_assert(is_inconclusive_on_shared_cores(places[i], slow, n));
        ck_assert(is_inconclusive_on_shared_cores(places[i], slow, n - 1)); /* one is missed */
        ck_assert(!is_inconclusive_on_shared_cores(places[i], half, k));
        ck_assert(!is_inconclusive_on_shared_cores(places[i], slow, 1));
    }
}
END_TEST

/* Few ranks are disturbed; but a core that has one for itself explains that one. */
START_TEST(a_core_may_have_a_rank_for_itself)
{
    const uint32_t alone[RANKS] = {0, 0, 0, 0, 1, 0, 0, 0}, with_others[RANKS] = {0, 0, 0, 1, 1, 1};
    ck_assert(is_inconclusive_on_shared_cores(alone, (uint32_t[]){4}, 1));
    ck_assert(!is_inconclusive_on_shared_cores(with_others, (uint32_t[]){4}, 1));
}
END_TEST

START_TEST(few_samples_are_chance)
{
    p = program_new();
    program_run(&p, RANKS, (double[RANKS]){1, 1, 1, 1.5, 1, 1, 1, 1}, five);
    model_rare(p.model, 0, SCA_NONE, 10);
    d = measured_open(p.model);
    ck_assert_ptr_null(look(1.3, 0));
    measured_close(&d);
}
END_TEST

/* Two ranks above 10: by 10 and by 2; two below do not take anything away. */
START_TEST(the_spread_is_what_lies_above_the_median)
{
    measure((double[RANKS]){10, 20, 10, 12, 10, 5, 10, 5}, five);
    ck_assert_double_eq_tol(sca_abnormal_spread(&d.space, &d.m[0], &p.work, 1), 12, 1e-6);
    uint32_t both[] = {p.work, p.extra};
    ck_assert_double_eq_tol(sca_abnormal_spread(&d.space, &d.m[0], both, 2), 12, 1e-6);
    ck_assert_double_eq_tol(sca_abnormal_spread(&d.space, &d.m[0], &p.extra, 1), 0, 1e-6);
    measured_close(&d);
}
END_TEST

SCA_SUITE("abnormal", equal_ranks_are_normal, one_with_twice_the_work_is_not, from_the_threshold_on,
          what_is_not_worth_it_is_left_alone, less_than_the_others_is_nothing,
          half_of_the_ranks_may_stand_out_and_no_more, what_the_others_have_none_of_has_no_ratio,
          one_rank_is_compared_with_nobody, a_difference_of_few_ranks_may_be_the_cores,
          a_slow_core_has_all_of_its_ranks, a_core_may_have_a_rank_for_itself,
          few_samples_are_chance, the_spread_is_what_lies_above_the_median)
