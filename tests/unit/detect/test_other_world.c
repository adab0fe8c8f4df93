/* Waits for ranks of another world: which part of what calls took. */
#include "measure/other_world.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 2 };

static struct measured d;
static struct model *model;
static uint32_t run, site;
static struct sca_other_world out;

static void begin(const char *function)
{
    model = model_new();
    uint32_t v = model_vertex(model, 0, SCA_MPI, function, "main", 20);
    run = model_run(model, RANKS);
    site = model_site(model, run, v);
}

/* Communicator 0, which all traffic of a model is on, joins worlds. */
static void measure(double part)
{
    d = measured_open(model);
    d.m[0].run->profile->comms[0].joins_worlds = true;
    sca_other_world_measure(&d.space, d.m[0].run, part, &out);
}

static double seconds(uint32_t rank)
{
    uint32_t nsites = d.m[0].run->profile->nsites;
    return out.per_call ? out.seconds[(size_t)rank * nsites + site] : 0;
}

static void end(void)
{
    measured_close(&d);
}

/* Ten calls of 10 ms: 0.1 s, less what ten messages take. */
START_TEST(receives_wait_for_who_is_elsewhere)
{
    begin("MPI_Recv");
    for (uint32_t r = 0; r < RANKS; r++)
        model_calls(model, run, r, site, 10, 0, 0.01);
    model_received(model, run, 0, site, SCA_FOREIGN - 3, 10);
    model_received(model, run, 1, site, 0, 10);
    measure(1);
    ck_assert_double_eq_tol(seconds(0), 0.1, 1e-4);
    ck_assert_double_eq(seconds(1), 0);
    ck_assert_double_eq_tol(out.total, 0.1, 1e-4);
    ck_assert_double_eq_tol(out.per_call[site], 0.01, 1e-5);
    end();
}
END_TEST

START_TEST(on_shared_cores_they_are_shortened_as_computation_is)
{
    begin("MPI_Recv");
    model_calls(model, run, 0, site, 10, 0, 0.01);
    model_received(model, run, 0, site, SCA_FOREIGN, 10);
    measure(0.25);
    ck_assert_double_eq_tol(seconds(0), 0.025, 1e-4);
    end();
}
END_TEST

START_TEST(a_call_for_both_waits_for_each_in_part)
{
    begin("MPI_Waitall");
    model_calls(model, run, 0, site, 10, 0, 0.01);
    model_received(model, run, 0, site, SCA_FOREIGN, 10);
    model_received(model, run, 0, site, 1, 30);
    measure(1);
    ck_assert_double_eq_tol(seconds(0), 0.025, 1e-4);
    end();
}
END_TEST

START_TEST(who_only_looks_waits_all_the_time)
{
    begin("MPI_Probe");
    model_calls(model, run, 0, site, 10, 0, 0.01);
    model_received(model, run, 0, site, SCA_FOREIGN, 0);
    measure(1);
    ck_assert_double_eq_tol(seconds(0), 0.1, 1e-9);
    end();
}
END_TEST

START_TEST(a_short_message_is_sent_without_waiting)
{
    begin("MPI_Send");
    model_calls(model, run, 0, site, 10, 0, 0.01);
    model_sent(model, run, 0, site, SCA_FOREIGN, 10);
    measure(1);
    ck_assert_double_eq(seconds(0), 0);
    end();
    begin("MPI_Ssend");
    model_calls(model, run, 0, site, 10, 0, 0.01);
    model_sent(model, run, 0, site, SCA_FOREIGN, 10);
    measure(1);
    ck_assert_double_eq_tol(seconds(0), 0.1, 1e-4);
    end();
}
END_TEST

/* Rank 1 comes last: what it waits all wait. What rank 0 waits for rank 1 is replayed. */
START_TEST(of_a_collective_all_wait_as_long_as_who_comes_last)
{
    begin("MPI_Allreduce");
    model_calls(model, run, 0, site, 10, 0, 0.03);
    model_calls(model, run, 1, site, 10, 0, 0.01);
    for (uint32_t r = 0; r < RANKS; r++)
        model_collective(model, run, r, site, -1, 10);
    measure(1);
    ck_assert_double_eq_tol(seconds(0), 0.1, 1e-9);
    ck_assert_double_eq_tol(seconds(1), 0.1, 1e-9);
    end();
}
END_TEST

/* From a root elsewhere each member waits by itself. */
START_TEST(a_root_of_another_world_is_waited_for_by_each)
{
    begin("MPI_Bcast");
    model_calls(model, run, 0, site, 10, 0, 0.03);
    model_calls(model, run, 1, site, 10, 0, 0.01);
    for (uint32_t r = 0; r < RANKS; r++)
        model_collective(model, run, r, site, SCA_FOREIGN, 10);
    measure(1);
    ck_assert_double_eq_tol(seconds(0), 0.3, 1e-9);
    ck_assert_double_eq_tol(seconds(1), 0.1, 1e-9);
    end();
}
END_TEST

START_TEST(a_program_of_one_world_has_none)
{
    begin("MPI_Recv");
    model_calls(model, run, 0, site, 10, 0, 0.01);
    model_received(model, run, 0, site, -1, 10);
    d = measured_open(model);
    ck_assert_ptr_null(d.m[0].other_world.per_call);
    ck_assert_double_eq(d.m[0].other_world.total, 0);
    end();
}
END_TEST

SCA_SUITE("other_world", receives_wait_for_who_is_elsewhere,
          on_shared_cores_they_are_shortened_as_computation_is,
          a_call_for_both_waits_for_each_in_part, who_only_looks_waits_all_the_time,
          a_short_message_is_sent_without_waiting,
          of_a_collective_all_wait_as_long_as_who_comes_last,
          a_root_of_another_world_is_waited_for_by_each, a_program_of_one_world_has_none)
