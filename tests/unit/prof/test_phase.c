/* A phase of a region in which the first thread calls MPI: the interval behind that call has what
 * is left of it. */
#include "threads/phase.h"
#include "check_main.h"

enum { MS = 1000000, TEAM = 2 };

/* The first thread computes 10 ms and leaves MPI after 20 ms; the other one has 70 ms to do. */
static struct sca_phase_times times_of(uint64_t arrived_ns, uint64_t left_ns)
{
    struct sca_phase *phase = &sca_phases[0];
    const struct sca_phase_team team = {.members = 3,
                                        .size = TEAM,
                                        .began_ns = 1000 * MS,
                                        .left_ns = left_ns,
                                        .told_ns = left_ns > 1000 * MS ? 10 * MS : 0};
    struct sca_phase_times times = {0};
    *phase = (struct sca_phase){0};
    phase->members[0] = (struct sca_phase_member){.work_ns = 10 * MS, .arrived_ns = 1020 * MS};
    phase->members[1] = (struct sca_phase_member){.work_ns = 70 * MS, .arrived_ns = arrived_ns};
    sca_phase_add(phase, &team, &times);
    return times;
}

START_TEST(what_a_thread_did_before_the_call_was_left_is_over)
{
    struct sca_phase_times with_a_core = times_of(1070 * MS, 1020 * MS);
    struct sca_phase_times half_of_one = times_of(1140 * MS, 1020 * MS);
    ck_assert_uint_eq(with_a_core.phases_ns, 50 * MS);
    ck_assert_uint_eq(half_of_one.phases_ns, 60 * MS); /* it had as much as the first */
    ck_assert_uint_eq(with_a_core.own_ns, 0);
}
END_TEST

START_TEST(without_a_call_it_takes_as_long_as_the_busiest)
{
    struct sca_phase_times times = times_of(1070 * MS, 900 * MS);
    ck_assert_uint_eq(times.phases_ns, 70 * MS);
    ck_assert_uint_eq(times.own_ns, 10 * MS);
    ck_assert_uint_eq(times.even_ns, 40 * MS);
}
END_TEST

/* What is left behind a call is no more uneven than the team has threads: two of them took four
 * pieces each while the first one was in MPI. */
START_TEST(pieces_taken_before_the_call_was_left_are_over)
{
    struct sca_phase *phase = &sca_phases[0];
    const struct sca_phase_team team = {
        .members = 7, .size = 3, .shares_cores = true, .began_ns = 1000 * MS, .left_ns = 1036 * MS};
    struct sca_phase_times times = {0};
    *phase = (struct sca_phase){0};
    for (unsigned i = 1; i < 3; i++)
        phase->members[i] = (struct sca_phase_member){
            .work_ns = 40 * MS, .pieces_ns = 40 * MS, .arrived_ns = 1040 * MS};
    for (unsigned i = 0; i < 8; i++)
        sca_pieces_end(&phase->pieces, sca_pieces_take(&phase->pieces, 0), 10 * MS);
    sca_phase_add(phase, &team, &times);
    ck_assert_uint_le(times.busy_ns, team.size * times.even_ns);
    ck_assert_uint_ge(times.busy_ns, times.even_ns);
    ck_assert_uint_eq(times.busy_ns, 3 * MS); /* 30 ms of pieces, a tenth of it */
}
END_TEST

/* Each member has forked a region: of 40 ms, which were 25 if its threads computed evenly; and the
 * second one of 30 ms, which is even. The first is done after 50 ms, the second after 45. */
