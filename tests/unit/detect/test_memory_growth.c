/* Memory that grows from iteration to iteration. */
#include "check_main.h"
#include "series/memory_growth.h"

enum { N = 200, BEGIN = 20000 };

static struct sca_series_point points[N];
static struct sca_workspace space;

static struct sca_memory_growth growth(uint32_t (*kb)(uint32_t i))
{
    for (uint32_t i = 0; i < N; i++)
        points[i] = (struct sca_series_point){.number = i + 1, .memory_kb = kb(i)};
    return sca_memory_growth_of(&space, points, N);
}

static uint32_t leaks(uint32_t i)
{
    return BEGIN + 1024 * i + i % 4 * 64;
}

static uint32_t allocates_once(uint32_t i)
{
    return i < 3 ? BEGIN : 4 * BEGIN;
}

static uint32_t becomes_a_tenth_larger(uint32_t i)
{
    return BEGIN + 10 * i;
}

START_TEST(a_leak_is_seen)
{
    struct sca_memory_growth g = growth(leaks);
    ck_assert(g.is_real);
    ck_assert_double_eq_tol(g.per_iteration, 1 << 20, 1e4);
    ck_assert_double_eq_tol(g.end - g.begin, (N - 1) << 20, 1e6);
    ck_assert_double_eq_tol(g.beyond - g.end, (N - 1) << 20, 2e6);
}
END_TEST

START_TEST(what_is_allocated_once_is_no_growth)
{
    ck_assert(!growth(allocates_once).is_real);
    ck_assert(!growth(becomes_a_tenth_larger).is_real);
}
END_TEST

SCA_SUITE("memory_growth", a_leak_is_seen, what_is_allocated_once_is_no_growth)
