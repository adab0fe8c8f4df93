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
static double times = 2; /* as much work has the slow rank */
static bool once;        /* it came once, on shared cores */
static bool crowded;     /* ranks share cores in all runs, and may differ as much in the last */
static bool no_core;     /* no core has just its ranks */
static bool own_core;    /* ranks share cores in all runs, but the slow rank of the last has one */

/* A run of so large a share of the problem for each rank, of which one, or none (SCA_NONE), works
 * for so much longer. */
static void add_share(double share, uint32_t nranks, uint32_t slow, double longer)
{
    double work[2 * RANKS], extra[2 * RANKS];
    program_fill(work, nranks, 10 * share);
    program_fill(extra, nranks, 5 * share);
    if (slow != SCA_NONE)
        work[slow] += longer;
    program_run(&p, nranks, work, extra);
}

/* A run of which one rank, or none (SCA_NONE), has so many times the work. */
static void add_run(uint32_t nranks, uint32_t slow)
{
    add_share(1, nranks, slow, 10 * (times - 1));
}

struct asked { /* what the ledger has of the finding then */
    struct sca_outcome outcome;
    bool open, aside, inconclusive, asked, not_confirmed;
    uint32_t has, has_not; /* runs that say so */
};

static uint32_t count(const struct sca_finding *f, enum sca_evidence_kind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->evidence.count; i++)
        n += f->evidence.items[i].kind == kind;
    return n;
}

static void give_core(struct sca_analysis *of)
{
    static uint32_t first[RANKS + 1] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, core[RANKS] = {[SLOW] = 1};
    static double part[RANKS] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (uint32_t i = 0; i <= of->last; i++)
        d.m[i].shared = true;
    d.m[of->last].core_use = (struct sca_core_use){RANKS, 2, first, core, part};
}

/* Asks the runs. */
static struct asked ask(struct sca_finding c, bool before)
{
    static uint32_t slow = SLOW;
    d = measured_open(p.model);
    for (uint32_t i = 0; i < d.ppg->nruns; i++)
        traces[i] = (struct sca_traces){.team = &alone};
    struct sca_stage stages[MEASURED_RUNS] = {0};
    for (uint32_t i = 0; i < d.ppg->nruns; i++)
        stages[i] = (struct sca_stage){
            .space = &d.space, .m = &d.m[i], .ends = d.ends, .traces = &traces[i]};
    struct sca_analysis of = {.team = &alone,
                              .ppg = d.ppg,
                              .settings = &program_settings,
                              .space = &d.space,
                              .ends = d.ends,
                              .measures = d.m,
                              .traces = traces,
                              .stages = stages,
                              .last = d.ppg->nruns - 1};
    c.vertex = p.work;
    c.vertices = &p.work;
    c.nvertices = 1;
    c.ranks = &slow;
    c.nranks = 1;
    c.ratio = times;
    c.excess = 10 * (times - 1);
    for (uint32_t i = 0; i <= of.last; i++)
        d.m[i].shared = crowded;
    d.m[of.last].shared |= once;
    if (own_core)
        give_core(&of);
    sca_ledger_begin(&d.space, &of.findings);
    if (once)
        sca_finding_add_evidence(&d.space, &c,
                                 (struct sca_evidence){.kind = SCA_EVIDENCE_SINGLE, .number = 1});
    if (crowded && !no_core)
        sca_finding_add_evidence(&d.space, &c, (struct sca_evidence){.kind = SCA_EVIDENCE_CORES});
    if (no_core)
        sca_finding_add_evidence(&d.space, &c, (struct sca_evidence){.kind = SCA_EVIDENCE_NO_CORE});
    if (before)
        sca_finding_add_evidence(&d.space, &c, (struct sca_evidence){.kind = SCA_EVIDENCE_ASKED});
    const struct sca_finding *f = sca_ledger_append(&of.findings, &c);
    sca_confirm_ask(&of);
    struct asked out = {of.findings.outcomes[0],
                        of.findings.open.count == 1,
                        sca_finding_is_note(f),
                        sca_finding_is_inconclusive(f),
                        sca_finding_has(f, SCA_EVIDENCE_ASKED),
                        sca_finding_has(f, SCA_EVIDENCE_NOT_CONFIRMED),
                        count(f, SCA_EVIDENCE_STANDS_IN),
                        count(f, SCA_EVIDENCE_NOT_IN)};
    measured_close(&d);
    return out;
}

static struct asked ask_new(void)
{
    return ask((struct sca_finding){0}, false);
}

static bool is_confirmed(void)
{
    struct asked a = ask_new();
    return a.open && !a.aside && !a.inconclusive && a.asked;
}

START_TEST(one_run_alone_is_believed)
{
    p = program_new();
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed());
}
END_TEST

START_TEST(a_repetition_must_agree)
{
    p = program_new();
    add_run(RANKS, SLOW);
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed());
    p = program_new();
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    struct asked a = ask_new();
    ck_assert(a.open && a.aside && a.inconclusive); /* told, and no cause */
    ck_assert_uint_eq(a.has, 0);
    ck_assert_uint_eq(a.has_not, 1);
}
END_TEST

/* A slow core is with another rank then. */
START_TEST(on_another_rank_it_is_not_the_same)
{
    p = program_new();
    add_run(RANKS, 2);
    add_run(RANKS, SLOW);
    ck_assert(!is_confirmed());
}
END_TEST