START_TEST(a_region_inside_costs_until_another_thread_would_be_last)
{
    enum { UNEVEN = 7, EVEN = 8 };
    struct sca_phase *phase = &sca_phases[0];
    const struct sca_phase_team team = {.members = 3, .size = TEAM};
    const struct sca_phase_inside uneven = {UNEVEN, TEAM, 40 * MS, 15 * MS};
    const struct sca_phase_inside even = {EVEN, TEAM, 30 * MS, 0};
    struct sca_phase_times times = {0};
    *phase = (struct sca_phase){0};
    phase->members[0] = (struct sca_phase_member){.work_ns = 50 * MS};
    phase->members[1] = (struct sca_phase_member){.work_ns = 45 * MS};
    sca_phase_add_inside(phase->members[0].inside, &uneven);
    sca_phase_add_inside(phase->members[1].inside, &even);
    sca_phase_add(phase, &team, &times);
    ck_assert_uint_eq(times.phases_ns, 50 * MS);
    ck_assert_uint_eq(times.inside[0].site, UNEVEN);
    ck_assert_uint_eq(times.inside[0].ns, 40 * MS);
    ck_assert_uint_eq(times.inside[0].uneven_ns, 5 * MS);
    ck_assert_uint_eq(times.inside[1].threads, 0);
}
END_TEST

/* So that where only some are uneven, all of them count. */
START_TEST(a_region_inside_that_is_even_is_known)
{
    struct sca_phase *phase = &sca_phases[0];
    const struct sca_phase_team team = {.members = 1, .size = 1};
    const struct sca_phase_inside even = {7, TEAM, 30 * MS, 0};
    struct sca_phase_times times = {0};
    *phase = (struct sca_phase){0};
    phase->members[0] = (struct sca_phase_member){.work_ns = 40 * MS};
    sca_phase_add_inside(phase->members[0].inside, &even);
    sca_phase_add(phase, &team, &times);
    ck_assert_uint_eq(times.inside[0].ns, 30 * MS);
    ck_assert_uint_eq(times.inside[0].uneven_ns, 0);
}
END_TEST

START_TEST(regions_at_a_place_are_one)
{
    struct sca_phase_inside to[SCA_PHASE_INSIDE] = {0};
    for (uint32_t site = 0; site <= SCA_PHASE_INSIDE; site++)
        sca_phase_add_inside(to, &(struct sca_phase_inside){site, TEAM, 3 * MS, MS});
    sca_phase_add_inside(to, &(struct sca_phase_inside){1, TEAM + 1, 4 * MS, 2 * MS});
    ck_assert_uint_eq(to[0].ns, 3 * MS);
    ck_assert_uint_eq(to[1].ns, 7 * MS);
    ck_assert_uint_eq(to[1].uneven_ns, 3 * MS);
    ck_assert_uint_eq(to[1].threads, TEAM + 1);
    ck_assert_uint_eq(to[SCA_PHASE_INSIDE - 1].site, SCA_PHASE_INSIDE - 1);
}
END_TEST

/* Two threads: 10 ms by one of them, and a task of 70 ms by the other. */
START_TEST(a_long_task_makes_all_of_the_difference)
{
    struct sca_phase *phase = &sca_phases[0];
    const struct sca_phase_team team = {.members = 3, .size = TEAM};
    struct sca_phase_times times = {0};
    *phase = (struct sca_phase){0};
    phase->members[0].work_ns = 10 * MS;
    phase->members[1].work_ns = phase->members[1].pieces_ns = 70 * MS;
    uint32_t task = sca_pieces_make_task(&phase->pieces, 9, NULL, 0);
    sca_pieces_end(&phase->pieces, sca_pieces_take(&phase->pieces, task), 70 * MS);
    sca_phase_add(phase, &team, &times);
    ck_assert_uint_eq(times.busy_ns, 70 * MS);
    ck_assert_uint_eq(times.even_ns, 70 * MS); /* what threads are uneven by has a place */
    ck_assert_uint_eq(times.chains[0].site, 9);
    ck_assert_uint_eq(times.chains[0].ns, 30 * MS);
    ck_assert(times.chains[0].alone);
}
END_TEST

SCA_SUITE("phase", a_long_task_makes_all_of_the_difference,
          a_region_inside_costs_until_another_thread_would_be_last,
          a_region_inside_that_is_even_is_known, pieces_taken_before_the_call_was_left_are_over,
          regions_at_a_place_are_one, what_a_thread_did_before_the_call_was_left_is_over,
          without_a_call_it_takes_as_long_as_the_busiest)
