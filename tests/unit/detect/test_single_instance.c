/* Whether a cause rests on one instance of many. */
#include "imbalance/single_instance.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"
#include "base/degrees.h"

enum { RANKS = 2 };

static struct sca_team alone = {.size = 1};

struct shown { /* one step of rank 1 in a window */
    double interval, weight;
    double of_other; /* what rank 0 takes in it */
    bool recorded;
    enum sca_category category;
    bool rotates;
};

/* Rank 1 has a second more, in 99 instances of 2 s in all beside that: usually 20 ms. */
static uint64_t single(struct shown s)
{
    struct program p = program_new();
    uint32_t one = 1, sites[] = {1, 1};
    uint32_t run = program_run(&p, RANKS, (double[RANKS]){2, 2},
                               (double[RANKS]){s.of_other > 0 ? 0.001 : 0, 1});
    struct measured d = measured_open(p.model);
    struct sca_event_sequence sequences[RANKS] = {
        {.nevents = s.of_other > 0, .sites = sites, .interval = &s.of_other},
        {.nevents = 1, .sites = sites, .interval = &s.interval}};
    struct sca_trace trace = {.nranks = RANKS, .sequences = sequences, .weight = s.weight};
    struct sca_traces traces = {.team = &alone, .count = 1, .traces = &trace};
    traces.recorded = s.recorded;
    struct sca_finding c = {.category = s.category,
                            .vertex = p.extra,
                            .nvertices = 1,
                            .vertices = &p.extra,
                            .nranks = 1,
                            .ranks = &one,
                            .excess = 1,
                            .transform.nrotating = s.rotates};
    uint64_t n = sca_single_instance_of(&d.space, &d.m[run], d.ends, &traces, &c);
    measured_close(&d);
    return n;
}

START_TEST(one_instance_with_most_of_the_excess)
{
    ck_assert_uint_eq(single((struct shown){.interval = 0.53, .weight = 1, .recorded = true}), 99);
    ck_assert_uint_eq(single((struct shown){.interval = 0.51, .weight = 1, .recorded = true}), 0);
}
END_TEST

/* Rank 0 usually takes 20 ms as well. */
START_TEST(what_takes_longer_on_all_ranks_is_no_exception)
{
    struct shown s = {.interval = 0.9, .weight = 1, .of_other = 0.3, .recorded = true};
    ck_assert_uint_eq(single(s), 99);
    s.of_other = 0.9;
    ck_assert_uint_eq(single(s), 0);
}
END_TEST

/* It happened as often as its window stands for. */
START_TEST(a_step_that_stands_for_more_is_no_exception)
{
    ck_assert_uint_eq(single((struct shown){.interval = 0.9, .weight = 1.9, .recorded = true}), 99);
    ck_assert_uint_eq(single((struct shown){.interval = 0.9, .weight = 2, .recorded = true}), 0);
}
END_TEST

START_TEST(without_windows_it_cannot_be_told)
{
    ck_assert_uint_eq(single((struct shown){.interval = 0.9, .weight = 1}), 0);
}
END_TEST

START_TEST(other_kinds_of_causes_are_not_asked)
{
    struct shown s = {.interval = 0.9, .weight = 1, .recorded = true, .rotates = true};
    ck_assert_uint_eq(single(s), 0);
    s.rotates = false;
    s.category = SCA_CAUSE_NONSCALABLE;
    ck_assert_uint_eq(single(s), 0);
}
END_TEST

/* One rank comes `count` times to the work, the other once more. */
static uint64_t few(uint64_t count, bool shared, uint64_t *instances)
{
    struct model *model = model_new();
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10), ranks[] = {0, 1};
    uint32_t sum = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 20);
    uint32_t run = model_run(model, RANKS), site = model_site(model, run, sum);
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(model, run, r, site, site, count + r, work, 1);
    struct measured d = measured_open(model);
    d.m[run].shared = shared;
    struct sca_traces traces = {.team = &alone, .recorded = true};
    struct sca_finding c = {
        .nvertices = 1, .vertices = &work, .nranks = RANKS, .ranks = ranks, .excess = 0.5};
    uint64_t n = sca_single_instance_of(&d.space, &d.m[run], d.ends, &traces, &c);
    *instances = sca_single_instance_count(&d.m[run], d.ends, &c);
    measured_close(&d);
    return n;
}

START_TEST(a_few_on_shared_cores_are_not_enough)
{
    uint64_t instances;
    ck_assert_uint_eq(few(2, true, &instances), 2);
    ck_assert_uint_eq(instances, 2);
    ck_assert_uint_eq(few(2, false, &instances), 0);
    ck_assert_uint_eq(few(SCA_SEVERAL, true, &instances), 0);
    ck_assert_uint_eq(instances, SCA_SEVERAL);
}
END_TEST

/* Each rank finds so many seconds of what is asked for, and has so many of something else, in what
 * comes three times; rank 0 so many more of that; and a second of both comes again and again. */
static bool in_steps(double found, double other, double of_first)
{
    const uint32_t nranks = 4;
    struct model *model = model_new();
    uint32_t work = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t beside = model_vertex(model, 0, SCA_LOOP, "", "main", 12);
    uint32_t sum = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 20);
    uint32_t run = model_run(model, nranks), site = model_site(model, run, sum);
    for (uint32_t r = 0; r < nranks; r++) {
        model_work(model, run, r, 0, site, SCA_SEVERAL - 1, work, found);
        model_work(model, run, r, 0, site, SCA_SEVERAL - 1, beside, r ? other : other + of_first);
        model_work(model, run, r, site, site, SCA_SEVERAL, work, 0.5);
        model_work(model, run, r, site, site, SCA_SEVERAL, beside, 0.5);
    }
    struct measured d = measured_open(model);
    const struct sca_finding c = {.nvertices = 1, .vertices = &work};
    bool is = sca_single_instance_goes_in_iterations(&d.m[run], d.ends, &c);
    measured_close(&d);
    return is;
}

START_TEST(steps_take_longer_than_what_is_found_and_than_all_else)
{
    ck_assert(in_steps(0.9, 0.9, 0));
    ck_assert(!in_steps(1.1, 0.1, 0));
    ck_assert(!in_steps(0.1, 1.1, 0));
}
END_TEST

/* What rank 0 does alone says little of the program: a fifth of a second on average. */
START_TEST(one_rank_does_not_speak_for_all)
{
    ck_assert(in_steps(0.5, 0.7, 0.8));
    ck_assert(!in_steps(0.5, 0.9, 0.8));
}
END_TEST

SCA_SUITE("single_instance", one_instance_with_most_of_the_excess,
          what_takes_longer_on_all_ranks_is_no_exception,
          a_step_that_stands_for_more_is_no_exception, without_windows_it_cannot_be_told,
          other_kinds_of_causes_are_not_asked, a_few_on_shared_cores_are_not_enough,
          steps_take_longer_than_what_is_found_and_than_all_else, one_rank_does_not_speak_for_all)
