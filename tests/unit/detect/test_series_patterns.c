/* What series with a known truth are said to do; and that nothing is said of noise. */
#include "series/patterns.h"
#include "series/trend.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, MOST = 512, TRIES = 12 };

static struct sca_series_point points[MOST];
static struct sca_series_section section;
static float own[RANKS * MOST];
static uint32_t ranks[RANKS];
static struct sca_series series;
static struct sca_workspace space;
static struct sca_patterns found;
static unsigned short dice[3];

/* Of a mean of 1, now and then several times as long: as on cores that are shared. */
static double noise(double width)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += erand48(dice) - 0.5;
    double rare = erand48(dice) < 0.02 ? 1 + 3 * erand48(dice) : 1;
    return rare * (1 + width * sum);
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void fill_point(uint32_t i)
{
    float sorted[RANKS];
    struct sca_series_point *p = &points[i];
    *p = (struct sca_series_point){.number = i + 1, .iterations = 1, .kind = 7};
    for (uint32_t k = 0; k < RANKS; k++) {
        sorted[k] = own[k * MOST + i];
        p->own.mean += sorted[k] / RANKS;
        p->slowest = sorted[k] > own[p->slowest * MOST + i] ? k : p->slowest;
    }
    qsort(sorted, RANKS, sizeof *sorted, by_value);
    p->own.min = sorted[0];
    p->own.median = (sorted[3] + sorted[4]) / 2;
    p->own.max = sorted[RANKS - 1];
    p->span = p->own.max;
    p->end = p->span + (i ? points[i - 1].end : 0);
}

/* How long rank k takes in iteration i, from 1 on. */
typedef double (*truth)(uint32_t k, uint32_t i);

static void make(truth takes, uint32_t n, double width)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < RANKS; k++)
            own[k * MOST + i] = (float)(1e-3 * takes(k, i + 1) * noise(width));
        fill_point(i);
    }
    for (uint32_t k = 0; k < RANKS; k++) {
        ranks[k] = k;
        memmove(own + (size_t)k * n, own + (size_t)k * MOST, n * sizeof *own);
    }
    section = (struct sca_series_section){.npoints = n, .nrank_points = n, .factor = 1};
    series = (struct sca_series){.nsections = 1,
                                 .npoints = n,
                                 .nrank_points = n,
                                 .sections = &section,
                                 .points = points,
                                 .nranks = RANKS,
                                 .ranks = ranks,
                                 .own = own};
    sca_patterns_find(&space, &series, &section, &found);
}

static const struct sca_pattern *only(enum sca_pattern_kind kind)
{
    ck_assert_uint_eq(found.n, 1);
    ck_assert_int_eq(found.list[0].kind, kind);
    return &found.list[0];
}

static double alike(uint32_t k, uint32_t i)
{
    return k || i ? 1 : 1;
}

START_TEST(nothing_is_said_of_noise)
{
    for (uint32_t t = 0; t < TRIES; t++) {
        dice[0] = (unsigned short)t;
        make(alike, 16 + 40 * t, 0.05 + 0.03 * t);
        ck_assert_msg(!found.n, "try %u: pattern %d, up to %d", t,
                      found.n ? (int)found.list[0].kind : -1,
                      found.n ? (int)found.list[0].last : 0);
    }
}
END_TEST

/* A short beginning of 3, after which ten numbers are above most of the others, and less than 2. */
START_TEST(a_step_lies_where_it_is_and_not_towards_the_middle)
{
    enum { N = 300, BEFORE = 25, ABOVE = 35 };
    double x[N];
    struct sca_trend_levels levels;
    for (uint32_t i = 0; i < N; i++)
        x[i] = i < BEFORE ? 3 : (i < ABOVE ? 1.1 : 1) + 0.05 * (erand48(dice) - 0.5);
    sca_trend_levels(&space, x, N, &levels);
    ck_assert_uint_eq(levels.n, 2);
    ck_assert_uint_eq(levels.first[1], BEFORE);
}
END_TEST

/* Noise that stays for a while, as a neighbour on the machine makes it. */
static double visited(uint32_t k, uint32_t i)
{
    static double level[RANKS];
    level[k] = i == 1 ? 0 : 0.9 * level[k] + 0.05 * (erand48(dice) - 0.5);
    return 1 + level[k];
}

START_TEST(nothing_is_said_of_noise_with_a_memory)
{
    for (uint32_t t = 0; t < TRIES; t++) {
        dice[1] = (unsigned short)t;
        make(visited, 512, 0.1);
        ck_assert_msg(!found.n, "try %u: pattern %d, up to %d", t,
                      found.n ? (int)found.list[0].kind : -1,
                      found.n ? (int)found.list[0].last : 0);
    }
}
END_TEST

