/* Whether other runs bear out what looks abnormal in the last one. */
#include "verdict/confirm.h"
#include "verdict/analysis.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 5 };

static struct program p;
static struct measured d;
static struct sca_team alone = {.size = 1};
static struct sca_traces traces[MEASURED_RUNS];

/* A run of which one rank, or none (SCA_NONE), has twice the work. */
static void add_run(uint32_t nranks, uint32_t slow)
{
    double work[2 * RANKS], extra[2 * RANKS];
    program_fill(work, nranks, 10);
    program_fill(extra, nranks, 5);
    if (slow != SCA_NONE)
        work[slow] = 20;
    program_run(&p, nranks, work, extra);
}

/* Asks the runs; the finding as it is then, with nranks 0 if it was dropped. */
static struct sca_finding ask(struct sca_finding c)
{
    static uint32_t slow = SLOW;
    d = measured_open(p.model);
    for (uint32_t i = 0; i < d.ppg->nruns; i++)
        traces[i] = (struct sca_traces){.team = &alone};
    struct sca_analysis of = {.team = &alone,
                              .ppg = d.ppg,
                              .settings = &program_settings,
                              .space = &d.space,
                              .ends = d.ends,
                              .measures = d.m,
                              .traces = traces,
                              .last = d.ppg->nruns - 1};
    c.vertex = p.work;
    c.vertices = &p.work;
    c.nvertices = 1;
    c.ranks = &slow;
    c.nranks = 1;
    c.ratio = 2;
    c.excess = 10;
    struct sca_findings list = {.count = 1, .items = &c};
    sca_confirm_drop(&of, &list);
    c.nranks = list.count;
    measured_close(&d);
    return c;
}

static bool is_confirmed(struct sca_finding c)
{
    c = ask(c);
    return c.nranks == 1 && !c.aside && !c.doubted && c.settled;
}

START_TEST(one_run_alone_is_believed)
{
    p = program_new();
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed((struct sca_finding){0}));
}
END_TEST

START_TEST(a_repetition_must_agree)
{
    p = program_new();
    add_run(RANKS, SLOW);
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed((struct sca_finding){0}));
    p = program_new();
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    struct sca_finding c = ask((struct sca_finding){0});
    ck_assert_uint_eq(c.nranks, 1); /* told, and no cause */
    ck_assert(c.aside && c.doubted);
}
END_TEST

/* A slow core is with another rank then. */
START_TEST(on_another_rank_it_is_not_the_same)
{
    p = program_new();
    add_run(RANKS, 2);
    add_run(RANKS, SLOW);
    ck_assert(!is_confirmed((struct sca_finding){0}));
}
END_TEST

START_TEST(repetitions_decide_by_majority)
{
    p = program_new();
    add_run(RANKS, SLOW);
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed((struct sca_finding){0})); /* two of three */
    p = program_new();
    add_run(RANKS, SLOW);
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    ck_assert(!is_confirmed((struct sca_finding){0})); /* two of four */
}
END_TEST

/* With a core for each rank, a run of another size need not have it. */
START_TEST(runs_of_other_sizes_are_no_repetitions)
{
    p = program_new();
    add_run(RANKS / 2, SCA_NONE);
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed((struct sca_finding){0}));
}
END_TEST

START_TEST(who_was_asked_and_who_rotates_is_not_asked)
{
    p = program_new();
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    struct sca_finding c = ask((struct sca_finding){.settled = true});
    ck_assert(c.nranks == 1 && !c.aside);
    p = program_new();
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    c = ask((struct sca_finding){.transform.nrotating = 1});
    ck_assert(c.nranks == 1 && !c.aside && !c.settled);
}
END_TEST

SCA_SUITE("confirm", one_run_alone_is_believed, a_repetition_must_agree,
          on_another_rank_it_is_not_the_same, repetitions_decide_by_majority,
          runs_of_other_sizes_are_no_repetitions, who_was_asked_and_who_rotates_is_not_asked)
