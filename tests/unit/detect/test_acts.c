/* When a cause acts: from an iteration on, in one of several loops, or always, of which nothing is
 * said. */
#include "check_main.h"
#include "measured.h"
#include "report/acts.h"
#include "sca_series.h"

enum { RANKS = 4, LOOPS = 2, POINTS = 100, LATE = 1 };

typedef double (*factor_of)(uint32_t loop, uint32_t iteration);

static float own[RANKS][LOOPS * POINTS];
static struct sca_series_point points[LOOPS * POINTS];
static struct sca_series_section sections[LOOPS];
static uint32_t ranks[RANKS] = {0, 1, 2, 3};
static struct sca_series series = {.npoints = LOOPS * POINTS,
                                   .nrank_points = LOOPS * POINTS,
                                   .sections = sections,
                                   .points = points,
                                   .nranks = RANKS,
                                   .ranks = ranks,
                                   .own = own[0]};
static struct sca_profile profile = {.series = &series};
static struct sca_ppg_run run = {.profile = &profile, .nranks = RANKS};
static struct sca_ppg ppg = {.nruns = 1, .runs = &run};

/* What is said of a cause that makes rank 1 so many times slower; iterations take 10 ms. */
static const char *acts(uint32_t loops, factor_of factor, char words[SCA_PATTERN_WORDS])
{
    struct sca_workspace space = test_room();
    struct sca_finding cause = {.nranks = 1, .ranks = &ranks[LATE]};
    const struct sca_analysis c = {.ppg = &ppg, .space = &space};
    series.nsections = loops;
    for (uint32_t l = 0; l < loops; l++)
        sections[l] = (struct sca_series_section){.begin = l,
                                                  .first = l * POINTS,
                                                  .npoints = POINTS,
                                                  .rank_first = l * POINTS,
                                                  .nrank_points = POINTS,
                                                  .factor = 1};
    for (uint32_t i = 0; i < loops * POINTS; i++) {
        double longer = factor(i / POINTS, i % POINTS + 1);
        points[i] = (struct sca_series_point){
            .number = i % POINTS + 1, .iterations = 1, .span = 0.01, .end = 0.01 * (i + 1)};
        for (uint32_t r = 0; r < RANKS; r++)
            own[r][i] = (float)(r == LATE ? 0.01 * longer : 0.01 + 1e-5 * ((i * 7 + r) % 5));
        cause.excess += 0.01 * (longer - 1);
    }
    sca_acts_of(&c, &cause, words);
    sca_workspace_free(&space);
    return words;
}

static double in_second_half(uint32_t loop, uint32_t iteration)
{
    return loop == 0 && iteration > POINTS / 2 ? 2 : 1;
}

static double in_second_loop(uint32_t loop, uint32_t iteration)
{
    return loop == 1 ? 2 + 1e-3 * (iteration * 7 % 5) : 1;
}

static double always(uint32_t loop, uint32_t iteration)
{
    return 2 + 1e-3 * ((iteration + loop) * 7 % 5);
}

START_TEST(from_an_iteration_on)
{
    char words[SCA_PATTERN_WORDS];
    ck_assert_str_eq(acts(1, in_second_half, words), "from iteration 51 on (second 0.5)");
    ck_assert_str_eq(acts(2, in_second_half, words), "from iteration 51 on (second 0.5)");
}
END_TEST

START_TEST(in_one_of_several_loops)
{
    char words[SCA_PATTERN_WORDS];
    ck_assert_str_eq(acts(2, in_second_loop, words), "in loop 2 of 2 (second 1 to 2)");
}
END_TEST

START_TEST(always_is_not_said)
{
    char words[SCA_PATTERN_WORDS];
    ck_assert_str_eq(acts(1, always, words), "");
    ck_assert_str_eq(acts(2, always, words), "");
}
END_TEST

SCA_SUITE("acts", from_an_iteration_on, in_one_of_several_loops, always_is_not_said)