static double two_ranks_change(uint32_t k, uint32_t i)
{
    return (k == 3 || k == 7) && i >= 200 ? 1.9 : 1;
}

START_TEST(a_step_has_its_iteration_and_ranks)
{
    make(two_ranks_change, 400, 0.2);
    const struct sca_pattern *p = only(SCA_PATTERN_STEP);
    ck_assert_uint_ge(p->first, 198);
    ck_assert_uint_le(p->first, 202);
    ck_assert_uint_eq(p->nranks, 2);
    ck_assert_uint_eq(p->ranks[0], 3);
    ck_assert_uint_eq(p->ranks[1], 7);
    ck_assert_double_eq_tol(p->ratio, 1.9, 0.15);
}
END_TEST

static double all_change(uint32_t k, uint32_t i)
{
    return alike(k, i) * (i >= 100 ? 2.5 : 1);
}

START_TEST(a_step_of_all_ranks)
{
    make(all_change, 300, 0.2);
    const struct sca_pattern *p = only(SCA_PATTERN_STEP);
    ck_assert_uint_ge(p->first, 99);
    ck_assert_uint_le(p->first, 101);
    ck_assert_uint_eq(p->nranks, 0);
}
END_TEST

/* Scattering by a third, as points of many iterations on a busy machine. */
static double scatters(double level)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += erand48(dice) - 0.5;
    return level * exp(sum / 3);
}

static double half_late(uint32_t k, uint32_t i)
{
    return k % 2 && i >= 150 ? 2 : 1;
}

/* They are not all, and the others do not change. */
START_TEST(a_step_of_half_the_ranks_is_theirs)
{
    make(half_late, 300, 0.1);
    const struct sca_pattern *p = only(SCA_PATTERN_STEP);
    ck_assert_uint_eq(p->nranks, RANKS / 2);
    ck_assert_uint_eq(p->ranks[0], 1);
    ck_assert_uint_eq(p->first, 150);
    ck_assert_double_eq_tol(p->ratio, 2, 0.2);
}
END_TEST

static uint32_t begins;

static double late_since(uint32_t k, uint32_t i)
{
    return k == 3 && i >= begins ? 3 : 1;
}

START_TEST(a_step_near_an_end_is_seen)
{
    for (begins = 6; begins <= 296; begins += 290)
        for (uint32_t t = 0; t < TRIES; t++) {
            dice[0] = (unsigned short)t;
            make(late_since, 300, 0.1);
            const struct sca_pattern *p = only(SCA_PATTERN_STEP);
            ck_assert_uint_eq(p->first, begins);
            ck_assert_uint_eq(p->nranks, 1);
            ck_assert_double_eq_tol(p->ratio, 3, 0.5);
        }
}
END_TEST

START_TEST(a_step_at_half_is_seen_where_neighbours_scatter)
{
    enum { N = 306 };
    double x[N];
    struct sca_trend_levels levels;
    for (uint32_t t = 0; t < TRIES; t++) {
        dice[0] = (unsigned short)t;
        for (uint32_t i = 0; i < N; i++)
            x[i] = scatters(i < N / 2 ? 1 : 2);
        sca_trend_levels(&space, x, N, &levels);
        ck_assert_uint_eq(levels.n, 2);
        ck_assert_uint_le(abs((int)levels.first[1] - N / 2), 8);
        ck_assert_double_eq_tol(levels.level[1] / levels.level[0], 2, 0.3);
    }
}
END_TEST

/* A neighbour that comes and goes slowly: each number is near the one before. */
START_TEST(what_wanders_slowly_is_no_step)
{
    enum { N = 306, SEVERAL_TRIES = 20 };
    double x[N], level = 0;
    struct sca_trend_levels levels;
    uint32_t steps = 0;
    for (uint32_t t = 0; t < SEVERAL_TRIES; t++) {
        dice[0] = (unsigned short)t;
        for (uint32_t i = 0; i < N; i++) {
            level = 0.97 * level + 0.24 * log(scatters(1));
            x[i] = exp(level);
        }
        sca_trend_levels(&space, x, N, &levels);
        steps += levels.n > 1;
    }
    ck_assert_uint_le(steps, 2);
}
END_TEST

static double grows(uint32_t k, uint32_t i)
{
    return k == 2 ? 1 + 4 * (i - 1) / 299. : 1;
}

static double all_grow(uint32_t k, uint32_t i)
{
    return alike(k, i) + 4 * (i - 1) / 299.;
}

