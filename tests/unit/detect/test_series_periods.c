/* A period is a property of iterations: whatever a point holds of them, and wherever they begin, it
 * is found once, with all that the points tell of it. */
#include "check_main.h"
#include "series/patterns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, MOST_WIDTH = 8, PERIODS = 40, RANKS = 8 };

static const double takes = 6; /* times as long as others */

static struct sca_series_point points[N];
static double each[N];
static float own[RANKS * N];
static struct sca_workspace space;
static struct sca_patterns found;
static unsigned short dice[3];

/* Recurring iterations, from 1 on, in (0, end]. */
static uint32_t held(uint32_t period, uint32_t first, uint32_t end)
{
    return end < first ? 0 : (end - first) / period + 1;
}

static uint32_t held_in(uint32_t period, uint32_t first, uint32_t width, uint32_t i)
{
    return held(period, first, (i + 1) * width) - held(period, first, i * width);
}

static bool is_place(uint32_t period, uint32_t first, uint32_t width, uint32_t i)
{
    return held_in(period, first, width, i) > width / period;
}

static double noise(double width)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += erand48(dice) - 0.5;
    return 1 + width * sum;
}

static void make(uint32_t period, uint32_t first, uint32_t width)
{
    dice[0] = (unsigned short)(period + 64 * first);
    dice[1] = dice[2] = 0;
    for (uint32_t i = 0; i < N; i++) {
        points[i] = (struct sca_series_point){.number = (i + 1) * width, .iterations = width};
        points[i].end = (i + 1) * width;
        each[i] = (width + (takes - 1) * held_in(period, first, width, i)) / width * noise(0.1);
    }
    sca_patterns_of(&space, points, each, N, &found);
}

static bool same_places(uint32_t a, uint32_t first, uint32_t b, uint32_t phase, uint32_t width)
{
    for (uint32_t i = 0; i < N; i++)
        if (is_place(a, first, width, i) != is_place(b, phase, width, i))
            return false;
    return true;
}

/* How many periods explain what points show, and how much more their places take. */
static uint32_t explaining(uint32_t period, uint32_t first, uint32_t width)
{
    uint32_t n = 0, all = width / period;
    double ratio = (width + (takes - 1) * (all + 1)) / (width + (takes - 1) * all);
    for (uint32_t p = 2; p <= 2 * PERIODS; p++) {
        uint32_t phase = 1;
        while (phase <= p && !same_places(period, first, p, phase, width))
            phase++;
        n += phase <= p && ratio * (width / p) < width / p + 1;
    }
    return n;
}

static void is_found(uint32_t period, uint32_t first, uint32_t width)
{
    make(period, first, width);
    ck_assert_msg(found.n == (width % period ? 1 : 0), "every %u from %u, points of %u: %u", period,
                  first, width, found.n);
    if (!found.n)
        return;
    const struct sca_pattern *p = found.list;
    ck_assert_int_eq(p->kind, SCA_PATTERN_PERIOD);
    ck_assert_msg(same_places(period, first, p->period, (uint32_t)p->first, width),
                  "every %u from %u, points of %u: every %u from %u", period, first, width,
                  p->period, (uint32_t)p->first);
    bool is_exact = p->periods == 1 && !p->or_less;
    ck_assert_msg(is_exact == (explaining(period, first, width) == 1),
                  "every %u from %u, points of %u: %u%s", period, first, width, p->periods,
                  p->or_less ? " or less" : "");
    ck_assert(!is_exact || p->period == period);
    ck_assert(p->within > 1 || !is_exact || p->first == first);
    ck_assert_msg(!is_exact || fabs(p->ratio - takes) < 0.2 * takes,
                  "every %u from %u, points of %u: %g times as long", period, first, width,
                  p->ratio);
}

START_TEST(a_period_is_found_whatever_a_point_holds)
{
    for (uint32_t width = 1; width <= MOST_WIDTH; width *= 2)
        for (uint32_t period = 3; period <= PERIODS; period++)
            for (uint32_t k = 0; k < 2; k++)
                is_found(period, k ? period : 1 + period / 3, width);
}
END_TEST

/* So long that points tell a period to some iterations. */
START_TEST(long_periods_in_wide_points_are_told_about)
{
    enum { WIDTH = 4096, PERIOD = 100000 };
    char words[SCA_PATTERN_WORDS];
    for (uint32_t i = 0; i < N; i++) {
        points[i] = (struct sca_series_point){.number = (i + 1) * WIDTH, .iterations = WIDTH};
        each[i] = (held_in(PERIOD, 777, WIDTH, i) ? 3 : 1) * noise(0.1);
    }
    sca_patterns_of(&space, points, each, N, &found);
    ck_assert_uint_eq(found.n, 1);
    const struct sca_pattern *p = found.list;
    ck_assert_uint_gt(p->periods, 1);
    ck_assert_uint_le(abs((int)p->period - PERIOD), p->periods / 2 + 1);
    ck_assert_uint_le(p->periods, WIDTH / 8);
    ck_assert(!p->or_less);
    ck_assert_int_eq(strncmp(sca_pattern_acts(p, words), "about every ", 12), 0);
}
END_TEST