START_TEST(repetitions_decide_by_majority)
{
    p = program_new();
    add_run(RANKS, SLOW);
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed()); /* two of three */
    p = program_new();
    add_run(RANKS, SLOW);
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    ck_assert(!is_confirmed()); /* two of four */
}
END_TEST

/* With a core for each rank, a run of another size need not have it. */
START_TEST(runs_of_other_sizes_are_no_repetitions)
{
    p = program_new();
    add_run(RANKS / 2, SCA_NONE);
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed());
}
END_TEST

/* A busy core makes 1.4 times, but not three times. */
START_TEST(what_came_once_on_shared_cores_must_be_more_than_they_make)
{
    once = true;
    times = 1.4;
    p = program_new();
    add_run(RANKS, SLOW);
    ck_assert(!is_confirmed());
    times = 3;
    p = program_new();
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed());
    once = false;
    times = 1.4;
    p = program_new();
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed());
    times = 2;
}
END_TEST

/* What one rank does for all takes as long whatever the others have to do: on fewer ranks that is a
 * small part of their work. A run that has it in neither way, has nothing. */
START_TEST(what_stays_the_same_is_there_on_fewer_ranks)
{
    static const struct {
        double share, longer;
        uint32_t has, has_not;
    } other[] = {{1, 10, 1, 0}, {5, 10, 1, 0}, {5, 50, 1, 0}, {5, 0, 0, 1}, {1, 0.5, 0, 1}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        p = program_new();
        add_share(other[i].share, RANKS / 2, SLOW / 2, other[i].longer);
        add_run(RANKS, SLOW);
        struct asked a = ask_new();
        ck_assert_msg(a.has == other[i].has && a.has_not == other[i].has_not, "run %zu", i);
    }
}
END_TEST

/* Where the run of four ranks has it on none. What came once tells nothing of cores. */
START_TEST(what_no_core_makes_needs_no_other_run)
{
    crowded = no_core = true;
    times = 1.3;
    p = program_new();
    add_run(4, SCA_NONE);
    add_run(RANKS, SLOW);
    ck_assert(is_confirmed());
    once = true;
    p = program_new();
    add_run(4, SCA_NONE);
    add_run(RANKS, SLOW);
    ck_assert(!is_confirmed());
    crowded = no_core = once = false;
    times = 2;
}
END_TEST

/* Where the run of four ranks has it on none. */
START_TEST(what_a_core_explains_must_be_more_than_any_makes)
{
    static const struct {
        double times;
        bool own_core, is;
    } of[] = {{2.1, false, true}, {2.1, true, false}, {3, true, true}, {1.5, false, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        crowded = true;
        own_core = of[i].own_core;
        times = of[i].times;
        p = program_new();
        add_run(4, SCA_NONE);
        add_run(RANKS, SLOW);
        struct asked a = ask_new();
        ck_assert_msg(a.has_not == 1 && !a.not_confirmed == of[i].is, "case %zu", i);
    }
    own_core = crowded = false;
    times = 2;
}
END_TEST

/* Of four ranks the third is where the sixth of eight is. */
START_TEST(what_cores_may_make_is_confirmed_by_a_run_that_has_it)
{
    static const struct {
        uint32_t nranks, slow;
        double times;
        bool settles;
    } other[] = {{4, 2, 2, true},
                 {4, 2, 1.2, true},
                 {4, 2, 1.03, false},
                 {4, 0, 2, false},
                 {2, 1, 2, false}};
    crowded = true;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        p = program_new();
        times = other[i].times;
        add_run(other[i].nranks, other[i].slow);
        times = 1.2;
        add_run(RANKS, SLOW);
        ck_assert_msg(is_confirmed() == other[i].settles, "run %zu", i);
    }
    crowded = false;
    times = 2;
}
END_TEST

/* The same, but here a single instance has it: that a rank takes longer there all along is
 * something else. */
START_TEST(what_came_once_is_not_confirmed_by_what_another_run_has_all_along)
{
    times = 1.6;
    crowded = once = true;
    p = program_new();
    add_run(RANKS / 2, SLOW / 2);
    add_run(RANKS, SLOW);
    ck_assert(ask_new().inconclusive);
    once = false;
    p = program_new();
    add_run(RANKS / 2, SLOW / 2);
    add_run(RANKS, SLOW);
    ck_assert(!ask_new().inconclusive);
    times = 2;
    crowded = false;
}
END_TEST

START_TEST(who_was_asked_and_who_rotates_is_not_asked)
{
    p = program_new();
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    struct asked a = ask((struct sca_finding){0}, true);
    ck_assert(a.open && !a.aside && !a.has_not);
    p = program_new();
    add_run(RANKS, SCA_NONE);
    add_run(RANKS, SLOW);
    a = ask((struct sca_finding){.transform.nrotating = 1}, false);
    ck_assert(a.open && !a.aside && !a.asked);
}
END_TEST

SCA_SUITE("confirm", one_run_alone_is_believed, a_repetition_must_agree,
          on_another_rank_it_is_not_the_same, repetitions_decide_by_majority,
          runs_of_other_sizes_are_no_repetitions, what_stays_the_same_is_there_on_fewer_ranks,
          what_came_once_on_shared_cores_must_be_more_than_they_make,
          what_no_core_makes_needs_no_other_run, what_a_core_explains_must_be_more_than_any_makes,
          what_cores_may_make_is_confirmed_by_a_run_that_has_it,
          what_came_once_is_not_confirmed_by_what_another_run_has_all_along,
          who_was_asked_and_who_rotates_is_not_asked)