START_TEST(a_drift_has_its_gain)
{
    make(grows, 300, 0.2);
    const struct sca_pattern *p = only(SCA_PATTERN_DRIFT);
    ck_assert_uint_eq(p->nranks, 1);
    ck_assert_uint_eq(p->ranks[0], 2);
    ck_assert_double_eq_tol(p->ratio, 5, 0.75);
    make(all_grow, 300, 0.2);
    ck_assert_double_eq_tol(only(SCA_PATTERN_DRIFT)->ratio, 5, 0.75);
    ck_assert_uint_eq(found.list[0].nranks, 0);
}
END_TEST

static double every_16th(uint32_t k, uint32_t i)
{
    return alike(k, i) * (i % 16 ? 1 : 3);
}

static double grows_and_recurs(uint32_t k, uint32_t i)
{
    return all_grow(k, i) * every_16th(k, i);
}

START_TEST(what_recurs_has_its_period)
{
    make(every_16th, 300, 0.3);
    ck_assert_uint_eq(only(SCA_PATTERN_PERIOD)->period, 16);
    ck_assert_uint_eq(found.list[0].first, 16);
    ck_assert_double_eq_tol(found.list[0].ratio, 3, 0.4);
    make(grows_and_recurs, 300, 0.2);
    ck_assert_uint_eq(found.n, 2);
    ck_assert_int_eq(found.list[0].kind, SCA_PATTERN_DRIFT);
    ck_assert_uint_eq(found.list[1].period, 16);
}
END_TEST

/* ---- a period beside a drift ---- */

static uint32_t often = 16;
static double part, longer; /* of the recurring iterations: what they take besides, and times */

static double grows_and_saves(uint32_t k, uint32_t i)
{
    return i % often ? all_grow(k, i) : all_grow(k, i) * longer + part;
}

static const struct sca_pattern *with_period(uint32_t period)
{
    for (uint32_t i = 0; i < found.n; i++)
        if (found.list[i].kind == SCA_PATTERN_PERIOD && found.list[i].period == period)
            return &found.list[i];
    return NULL;
}

/* Both, and nothing else. */
static void both_are_found(uint32_t n, double width)
{
    for (uint32_t t = 0; t < TRIES / 4; t++) {
        dice[0] = (unsigned short)t;
        make(grows_and_saves, n, width);
        ck_assert_msg(found.n == 2, "every %u, +%g, x%g, try %u: %u", often, part, longer, t,
                      found.n);
        ck_assert_int_eq(found.list[0].kind, SCA_PATTERN_DRIFT);
        ck_assert_double_eq_tol(found.list[0].ratio, 1 + 4 * (n - 1) / 299., 0.5);
        ck_assert_ptr_nonnull(with_period(often));
        ck_assert_uint_eq(with_period(often)->first, often);
    }
}

/* A checkpoint takes as long at the end as at the beginning: less and less beside the rest. */
START_TEST(a_period_is_seen_where_the_drift_outgrows_it)
{
    longer = 1;
    for (often = 8; often <= 16; often *= 2) {
        part = 1.5;
        both_are_found(300, 0.1);
        part = 2;
        both_are_found(300, 0.4);
        both_are_found(120, 0.1);
    }
}
END_TEST

/* What takes twenty times as long is near no line, and makes levels of its own. */
START_TEST(a_drift_is_seen_beside_a_large_period)
{
    part = 0;
    for (often = 8; often <= 16; often *= 2)
        for (longer = 8; longer <= 20; longer += 12)
            both_are_found(300, 0.2);
}
END_TEST

static double grows_faster_and_faster(uint32_t k, uint32_t i)
{
    return alike(k, i) + 4 * ((i - 1) / 299.) * ((i - 1) / 299.);
}

/* A line would begin at a third of what the first iterations take: these would be no warm-up. */
START_TEST(a_drift_may_bend)
{
    make(grows_faster_and_faster, 300, 0.2);
    const struct sca_pattern *p = only(SCA_PATTERN_DRIFT);
    ck_assert_double_eq_tol(p->ratio, 5, 0.5);
    ck_assert_double_ge(p->beyond, 10); /* 17 by the parabola, 9 by a straight line */
    make(all_grow, 300, 0.2);
    ck_assert_double_eq_tol(only(SCA_PATTERN_DRIFT)->beyond, 9, 1);
}
END_TEST

/* Drawn from noise of any width, on few and many iterations: two in a thousand may be. */
START_TEST(nothing_recurs_in_noise)
{
    enum { SERIES = 200 };
    for (uint32_t t = 0; t < SERIES; t++) {
        dice[0] = (unsigned short)t;
        dice[2] = 7;
        make(t % 2 ? all_grow : alike, 24 + t % 5 * 24, 0.05 + 0.1 * (t % 6));
        for (uint32_t i = 0; i < found.n; i++)
            ck_assert_int_ne(found.list[i].kind, SCA_PATTERN_PERIOD);
    }
}
END_TEST