/* ---- ranks have wider points than all together ---- */

static void make_ranks(uint32_t period, uint32_t width, uint32_t factor)
{
    static struct sca_series_section section;
    static uint32_t ranks[RANKS];
    uint32_t cells = N / factor;
    section = (struct sca_series_section){.npoints = N, .nrank_points = cells, .factor = factor};
    struct sca_series series = {1, N, cells, &section, points, 0, RANKS, 0, ranks, own, 0, NULL};
    memset(own, 0, sizeof own);
    for (uint32_t i = 0; i < N; i++) {
        double least = INFINITY, most = 0;
        for (uint32_t k = 0; k < RANKS; k++) {
            double s = 1e-3 * width * noise(0.02);
            s += k == 5 ? 1e-3 * (takes - 1) * held_in(period, period, width, i) : 0;
            own[k * cells + i / factor] += (float)s;
            least = fmin(least, s);
            most = fmax(most, s);
            ranks[k] = k;
        }
        points[i] = (struct sca_series_point){.number = (i + 1) * width, .iterations = width};
        points[i].own = (struct sca_series_spread){least, 1e-3 * width, most, 1e-3 * width};
    }
    sca_patterns_find(&space, &series, &section, &found);
}

START_TEST(a_period_of_one_rank_is_not_told_again_for_all)
{
    for (uint32_t width = 1; width <= 4; width *= 2)
        for (uint32_t factor = 1; factor <= 4; factor *= 2) {
            make_ranks(25, width, factor);
            ck_assert_msg(found.n == 1, "points of %u, cells of %u: %u", width, factor, found.n);
            ck_assert_uint_eq(found.list[0].period, 25);
            ck_assert_uint_eq(found.list[0].first, 25);
            ck_assert_uint_eq(found.list[0].nranks, 1);
            ck_assert_uint_eq(found.list[0].ranks[0], 5);
        }
}
END_TEST

/* In thirty thousand such series nothing did. */
START_TEST(nothing_recurs_in_wide_points_of_noise)
{
    enum { SERIES = 300 };
    for (uint32_t t = 0; t < SERIES; t++) {
        uint32_t n = 24 + t % 5 * 24, width = 2u << t % 5 * 2;
        dice[0] = (unsigned short)t;
        for (uint32_t i = 0; i < n; i++) {
            points[i] = (struct sca_series_point){.number = (i + 1) * width, .iterations = width};
            each[i] = noise(0.1 + 0.1 * (t % 4)) * (erand48(dice) < 0.05 ? 3 : 1);
        }
        sca_patterns_of(&space, points, each, n, &found);
        ck_assert_msg(!found.n, "series %u: every %u", t, found.n ? found.list[0].period : 0);
    }
}
END_TEST

START_TEST(words_say_how_well_a_period_is_known)
{
    char words[SCA_PATTERN_WORDS];
    struct sca_pattern p = {.kind = SCA_PATTERN_PERIOD, .period = 24, .periods = 1};
    ck_assert_str_eq(sca_pattern_acts(&p, words), "every 24th iteration");
    p.or_less = true;
    ck_assert_str_eq(sca_pattern_acts(&p, words), "every 24th iteration or more often");
    p = (struct sca_pattern){.kind = SCA_PATTERN_PERIOD, .period = 30003, .periods = 7};
    ck_assert_str_eq(sca_pattern_acts(&p, words), "about every 30003rd iteration");
}
END_TEST

START_TEST(a_point_is_in_a_period_that_it_has_an_iteration_of)
{
    struct sca_pattern p = {.kind = SCA_PATTERN_PERIOD, .period = 25, .periods = 1, .first = 5};
    for (uint32_t i = 0; i < N; i++) {
        points[i] = (struct sca_series_point){.number = 4 * (i + 1), .iterations = 4};
        each[i] = is_place(25, 5, 4, i) ? 3 : 1;
    }
    ck_assert(sca_pattern_is_all(&p, points, each, N));
}
END_TEST

SCA_SUITE("series_periods", a_period_is_found_whatever_a_point_holds,
          long_periods_in_wide_points_are_told_about,
          a_period_of_one_rank_is_not_told_again_for_all, nothing_recurs_in_wide_points_of_noise,
          words_say_how_well_a_period_is_known, a_point_is_in_a_period_that_it_has_an_iteration_of)
