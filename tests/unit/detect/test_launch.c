/* Which of the processes that share an analysis this one is, and what is its part. */
#include "team/launch.h"
#include "team/team.h"
#include "check_main.h"

#include <stdlib.h>

static void forget_launchers(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PALS_RANKID",
                                        "FLUX_TASK_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

static struct sca_launch place(const char *rank, const char *size)
{
    forget_launchers();
    setenv("OMPI_COMM_WORLD_RANK", rank, 1);
    setenv("OMPI_COMM_WORLD_SIZE", size, 1);
    return sca_launch_place();
}

START_TEST(alone_it_is_the_only_one)
{
    forget_launchers();
    struct sca_launch at = sca_launch_place();
    ck_assert(at.rank == 0 && at.size == 1 && !at.launched);
}
END_TEST

START_TEST(a_launcher_tells)
{
    struct sca_launch at = place("2", "4");
    ck_assert(at.rank == 2 && at.size == 4 && at.launched);
    at = place("0", "1");
    ck_assert(at.rank == 0 && at.size == 1 && at.launched);
}
END_TEST

START_TEST(what_makes_no_sense_is_not_believed)
{
    ck_assert(place("4", "4").size == 1 && !place("4", "4").launched);
    ck_assert(place("x", "4").size == 1 && !place("x", "4").launched);
    ck_assert(place("0", "").size == 1 && !place("0", "").launched);
}
END_TEST

/* Ten things among four: 2, 3, 2 and 3, without an interval. */
START_TEST(all_is_somebodys_part)
{
    uint32_t end = 0;
    for (uint32_t rank = 0; rank < 4; rank++) {
        const struct sca_team team = {.rank = rank, .size = 4};
        ck_assert_uint_eq(sca_team_first(&team, 10), end);
        end = sca_team_end(&team, 10);
        ck_assert_uint_eq(end - sca_team_first(&team, 10), rank % 2 ? 3 : 2);
        ck_assert_uint_eq(sca_team_first(&team, 0), sca_team_end(&team, 0));
    }
    ck_assert_uint_eq(end, 10);
}
END_TEST

START_TEST(alone_nothing_is_exchanged)
{
    struct sca_team team = {.size = 1};
    double values[] = {1, 2}, all[2] = {0};
    sca_team_sum(&team, values, 2);
    sca_team_sum_sparse(&team, values, 2);
    sca_team_share(&team, values, sizeof values, 0);
    sca_team_gather(&team, values, sizeof values, all);
    ck_assert(values[0] == 1 && values[1] == 2 && all[0] == 1 && all[1] == 2);
    ck_assert_int_eq(sca_team_agree(&team, 0), 0);
    ck_assert_int_eq(sca_team_agree(&team, -3), -3);
}
END_TEST

SCA_SUITE("launch", alone_it_is_the_only_one, a_launcher_tells, what_makes_no_sense_is_not_believed,
          all_is_somebodys_part, alone_nothing_is_exchanged)