static double stays_and_grows(uint32_t k, uint32_t i)
{
    return all_grow(k, i) * visited(k, i);
}

START_TEST(nothing_recurs_in_noise_with_a_memory)
{
    enum { SERIES = 40 };
    for (uint32_t t = 0; t < SERIES; t++) {
        dice[1] = (unsigned short)t;
        make(t % 2 ? visited : stays_and_grows, 200, 0.1);
        ck_assert_uint_eq(found.n, t % 2 ? 0 : 1);
    }
}
END_TEST

/* Rank 2 begins at twice what the others take. */
static double grows_from_twice(uint32_t k, uint32_t i)
{
    return k == 2 ? 2 + 4 * (i - 1) / 299. : 1;
}

START_TEST(a_drift_of_a_rank_begins_with_its_own_time)
{
    make(grows_from_twice, 300, 0.1);
    const struct sca_pattern *p = only(SCA_PATTERN_DRIFT);
    ck_assert_double_eq_tol(p->ratio, 3, 0.3);
    ck_assert_double_eq_tol(p->begin, 2e-3, 2e-4);
    ck_assert_double_eq_tol(p->end, 6e-3, 6e-4);
}
END_TEST

/* Rank 1 takes twice as long from iteration 150 on; every 16th all write a checkpoint, and every
 * 25th iteration rank 5 gathers statistics, in less time than rank 1 takes then. */
static double changes_and_recurs(uint32_t k, uint32_t i)
{
    return (k == 1 && i >= 150 ? 2 : 1) + (i % 16 ? 0 : 3) + (k == 5 && i % 25 == 0 ? 0.8 : 0);
}

static double two_periods(uint32_t k, uint32_t i)
{
    return alike(k, i) + (i % 16 ? 0 : 3) + (i % 20 ? 0 : 5);
}

START_TEST(neither_steps_nor_periods_hide_periods)
{
    make(changes_and_recurs, 400, 0.1);
    ck_assert_int_eq(found.list[found.n ? 1 : 0].kind, SCA_PATTERN_STEP);
    ck_assert_ptr_nonnull(with_period(16));
    ck_assert_uint_eq(with_period(16)->nranks, 0);
    ck_assert_ptr_nonnull(with_period(25));
    ck_assert_uint_eq(with_period(25)->nranks, 1);
    ck_assert_uint_eq(with_period(25)->ranks[0], 5);
    ck_assert_uint_eq(with_period(25)->first, 25);
    make(two_periods, 400, 0.1);
    ck_assert_uint_eq(found.n, 2);
    ck_assert_double_eq_tol(with_period(16)->ratio, 4, 0.6);
    ck_assert_double_eq_tol(with_period(20)->ratio, 6, 0.9);
}
END_TEST

static double warms_up(uint32_t k, uint32_t i)
{
    return alike(k, i) * (i <= 5 ? 4 : 1);
}

START_TEST(a_warm_up_has_its_end)
{
    make(warms_up, 200, 0.2);
    ck_assert_uint_eq(only(SCA_PATTERN_WARM_UP)->last, 5);
}
END_TEST

static double rotates(uint32_t k, uint32_t i)
{
    return i % RANKS == k ? 2 : 1;
}

START_TEST(a_rotating_rank_is_seen)
{
    make(rotates, 200, 0.1);
    ck_assert_double_eq_tol(only(SCA_PATTERN_ROTATES)->ratio, 2, 0.2);
}
END_TEST

static uint32_t turn;

static double takes_turns(uint32_t k, uint32_t i)
{
    return i / turn % RANKS == k ? 2.5 : 1;
}

static double moves_at_random(uint32_t k, uint32_t i)
{
    static uint32_t slow;
    if (k == 0 && (i == 1 || erand48(dice) < 0.1))
        slow = (uint32_t)(erand48(dice) * RANKS);
    return k == slow ? 2.5 : 1;
}

START_TEST(ranks_that_are_slow_in_turns_are_seen)
{
    for (turn = 5; turn <= 20; turn += 5) {
        make(takes_turns, 320, 0.2);
        ck_assert_uint_eq(only(SCA_PATTERN_ROTATES)->period, turn);
        ck_assert_double_eq_tol(found.list[0].ratio, 2.5, 0.5);
    }
    for (uint32_t t = 0; t < TRIES; t++) {
        make(moves_at_random, 320, 0.2);
        for (uint32_t i = 0; i < found.n; i++)
            ck_assert_int_ne(found.list[i].kind, SCA_PATTERN_ROTATES);
    }
}
END_TEST

