/* Which call completes what another one only begins. */
#include "trace/completion.h"
#include "measured.h"
#include "check_main.h"

START_TEST(waits_and_tests_complete)
{
    ck_assert(sca_completion_is("MPI_Wait") && sca_completion_is("MPI_Waitall"));
    ck_assert(sca_completion_is("MPI_Testsome"));
    ck_assert(!sca_completion_is("MPI_Iprobe") && !sca_completion_is("MPI_Recv") &&
              !sca_completion_is(""));
}
END_TEST

START_TEST(who_waits_does_not_poll)
{
    ck_assert(sca_completion_polls("MPI_Test") && sca_completion_polls("MPI_Testany"));
    ck_assert(sca_completion_polls("MPI_Iprobe") && sca_completion_polls("MPI_Improbe"));
    ck_assert(!sca_completion_polls("MPI_Wait") && !sca_completion_polls("MPI_Probe"));
}
END_TEST

START_TEST(collectives_that_return_at_once)
{
    ck_assert(sca_completion_begins_collective("MPI_Ibarrier"));
    ck_assert(sca_completion_begins_collective("MPI_Ialltoallv"));
    ck_assert(!sca_completion_begins_collective("MPI_Barrier"));
    ck_assert(!sca_completion_begins_collective("MPI_Isend"));
    ck_assert(!sca_completion_begins_collective("MPI_Init"));
    ck_assert(!sca_completion_begins_collective("MPI_Iprobe"));
    ck_assert(!sca_completion_begins_collective("MPI_Info_create"));
}
END_TEST

enum { BEGIN = 1, SEND, POLL, WAIT, SITES };

/* The rank's ways on: most often over a send to a wait, or whatever `often` says of the test. */
static uint32_t completing(uint64_t often, const char *last, uint32_t of)
{
    static const char *const names[SITES] = {"", "MPI_Ibarrier", "MPI_Send", "MPI_Test"};
    struct model *model = model_new();
    uint32_t run = model_run(model, 1), site[SITES] = {0};
    for (uint32_t i = BEGIN; i < SITES; i++)
        site[i] = model_site(
            model, run,
            model_vertex(model, 0, SCA_MPI, i == WAIT ? last : names[i], "main", 10 * i));
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 90);
    model_work(model, run, 0, site[BEGIN], site[SEND], 10, work, 1);
    model_work(model, run, 0, site[BEGIN], site[POLL], often, work, 1);
    model_work(model, run, 0, site[SEND], site[WAIT], 10, work, 1);
    model_work(model, run, 0, site[WAIT], site[BEGIN], 10, work, 1);
    const struct sca_profile *profile = model_ppg(model)->runs[run].profile;
    uint32_t found = sca_completion_site(profile, &profile->ranks[0], site[of]);
    model_free(model);
    return found;
}

START_TEST(the_first_that_completes_on_the_usual_bounds)
{
    ck_assert_uint_eq(completing(9, "MPI_Wait", BEGIN), WAIT);
    ck_assert_uint_eq(completing(11, "MPI_Wait", BEGIN), POLL);
}
END_TEST

START_TEST(none_where_the_bounds_comes_back)
{
    ck_assert_uint_eq(completing(9, "MPI_Recv", BEGIN), UINT32_MAX);
}
END_TEST

START_TEST(other_calls_have_none)
{
    ck_assert_uint_eq(completing(9, "MPI_Wait", SEND), UINT32_MAX);
}
END_TEST

SCA_SUITE("completion", waits_and_tests_complete, who_waits_does_not_poll,
          collectives_that_return_at_once, the_first_that_completes_on_the_usual_bounds,
          none_where_the_bounds_comes_back, other_calls_have_none)
