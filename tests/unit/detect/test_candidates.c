/* A rank that is odd in many intervals, each with few samples: what they say together. The truth is
 * planted, and samples are drawn by it. */
#include "apportion/posterior.h"
#include "apportion/candidates.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>

enum { RANKS = 8, INTERVALS = 6, PLACES = 3, DRAWS = 200 };

/* Below the root, per interval: a call with a sweep and a sum of it. Sweeps are one place in the
 * source, sums another; what is beside them is not. */
enum { PER_INTERVAL = 4, VERTICES = 1 + INTERVALS * PER_INTERVAL };

static struct sca_ppg_vertex vertices[VERTICES];
static const struct sca_ppg ppg = {.nvertices = VERTICES, .vertices = vertices};
static uint64_t seed;

static void make_tree(void)
{
    for (uint32_t i = 0; i < INTERVALS; i++)
        for (uint32_t k = 0; k < PER_INTERVAL; k++) {
            uint32_t call = 1 + i * PER_INTERVAL;
            uint32_t line = k < 2 ? 100 * (i + 1) + k : k; /* call and other work, or what is one */
            vertices[call + k] = (struct sca_ppg_vertex){
                .parent = k ? call : 0, .name = "", .function = "f", .file = "f.c", .line = line};
        }
    vertices[0] = (struct sca_ppg_vertex){.name = "", .function = "", .file = ""};
}

static uint32_t vertex_of(uint32_t interval, uint32_t place)
{
    return 1 + interval * PER_INTERVAL + 1 + place;
}

static double chance(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) * 0x1p-53;
}

/* Knuth's. */
static double poisson(double mean)
{
    double product = chance(), count = 0;
    for (; product > exp(-mean); product *= chance())
        count++;
    return count;
}

struct drawn {
    struct sca_weight own[RANKS][INTERVALS * PLACES];
    size_t nown[RANKS];
};

/* Samples of each rank by `usual`, of rank 0 by `first`: what is expected in each interval. */
static void draw(struct drawn *d, const double *usual, const double *first)
{
    for (int r = 0; r < RANKS; r++) {
        d->nown[r] = 0;
        for (uint32_t i = 0; i < INTERVALS * PLACES; i++) {
            double count = poisson((r ? usual : first)[i % PLACES]);
            if (count > 0)
                d->own[r][d->nown[r]++] =
                    (struct sca_weight){i / PLACES, vertex_of(i / PLACES, i % PLACES), count, 0};
        }
    }
}

static double sum_of(const double *list)
{
    return list[0] + list[1] + list[2];
}

static void open_pool(struct sca_pool *pool, const struct drawn *d, double of_first)
{
    ck_assert_int_eq(sca_sample_pool_open(pool, INTERVALS), 0);
    for (int r = 0; r < RANKS; r++) {
        double unusual[INTERVALS];
        for (int i = 0; i < INTERVALS; i++)
            unusual[i] = r ? 0 : of_first;
        ck_assert_int_eq(sca_sample_pool_add(pool, d->own[r], d->nown[r], unusual), 0);
    }
    ck_assert_int_eq(sca_sample_pool_close(pool), 0);
}

static struct sca_segment segment(const struct drawn *d, uint32_t interval, double seconds,
                                  double usual)
{
    const struct sca_weight *own = d->own[0];
    size_t from = 0, to;
    while (from < d->nown[0] && own[from].interval < interval)
        from++;
    for (to = from; to < d->nown[0] && own[to].interval == interval;)
        to++;
    double off = (seconds / usual - 1) / 0.25;
    return (struct sca_segment){.interval = interval,
                                .own = own + from,
                                .nown = to - from,
                                .seconds = seconds,
                                .usual = usual,
                                .unusual = off * fabs(off) / (1 + off * off)};
}

/* Seconds that rank 0 is given at a place, in all its intervals, on the mean of many draws. */
static double given(const double *usual, const double *first, uint32_t place, double pace)
{
    double seconds = sum_of(first), sum = 0;
    for (int n = 0; n < DRAWS; n++) {
        struct drawn d;
        struct sca_pool pool;
        struct sca_segment all[INTERVALS];
        draw(&d, usual, first);
        open_pool(&pool, &d, segment(&d, 0, seconds, sum_of(usual)).unusual);
        for (uint32_t i = 0; i < INTERVALS; i++)
            all[i] = segment(&d, i, seconds, sum_of(usual));
        struct sca_divider *divider = sca_posterior_open(&pool, &ppg);
        if (sca_posterior_study(divider, all, INTERVALS))
            sca_posterior_weigh(divider, all, INTERVALS, pace);
        for (uint32_t i = 0; i < INTERVALS; i++) {
            const double *part = sca_posterior_divide(divider, &all[i]);
            for (size_t w = pool.first[i]; w < pool.first[i + 1]; w++)
                if (pool.weights[w].vertex == vertex_of(i, place))
                    sum += part[w - pool.first[i]] * seconds / DRAWS;
        }
        sca_posterior_close(divider);
        sca_sample_pool_free(&pool);
    }
    return sum;
}

static const double usual[PLACES] = {2, 3, 2};

/* The rest of the rank's work goes as usual. `least`: of the difference, what the place must get at
 * least. */
static void check_place(double factor, double least)
{
    const double first[PLACES] = {usual[0], usual[1] * factor, usual[2]};
    seed = 1;
    double is = given(usual, first, 1, 1) - INTERVALS * usual[1];
    double part = is / (INTERVALS * usual[1] * (factor - 1));
    ck_assert_msg(part >= least && part <= 1.05, "%.2fx: %.3f of the difference", factor, part);
}

START_TEST(one_place_in_many_intervals_gets_what_it_takes)
{
    check_place(1.5, 0.65); /* by each interval alone 0.63, */
    check_place(2, 0.8);    /* 0.71, */
    check_place(3, 0.93);   /* 0.83 */
}
END_TEST

START_TEST(a_slow_core_stays_one)
{
    static const double factors[] = {1.25, 1.5, 2, 3};
    for (int i = 0; i < 4; i++) {
        double f = factors[i];
        const double first[PLACES] = {usual[0] * f, usual[1] * f, usual[2] * f};
        seed = 2;
        double part = given(usual, first, 1, f) / (INTERVALS * first[1]);
        ck_assert_msg(fabs(part - 1) <= 0.03, "%.2fx: %.3f of what it is", f, part);
    }
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {one_place_in_many_intervals_gets_what_it_takes,
                                  a_slow_core_stays_one};
    make_tree();
    return one_case("suspects", tests, sizeof tests / sizeof *tests);
}
