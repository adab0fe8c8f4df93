/* Which waits chains begin with. */
#include "explain/longest_waits.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 4 };

static struct script *s;
static struct staged st;
static uint32_t site;

/* Two barriers: rank 3 is late at the first, rank 0 at the second. */
static void begin(void)
{
    static const double seconds[2][RANKS] = {{1, 2, 2, 4}, {6, 5, 1, 1}};
    s = script_new(RANKS);
    uint32_t work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    site = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_collective(s, r, seconds[0][r], site, SCA_ALL_TO_ALL, -1, 0);
        script_collective(s, r, seconds[1][r], site, SCA_ALL_TO_ALL, -1, 1);
        script_work(s, r, site, site, work, seconds[0][r] + seconds[1][r]);
    }
    script_stage(s, &st);
}

static void search(const struct sca_finding *cause, uint32_t vertex, struct sca_wait *out)
{
    const struct sca_wait_search of = {&st.stage, cause, vertex};
    sca_longest_waits(&st.space, &of, 0, st.stage.traces->all, out);
}

static uint32_t count(const struct sca_wait *waits)
{
    uint32_t n = 0;
    while (n < SCA_MOST_WAITS && waits[n].process != SCA_NONE)
        n++;
    return n;
}

/* 5 s of ranks 2 and 3 at the second, 3 s of rank 0 at the first, 2 s of 1 and 2, 1 s of 1. */
START_TEST(longest_first_and_the_lowest_rank_of_equals)
{
    static const uint32_t rank[] = {2, 1, 2, 1};
    static const double waited[] = {5, 2, 2, 1};
    uint32_t ranks[] = {0, 3};
    struct sca_finding cause = {.nranks = 2, .ranks = ranks};
    struct sca_wait out[SCA_MOST_WAITS];
    begin();
    uint32_t vertex = st.measure.run->site_vertex[site];
    search(&cause, vertex, out);
    ck_assert_uint_eq(count(out), 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(out[i].rank, rank[i]);
        ck_assert_double_eq_tol(out[i].waited, waited[i], 1e-6);
    }
    staged_end(s, &st);
}
END_TEST

START_TEST(where_all_are_to_blame_all_may_wait)
{
    uint32_t ranks[] = {0, 1, 2, 3}, one = 2;
    struct sca_finding all = {.nranks = RANKS, .ranks = ranks},
                       rotates = {.transform.nrotating = 1};
    struct sca_wait out[SCA_MOST_WAITS];
    rotates.nranks = 1;
    rotates.ranks = &one;
    begin();
    uint32_t vertex = st.measure.run->site_vertex[site];
    search(&all, vertex, out);
    ck_assert_uint_eq(count(out), 6);
    ck_assert_uint_eq(out[0].rank, 2);
    ck_assert_uint_eq(out[1].rank, 3);
    ck_assert_uint_eq(out[2].rank, 0);
    search(&rotates, vertex, out);
    ck_assert_uint_eq(count(out), 6);
    staged_end(s, &st);
}
END_TEST

START_TEST(elsewhere_nobody_waits)
{
    uint32_t one = 0;
    struct sca_finding cause = {.nranks = 1, .ranks = &one};
    struct sca_wait out[SCA_MOST_WAITS];
    begin();
    search(&cause, 0, out);
    ck_assert_uint_eq(count(out), 0);
    ck_assert_ptr_nonnull(sca_longest_waits_own_replay(&st.stage, 0));
    ck_assert_ptr_null(sca_longest_waits_own_replay(&st.stage, 1));
    ck_assert(sca_longest_waits_is_delaying(&cause, 0) &&
              !sca_longest_waits_is_delaying(&cause, 1));
    staged_end(s, &st);
}
END_TEST

SCA_SUITE("longest_waits", longest_first_and_the_lowest_rank_of_equals,
          where_all_are_to_blame_all_may_wait, elsewhere_nobody_waits)
