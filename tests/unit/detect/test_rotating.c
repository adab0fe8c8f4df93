/* Work that takes long now on this rank, now on that. */
#include "imbalance/rotating.h"
#include "measured.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 4, STEPS = 24 };

static struct script *s;
static uint32_t site, work;

/* In each step the ranks compute so long between two barriers. */
static void write_script(double (*seconds)(uint32_t rank, uint32_t step))
{
    s = script_new(RANKS);
    work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    site = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++) {
            script_collective(s, r, seconds(r, i), site, SCA_ALL_TO_ALL, -1, i);
            model_work(s->model, s->run, r, site, site, STEPS, work, seconds(r, i));
        }
}

static double in_turn(uint32_t rank, uint32_t step)
{
    return step % RANKS == rank ? 1 : 0.5;
}

static double always_one(uint32_t rank, uint32_t step)
{
    return rank == 1 && step < STEPS ? 1 : 0.5;
}

static double never(uint32_t rank, uint32_t step)
{
    return rank < RANKS && step < STEPS ? 0.1 : 0;
}

static double level(bool smoothed, uint32_t rank, uint32_t step)
{
    struct played p;
    write_script(in_turn);
    script_play(s, &p);
    struct sca_rotating_interval in = {
        .previous = site, .site = site, .smoothed = smoothed, .limit = 1.5};
    struct sca_finding c = {.transform.nrotating = 1, .transform.rotating = &in};
    sca_rotating_level(&p.space, &c, &p.replay);
    double interval = p.replay.interval[sca_replay_at(&p.replay, rank, step)];
    script_end(s, &p);
    return interval;
}

START_TEST(long_instances_take_the_median)
{
    ck_assert_double_eq_tol(level(false, 1, 1), 0.5, 1e-6);
    ck_assert_double_eq_tol(level(false, 0, 1), 0.5, 1e-6);
}
END_TEST

/* Of 1 s and three times 0.5 s, 0.625 s: what is taken from one, others do. */
START_TEST(smoothed_out_they_take_the_mean)
{
    ck_assert_double_eq_tol(level(true, 1, 1), 0.625, 1e-6);
    ck_assert_double_eq_tol(level(true, 0, 1), 0.625, 1e-6);
}
END_TEST

static struct sca_core_use moved = {0}; /* not known, or between two cores */

/* How many are found; on shared cores, if another run has so many of them. */
static uint32_t find_among(double (*seconds)(uint32_t, uint32_t), double least, bool shared,
                           uint32_t seen)
{
    struct sca_finding there = {.vertices = &work, .nvertices = 1};
    const struct sca_finding *items[] = {&there};
    const struct sca_finding_list list = {.items = items, .count = seen};
    struct sca_ledger out;
    struct played p;
    write_script(seconds);
    script_play(s, &p);
    p.measure.shared = shared;
    p.measure.core_use = moved;
    sca_ledger_begin(&p.space, &out);
    sca_rotating_find(&p.space, &p.measure, sca_measure_subtree_ends(&p.space, p.measure.ppg),
                      &p.traces, &list, 1.3, least, &out);
    uint32_t n = out.open.count;
    if (n) {
        const struct sca_finding *found = out.open.items[0];
        ck_assert(sca_finding_rotates(found));
        ck_assert_uint_eq(found->transform.nrotating, 1);
        ck_assert_uint_eq(found->transform.rotating[0].previous, site);
        ck_assert_uint_eq(found->transform.rotating[0].site, site);
        ck_assert_uint_eq(found->nranks, RANKS);
        ck_assert_uint_eq(found->vertex, work);
    }
    script_end(s, &p);
    return n;
}

static uint32_t find(double (*seconds)(uint32_t, uint32_t), double least)
{
    return find_among(seconds, least, false, 0);
}

/* In 24 steps four ranks wait for 0.5 s of one: 48 core-seconds. */
START_TEST(what_is_slow_in_turn_rotates)
{
    ck_assert_uint_eq(find(in_turn, 47), 1);
    ck_assert_uint_eq(find(in_turn, 49), 0);
}
END_TEST

/* One rank's own seconds tell little of it: rank 0 has 7.8 s, all wait for 24 times 0.9 s. */
static double far_in_turn(uint32_t rank, uint32_t step)
{
    return step % RANKS == rank ? 1 : 0.1;
}

