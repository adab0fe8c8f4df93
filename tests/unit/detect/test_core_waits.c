/* What ranks wait for a core while others are idle, by cores, waits and idle cores that are made
 * up. */
#include "measure/core_waits.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 4, SECONDS = 10 };

/* Ranks of one host, 10 s long, half of that on a core; `waited` in seconds. A sample is a second.
 */
struct given {
    const char *use[RANKS], *threads[RANKS], *idle[RANKS];
    double waited[RANKS];
};

static struct sca_core_waits find(struct sca_workspace *space, const struct given *g)
{
    struct sca_rank ranks[RANKS] = {0};
    const struct sca_profile profile = {.nranks = RANKS, .ranks = ranks};
    struct sca_core_waits found;
    for (int r = 0; r < RANKS; r++)
        ranks[r] = (struct sca_rank){.present = true,
                                     .core_use = g->use[r],
                                     .core_threads = g->threads[r],
                                     .core_free = g->idle[r],
                                     .core_waited_ns = (uint64_t)(g->waited[r] * 1e9),
                                     .sample_period_ns = 1000000000,
                                     .cpu_ns = SECONDS * 500000000ull,
                                     .wall_ns = SECONDS * 1000000000ull};
    sca_core_waits_find(space, &profile, &found);
    return found;
}

static void check(const struct given *g, double seconds, uint32_t nranks)
{
    struct sca_workspace space = test_room();
    struct sca_core_waits found = find(&space, g);
    ck_assert_double_eq_tol(found.seconds, seconds, 1e-9);
    ck_assert_uint_eq(found.nranks, nranks);
    sca_workspace_free(&space);
}

/* The other two ranks share nothing. */
START_TEST(two_ranks_on_a_core_wait_while_another_is_idle)
{
    check(&(struct given){{"0:1000", "0:1000", "1:1000", "2:1000"},
                          {0},
                          {"3:97", "3:97", "", ""},
                          {4, 4.5, 0, 0}},
          8.5, 2);
}
END_TEST

/* Nobody may use less than there is: more cores would help, but there are none. */
START_TEST(more_ranks_than_cores_are_no_wrong_binding)
{
    check(&(struct given){{"0:500 1:500", "0:400 1:600", "0:1000", "1:1000"},
                          {0},
                          {"", "", "", ""},
                          {5, 5, 5, 5}},
          0, 0);
}
END_TEST

START_TEST(no_more_is_told_than_cores_were_idle)
{
    check(&(struct given){{"0:1000", "0:1000", "0:1000", "0:1000"},
                          {0},
                          {"1:5 2-3:5", "1:5 2-3:5", "1:5 2-3:5", "1:5 2-3:5"},
                          {5, 5, 5, 5}},
          1.5, 4);
}
END_TEST

/* Each has a core of its own, which another program uses as well. */
START_TEST(who_waits_for_others_programs_is_not_bound_wrongly)
{
    check(&(struct given){{"0:1000", "1:1000", "2:1000", "3:1000"},
                          {0},
                          {"4:100", "4:100", "4:100", "4:100"},
                          {3, 3, 3, 3}},
          0, 0);
}
END_TEST

/* A rank waits as long as the thread that waits longest; threads of the first one share its core,
 * those of the second one do not. */
START_TEST(threads_of_a_rank_may_share_a_core)
{
    check(&(struct given){{"0:1000", "1:1000", "2:1000", "3:1000"},
                          {"1 6000 2 0:1000;2 7000 2 0:1000", "1 6000 2 5:1000;2 7000 2 6:1000", "",
                           ""},
                          {"8-15:100", "8-15:100", "8-15:100", "8-15:100"},
                          {2, 2, 0, 0}},
          7, 1);
}
END_TEST

/* A thread that is mostly asleep takes no core from the rank: another program does. */
START_TEST(a_thread_that_hardly_computes_shares_no_core)
{
    static const char *const idle[] = {"8-15:100", "8-15:100", "8-15:100", "8-15:100"};
    struct given g = {
        {"0:1000", "1:1000", "2:1000", "3:1000"}, {"1 10 1 0:950"}, {0}, {3, 0, 0, 0}};
    for (int r = 0; r < RANKS; r++)
        g.idle[r] = idle[r];
    check(&g, 0, 0);
    g.threads[0] = "1 10 2 0:950";
    check(&g, 3, 1);
}
END_TEST

START_TEST(short_waits_are_none)
{
    check(&(struct given){{"0:1000", "0:1000", "0:1000", "0:1000"},
                          {0},
                          {"1:100", "1:100", "1:100", "1:100"},
                          {0.1, 0.1, 0.19, 0}},
          0, 0);
}
END_TEST

/* Of an older release, or of damaged text. */
START_TEST(what_is_not_known_is_none)
{
    check(&(struct given){{0}, {0}, {0}, {5, 5, 5, 5}}, 0, 0);
    check(&(struct given){{"x", "0", ":", "0:"},
                          {"1", "1 2 3", "1 2 ", ";"},
                          {"1", "1-:", "-", "5:"},
                          {5, 5, 5, 5}},
          0, 0);
}
END_TEST

SCA_SUITE("core waits", two_ranks_on_a_core_wait_while_another_is_idle,
          more_ranks_than_cores_are_no_wrong_binding, no_more_is_told_than_cores_were_idle,
          who_waits_for_others_programs_is_not_bound_wrongly, threads_of_a_rank_may_share_a_core,
          a_thread_that_hardly_computes_shares_no_core, short_waits_are_none,
          what_is_not_known_is_none)
