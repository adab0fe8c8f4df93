/* Whether cores explain what ranks take, by the cores that they used. */
#include "measure/core_use.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 8 };

struct given {
    const char *use[RANKS];
    double seconds[RANKS];
    uint32_t named[RANKS], n;
};

static struct sca_core_use fill(struct sca_workspace *space, const struct given *g)
{
    struct sca_rank ranks[RANKS] = {0};
    const struct sca_profile profile = {.nranks = RANKS, .ranks = ranks};
    struct sca_core_use use;
    for (int r = 0; r < RANKS; r++)
        ranks[r].core_use = g->use[r];
    sca_core_use_fill(space, &profile, &use);
    return use;
}

static bool is_known(const struct given *g)
{
    struct sca_workspace space = test_room();
    bool known = fill(&space, g).ncores != 0;
    sca_workspace_free(&space);
    return known;
}

static bool is_explained(const struct given *g)
{
    struct sca_workspace space = test_room();
    struct sca_core_use use = fill(&space, g);
    bool explained = sca_core_use_explains(&space, &use, g->seconds, g->named, g->n);
    sca_workspace_free(&space);
    return explained;
}

#define BY_TURNS {"0:1000", "1:1000", "0:1000", "1:1000", "0:1000", "1:1000", "0:1000", "1:1000"}
#define MIXED                                                                                      \
    {"0:715 1:285", "0:580 1:420", "0:285 1:715", "0:276 1:724",                                   \
     "0:994 1:6",   "0:856 1:144", "0:387 1:613", "0:561 1:439"}

START_TEST(all_ranks_of_a_core_may_be_slow_by_it)
{
    ck_assert(
        is_explained(&(struct given){BY_TURNS, {1, 1.7, 1, 1.7, 1, 1.7, 1, 1.7}, {1, 3, 5, 7}, 4}));
}
END_TEST

START_TEST(one_of_them_is_not)
{
    ck_assert(!is_explained(&(struct given){BY_TURNS, {1, 1.7, 1, 1, 1, 1, 1, 1}, {1}, 1}));
}
END_TEST

START_TEST(half_of_each_core_is_not)
{
    ck_assert(!is_explained(
        &(struct given){BY_TURNS, {1, 1, 1, 1, 1.7, 1.7, 1.7, 1.7}, {4, 5, 6, 7}, 4}));
}
END_TEST

/* A core takes at most 2.2 times as long as another. */
START_TEST(three_times_as_long_is_no_core)
{
    ck_assert(!is_explained(&(struct given){BY_TURNS, {1, 4, 1, 4, 1, 4, 1, 4}, {1, 3, 5, 7}, 4}));
}
END_TEST

/* Core 1 takes 1.6 times as long as core 0; ranks that move have a part of that. */
START_TEST(ranks_that_moved_are_slow_by_their_parts)
{
    struct given g = {MIXED, {0}, {2, 3, 6}, 3};
    const double on[RANKS] = {.285, .420, .715, .724, .006, .144, .613, .439};
    for (int r = 0; r < RANKS; r++)
        g.seconds[r] = 1 + 0.6 * on[r];
    ck_assert(is_explained(&g));
    g.seconds[4] = g.seconds[0] = 2; /* hardly ever there */
    g.named[0] = 0, g.named[1] = 4, g.n = 2;
    ck_assert(!is_explained(&g));
}
END_TEST

START_TEST(ranks_that_all_moved_alike_are_not_told_apart_by_cores)
{
    ck_assert(
        !is_explained(&(struct given){{"0:500 1:500", "0:500 1:500", "0:500 1:500", "0:500 1:500",
                                       "0:500 1:500", "0:500 1:500", "0:500 1:500", "0:500 1:500"},
                                      {1, 1, 1, 1, 1.7, 1.7, 1.7, 1.7},
                                      {4, 5, 6, 7},
                                      4}));
}
END_TEST

/* Core 1 takes twice as long, and all ranks were on both for about as long. */
START_TEST(ranks_that_moved_nearly_alike_are_slow_by_their_parts)
{
    struct given g = {{"0:533 1:467", "0:475 1:525", "0:442 1:558", "0:516 1:484", "0:536 1:464",
                       "0:483 1:517", "0:573 1:427", "0:571 1:429"},
                      {1.467, 1.525, 1.558, 1.484, 1.464, 1.517, 1.427, 1.429},
                      {1, 2},
                      2};
    ck_assert(is_explained(&g));
    g.seconds[6] = g.seconds[7] = 1.7; /* least there */
    g.named[0] = 6, g.named[1] = 7;
    ck_assert(!is_explained(&g));
}
END_TEST

static bool moves(const char *first, const double *excess)
{
    struct given g = {BY_TURNS, {0}, {0}, 0};
    struct sca_workspace space = test_room();
    g.use[0] = first;
    struct sca_core_use use = fill(&space, &g);
    bool is = sca_core_use_moves(&use, excess);
    sca_workspace_free(&space);
    return is;
}

START_TEST(who_is_late_may_have_moved)
{
    const double of_first[RANKS] = {1}, of_others[RANKS] = {0.1, 1, 1};
    ck_assert(moves("0:700 1:300", of_first));
    ck_assert(!moves("0:700 1:300", of_others));
    ck_assert(!moves("0:950 1:50", of_first));
    ck_assert(!moves("", of_first)); /* not known */
}
END_TEST

START_TEST(what_one_rank_did_not_record_is_not_known)
{
    struct given g = {BY_TURNS, {1, 1.7, 1, 1.7, 1, 1.7, 1, 1.7}, {1, 3, 5, 7}, 4};
    ck_assert(is_known(&g));
    g.use[5] = "";
    ck_assert(!is_known(&g));
    ck_assert(!is_explained(&g));
    g.use[5] = "5";
    ck_assert(!is_known(&g));
    g.use[5] = "99999999999:1";
    ck_assert(!is_known(&g));
    g.use[5] = "1:nan";
    ck_assert(!is_known(&g));
}
END_TEST

SCA_SUITE("core use", all_ranks_of_a_core_may_be_slow_by_it, one_of_them_is_not,
          half_of_each_core_is_not, three_times_as_long_is_no_core,
          ranks_that_moved_are_slow_by_their_parts,
          ranks_that_all_moved_alike_are_not_told_apart_by_cores,
          ranks_that_moved_nearly_alike_are_slow_by_their_parts, who_is_late_may_have_moved,
          what_one_rank_did_not_record_is_not_known)