START_TEST(what_is_far_slower_in_turn_rotates)
{
    ck_assert_uint_eq(find(far_in_turn, 86), 1);
    ck_assert_uint_eq(find(far_in_turn, 87), 0);
}
END_TEST

START_TEST(what_is_always_on_one_rank_or_nowhere_does_not)
{
    ck_assert_uint_eq(find(always_one, 1), 0);
    ck_assert_uint_eq(find(never, 0.001), 0);
}
END_TEST

static double less_in_turn(uint32_t rank, uint32_t step)
{
    return step % RANKS == rank ? 0.75 : 0.5;
}

/* Half as much again shared cores may make, too; nothing else in the interval tells. */
START_TEST(on_shared_cores_another_run_has_it)
{
    ck_assert_uint_eq(find_among(less_in_turn, 10, false, 0), 1);
    ck_assert_uint_eq(find_among(less_in_turn, 10, true, 0), 0);
    ck_assert_uint_eq(find_among(less_in_turn, 10, true, 1), 1);
}
END_TEST

static double twice_in_turn(uint32_t rank, uint32_t step)
{
    return step % RANKS == rank ? 1.05 : 0.5;
}

/* A rank that moves takes longer on one core than on the other; four times as long no core makes.
 */
START_TEST(on_cores_that_ranks_moved_between_another_run_has_it)
{
    uint32_t first[RANKS + 1] = {0, 2, 4, 6, 8}, core[] = {0, 1, 0, 1, 0, 1, 0, 1};
    double part[] = {.5, .5, .4, .6, .3, .7, .6, .4};
    ck_assert_uint_eq(find_among(twice_in_turn, 10, true, 0), 1);
    moved = (struct sca_core_use){RANKS, 2, first, core, part};
    ck_assert_uint_eq(find_among(twice_in_turn, 10, true, 0), 0);
    ck_assert_uint_eq(find_among(twice_in_turn, 10, true, 1), 1);
    ck_assert_uint_eq(find_among(far_in_turn, 10, true, 0), 1);
    moved = (struct sca_core_use){0};
}
END_TEST

/* Two groups take turns, and are late by less than counts in every other step: so on average each
 * rank is late by over half of what counts, but none more than another. */
static double groups_in_turn(uint32_t rank, uint32_t step)
{
    bool late = step % 4 / 2 == rank % 2;
    return late ? 0.5 * (step % 2 ? 1.25 : 1.6) : 0.5;
}

START_TEST(what_groups_do_in_turn_rotates)
{
    ck_assert_uint_eq(find(groups_in_turn, 14), 1);
    ck_assert_uint_eq(find(groups_in_turn, 15), 0);
}
END_TEST

static uint32_t count_marked(double (*seconds)(uint32_t, uint32_t), bool told, bool smoothed)
{
    struct played p;
    write_script(seconds);
    script_play(s, &p);
    struct sca_rotating_interval in = {
        .previous = site, .site = site, .smoothed = smoothed, .limit = 1.5};
    struct sca_finding c = {.transform.nrotating = 1, .transform.rotating = &in};
    bool *own = sca_workspace_alloc(&p.space, p.replay.trace->nevents, sizeof *own);
    sca_rotating_mark(&p.space, &p.measure, &c, told, p.replay.trace, own);
    uint32_t marked = 0;
    for (uint32_t i = 0; i < p.replay.trace->nevents; i++)
        marked += own[i];
    script_end(s, &p);
    return marked;
}

/* What is always on the same rank is no matter of instances, unless it is told as one. */
START_TEST(long_instances_are_the_programs_own)
{
    ck_assert_uint_eq(count_marked(in_turn, false, false), STEPS);
    ck_assert_uint_eq(count_marked(in_turn, true, false), STEPS);
    ck_assert_uint_eq(count_marked(in_turn, true, true), RANKS * STEPS);
    ck_assert_uint_eq(count_marked(always_one, false, false), 0);
    ck_assert_uint_eq(count_marked(always_one, true, false), STEPS);
}
END_TEST

SCA_SUITE("rotating", long_instances_are_the_programs_own, long_instances_take_the_median,
          smoothed_out_they_take_the_mean, what_is_slow_in_turn_rotates,
          what_is_far_slower_in_turn_rotates, what_is_always_on_one_rank_or_nowhere_does_not,
          on_shared_cores_another_run_has_it, on_cores_that_ranks_moved_between_another_run_has_it,
          what_groups_do_in_turn_rotates)
