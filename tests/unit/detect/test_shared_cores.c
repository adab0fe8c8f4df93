/* Whether ranks may have shared cores: by what they waited for one, where a run tells. */
#include "base/shared_cores.h"
#include "check_main.h"

enum { RANKS = 2, SECOND = 1000000000 };

/* Of 10 s each. */
static bool may_share(const char *use, double cpu_s, double waited_s, const char *oversubscribed)
{
    struct sca_metadata meta = {"oversubscribed", oversubscribed};
    struct sca_rank ranks[RANKS] = {0};
    for (int r = 0; r < RANKS; r++)
        ranks[r] = (struct sca_rank){.core_use = use,
                                     .cpu_ns = (uint64_t)(cpu_s * SECOND),
                                     .core_waited_ns = (uint64_t)(waited_s * SECOND),
                                     .wall_ns = 10ull * SECOND};
    const struct sca_profile profile = {.nranks = RANKS, .ranks = ranks, .nmeta = 1, .meta = &meta};
    return sca_may_share_cores(&profile);
}

START_TEST(more_ranks_than_cores_do)
{
    ck_assert(may_share("0:1000", 10, 0, "1"));
    ck_assert(may_share("", 10, 0, "1"));
}
END_TEST

START_TEST(a_program_that_sleeps_does_not)
{
    ck_assert(!may_share("0:1000", 5, 0.2, "0"));
}
END_TEST

START_TEST(a_busy_machine_makes_them)
{
    ck_assert(may_share("0:1000", 5, 4, "0"));
    ck_assert(!may_share("0:1000", 9.5, 0.5, "0"));
}
END_TEST

/* Nobody guesses why its ranks were off the core. */
START_TEST(a_run_of_an_older_release_tells_only_of_too_many_ranks)
{
    ck_assert(!may_share("", 5, 0, "0"));
    ck_assert(!may_share(NULL, 5, 0, "0"));
    ck_assert(may_share(NULL, 5, 0, "1"));
}
END_TEST

SCA_SUITE("shared cores", more_ranks_than_cores_do, a_program_that_sleeps_does_not,
          a_busy_machine_makes_them, a_run_of_an_older_release_tells_only_of_too_many_ranks)
