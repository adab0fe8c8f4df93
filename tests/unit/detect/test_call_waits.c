/* How long the calls of a site waited, on average. */
#include "price/call_waits.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 3 };

static struct script *s;
static struct staged st;
static const double *waited;

static double of(uint32_t rank, uint32_t site)
{
    return waited[(size_t)rank * st.measure.run->profile->nsites + site];
}

static void look(void)
{
    script_stage(s, &st);
    waited = sca_call_waits_find(&st.space, &st.stage);
}

/* Rank 0 comes two seconds late the first time, all come together the second. */
START_TEST(waits_are_those_of_a_call_on_average)
{
    s = script_new(RANKS);
    uint32_t often = script_site(s, "MPI_Barrier", 20), once = script_site(s, "MPI_Barrier", 30);
    for (uint32_t r = 0; r < RANKS; r++) {
        script_collective(s, r, r == 0 ? 3 : 1, often, SCA_ALL_TO_ALL, -1, 0);
        script_collective(s, r, 1, often, SCA_ALL_TO_ALL, -1, 1);
        script_collective(s, r, r == 1 ? 5 : 1, once, SCA_ALL_TO_ALL, -1, 2);
    }
    look();
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(of(r, often), r == 0 ? 0 : 1, 1e-6);
        ck_assert_double_eq_tol(of(r, once), r == 1 ? 0 : 4, 1e-6);
    }
    staged_end(s, &st);
}
END_TEST

/* The receiver computes for one second of the sender's three, or longer than that. */
START_TEST(who_receives_waits_and_who_sends_does_not)
{
    for (int late = 0; late < 2; late++) {
        s = script_new(2);
        uint32_t out = script_site(s, "MPI_Send", 20), in = script_site(s, "MPI_Recv", 21);
        script_send(s, 0, 3, out, 1, 0);
        script_receive(s, 1, late ? 4 : 1, in, 0, 0);
        look();
        ck_assert_double_eq_tol(of(1, in), late ? 0 : 2, 1e-6);
        ck_assert_double_eq_tol(of(0, out), 0, 1e-6);
        staged_end(s, &st);
    }
}
END_TEST

START_TEST(a_site_that_is_not_called_has_no_waits)
{
    s = script_new(RANKS);
    uint32_t called = script_site(s, "MPI_Barrier", 20), never = script_site(s, "MPI_Recv", 30);
    for (uint32_t r = 0; r < RANKS; r++)
        script_collective(s, r, 1, called, SCA_ALL_TO_ALL, -1, 0);
    look();
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq(of(r, never), 0);
        ck_assert_double_eq_tol(of(r, called), 0, 1e-6);
    }
    staged_end(s, &st);
}
END_TEST

START_TEST(one_rank_waits_for_nobody)
{
    s = script_new(1);
    uint32_t site = script_site(s, "MPI_Barrier", 20);
    script_collective(s, 0, 3, site, SCA_ALL_TO_ALL, -1, 0);
    script_collective(s, 0, 1, site, SCA_ALL_TO_ALL, -1, 1);
    look();
    ck_assert_double_eq_tol(of(0, site), 0, 1e-6);
    staged_end(s, &st);
}
END_TEST

SCA_SUITE("call waits", waits_are_those_of_a_call_on_average,
          who_receives_waits_and_who_sends_does_not, a_site_that_is_not_called_has_no_waits,
          one_rank_waits_for_nobody)