START_TEST(few_iterations_say_nothing)
{
    for (uint32_t n = 0; n < 8; n++) {
        make(two_ranks_change, n, 0.2);
        ck_assert_uint_eq(found.n, 0);
    }
}
END_TEST

START_TEST(words_say_when)
{
    char words[SCA_PATTERN_WORDS];
    struct sca_pattern p = {.kind = SCA_PATTERN_PERIOD, .period = 16};
    ck_assert_str_eq(sca_pattern_acts(&p, words), "every 16th iteration");
    p.period = 22;
    ck_assert_str_eq(sca_pattern_acts(&p, words), "every 22nd iteration");
    p = (struct sca_pattern){.kind = SCA_PATTERN_STEP, .first = 512, .within = 1, .at = 41};
    ck_assert_str_eq(sca_pattern_acts(&p, words), "from iteration 512 on (second 41.0)");
    p = (struct sca_pattern){.kind = SCA_PATTERN_WARM_UP, .last = 3};
    ck_assert_str_eq(sca_pattern_acts(&p, words), "in the first 3 iterations");
}
END_TEST

START_TEST(shared_cores_change_all_ranks_or_some)
{
    struct sca_pattern p = {.kind = SCA_PATTERN_STEP, .ratio = 0.76};
    ck_assert(sca_pattern_may_be_cores(&p));
    p.ratio = 1.45;
    ck_assert(!sca_pattern_may_be_cores(&p));
    p.nranks = 1;
    p.ratio = 1.25;
    ck_assert(sca_pattern_may_be_cores(&p));
    p.ratio = 1 / 1.35;
    ck_assert(!sca_pattern_may_be_cores(&p));
    p = (struct sca_pattern){.kind = SCA_PATTERN_PERIOD, .ratio = 1.2};
    ck_assert(!sca_pattern_may_be_cores(&p));
}
END_TEST

/* A rank has 3x and 4x as much as the others, 1x and 4x, or 4x in each fifth iteration. */
START_TEST(what_lies_beside_a_pattern_is_not_its)
{
    enum { N = 20 };
    struct sca_series_point point[N] = {{0}};
    double always[N], later[N], fifth[N];
    struct sca_pattern step = {.kind = SCA_PATTERN_STEP, .first = 11};
    struct sca_pattern period = {.kind = SCA_PATTERN_PERIOD, .first = 5, .period = 5};
    struct sca_pattern drift = {.kind = SCA_PATTERN_DRIFT, .begin = 1.1, .end = 3};
    for (uint32_t i = 0; i < N; i++) {
        point[i] = (struct sca_series_point){.number = i + 1, .iterations = 1};
        always[i] = i < 10 ? 3 : 4;
        later[i] = i < 10 ? 1 : 4;
        fifth[i] = i % 5 == 4 ? 4 : 1.1;
    }
    ck_assert(!sca_pattern_is_all(&step, point, always, N));
    ck_assert(sca_pattern_is_all(&step, point, later, N));
    ck_assert(sca_pattern_is_all(&period, point, fifth, N));
    ck_assert(!sca_pattern_is_all(&period, point, later, N));
    ck_assert(sca_pattern_is_all(&drift, point, later, N));
    drift.begin = 2;
    ck_assert(!sca_pattern_is_all(&drift, point, later, N));
}
END_TEST

SCA_SUITE("series_patterns", a_step_lies_where_it_is_and_not_towards_the_middle,
          nothing_is_said_of_noise, nothing_is_said_of_noise_with_a_memory,
          a_step_has_its_iteration_and_ranks, a_step_of_all_ranks,
          a_step_of_half_the_ranks_is_theirs, a_step_near_an_end_is_seen,
          a_step_at_half_is_seen_where_neighbours_scatter, what_wanders_slowly_is_no_step,
          a_drift_has_its_gain, a_drift_of_a_rank_begins_with_its_own_time, a_drift_may_bend,
          a_period_is_seen_where_the_drift_outgrows_it, a_drift_is_seen_beside_a_large_period,
          nothing_recurs_in_noise, nothing_recurs_in_noise_with_a_memory,
          what_recurs_has_its_period, neither_steps_nor_periods_hide_periods, a_warm_up_has_its_end,
          a_rotating_rank_is_seen, ranks_that_are_slow_in_turns_are_seen,
          few_iterations_say_nothing, words_say_when, shared_cores_change_all_ranks_or_some,
          what_lies_beside_a_pattern_is_not_its)
