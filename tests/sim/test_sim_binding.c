/* What must hold for any program: two ranks, or two threads of a rank, that are bound to one core
 * while another is idle are a cause, whatever the program does, worth what cores of their own would
 * save. With a core each, or where all cores are shared alike, there is none. Held against each
 * simulated program. */
#include "sim_trial.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RANKS = 8, FIRST = 2, BOUND = 2 };

#define NEAR  0.15 /* of a gain */
#define WORTH 0.03 /* of a run: of less nothing is asked */

static const struct sca_settings settings = {
    .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};

static const char *const own_core[RANKS] = {"0:1000", "1:1000", "2:1000", "3:1000",
                                            "4:1000", "5:1000", "6:1000", "7:1000"};

/* Half of the ranks' cores, each for two of them. */
static const char *shared_core(uint32_t rank)
{
    return own_core[rank / 2];
}

struct judged {
    struct sim *of;
    char threads[BOUND][64]; /* of the ranks that are bound */
    struct sim_graph *graph;
    struct sca_verdict verdict;
};

static struct sim *play(const struct sim_case *c, bool defect, const struct sim_variant *as)
{
    struct sim_options options = c->options;
    options.ranks = RANKS;
    options.seed = 7;
    options.defect = defect;
    options.as = *as;
    return sim_run(&c->program, options);
}

static uint64_t computed_ns(const struct sim *s, uint32_t rank)
{
    double seconds = 0;
    for (uint32_t i = 0; i < s->sequences[rank].ncalls; i++)
        seconds += s->sequences[rank].calls[i].interval;
    return (uint64_t)(seconds * 1e9);
}

/* Each rank's cores are the caller's, as are what it waited and which cores were idle. */
static void open_run(struct judged *j, const struct sim_case *c, bool defect,
                     const struct sim_variant *as)
{
    j->of = play(c, defect, as);
    j->graph = sim_graph(&j->of, 1);
    for (uint32_t r = 0; r < RANKS; r++)
        j->graph->ppg.runs[0].profile->ranks[r].core_use = own_core[r];
}

static void judge(struct judged *j)
{
    ck_assert_int_eq(sca_verdict_find(&j->graph->ppg, &settings, &j->verdict), 0);
}

static void finish(struct judged *j)
{
    sca_verdict_free(&j->verdict);
    sim_graph_free(j->graph);
    sim_free(j->of);
}

static const struct sca_report_cause *binding_of(const struct judged *j)
{
    const struct sca_report *report = j->verdict.report;
    for (uint32_t i = 0; i < report->ncauses; i++)
        if (!strcmp(report->causes[i].category, "binding"))
            return &report->causes[i];
    return NULL;
}

/* A rank's second thread takes the other half of its core, and waits as long. */
static void add_thread(struct judged *j, uint32_t rank)
{
    struct sca_rank *of = &j->graph->ppg.runs[0].profile->ranks[rank];
    char *text = j->threads[rank - FIRST];
    uint64_t ns = computed_ns(j->of, rank);
    snprintf(text, sizeof j->threads[0], "1 %u %u %s", (unsigned)(ns / 1000000),
             (unsigned)(ns / of->sample_period_ns), own_core[rank]);
    of->core_threads = text;
    of->core_use = own_core[rank];
    of->core_free = "8:99";
}

/* As long as both compute, each has half of the core: two ranks of one, or the two threads of each
 * of these ranks of its own. */
static void bind_two(struct judged *j, double wall_s, bool threads)
{
    struct sca_rank *ranks = j->graph->ppg.runs[0].profile->ranks;
    for (uint32_t r = 0; r < RANKS; r++)
        ranks[r].wall_ns = (uint64_t)(wall_s * 1e9);
    for (uint32_t r = FIRST; r < FIRST + BOUND; r++) {
        ranks[r].core_use = own_core[FIRST];
        ranks[r].core_free = "3:99";
        ranks[r].core_waited_ns = computed_ns(j->of, r);
        if (threads)
            add_thread(j, r);
    }
}

static const struct sim_case *program_of(int test)
{
    const struct sim_case *c = &sim_cases[test];
    return c->least <= RANKS && c->most >= RANKS && !c->shares_cores ? c : NULL;
}

static void check_both(const struct sca_report_cause *cause, const char *name)
{
    ck_assert_msg(cause, "%s: no wrong binding", name);
    ck_assert_msg(cause->nranks == BOUND && cause->ranks[0] == FIRST &&
                      cause->ranks[1] == FIRST + 1,
                  "%s: %u ranks from %u", name, cause->nranks, cause->ranks[0]);
}

static void check_two(const struct sim_case *c, bool threads)
{
    const struct sim_variant recorded = {.bound = FIRST};
    const struct sim_variant clock = {.bound = FIRST, .by_clock = true};
    for (int defect = 0; c && defect < 2; defect++) {
        struct judged j;
        struct sim *bound = play(c, defect, &clock);
        double wall = sim_seconds(bound);
        open_run(&j, c, defect, &recorded);
        double saved = (wall - sim_seconds(j.of)) * RANKS;
        bind_two(&j, wall, threads);
        judge(&j);
        if (saved >= WORTH * wall * RANKS)
            check_both(binding_of(&j), c->name);
        if (saved >= WORTH * wall * RANKS && !defect)
            ck_assert_msg(fabs(binding_of(&j)->gain_core_s - saved) <= NEAR * saved,
                          "%s: gain %.3f core-s, the truth is %.3f", c->name,
                          binding_of(&j)->gain_core_s, saved);
        sim_free(bound);
        finish(&j);
    }
}

START_TEST(two_ranks_on_one_core_are_named_with_what_cores_of_their_own_save)
{
    check_two(program_of(_i), false);
}
END_TEST

START_TEST(ranks_whose_two_threads_have_one_core_are_named_likewise)
{
    check_two(program_of(_i), true);
}
END_TEST

START_TEST(with_a_core_for_each_there_is_none)
{
    const struct sim_case *c = program_of(_i);
    const struct sim_variant plain = {0};
    for (int defect = 0; c && defect < 2; defect++) {
        struct judged j;
        open_run(&j, c, defect, &plain);
        judge(&j);
        ck_assert_msg(!binding_of(&j), "%s", c->name);
        finish(&j);
    }
}
END_TEST

/* Two on each core, and none idle: too few cores are no wrong binding. */
START_TEST(where_all_cores_are_shared_alike_there_is_none)
{
    const struct sim_case *c = program_of(_i);
    const struct sim_variant recorded = {.bound = FIRST};
    if (!c)
        return;
    struct judged j;
    open_run(&j, c, false, &recorded);
    struct sca_rank *ranks = j.graph->ppg.runs[0].profile->ranks;
    for (uint32_t r = 0; r < RANKS; r++) {
        ranks[r].core_use = shared_core(r);
        ranks[r].core_waited_ns = computed_ns(j.of, r);
        ranks[r].wall_ns *= 2;
    }
    judge(&j);
    ck_assert_msg(!binding_of(&j), "%s", c->name);
    finish(&j);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("binding");
    TCase *tests = tcase_create("binding");
    int n = (int)sim_ncases;
    tcase_add_loop_test(tests, two_ranks_on_one_core_are_named_with_what_cores_of_their_own_save, 0,
                        n);
    tcase_add_loop_test(tests, ranks_whose_two_threads_have_one_core_are_named_likewise, 0, n);
    tcase_add_loop_test(tests, with_a_core_for_each_there_is_none, 0, n);
    tcase_add_loop_test(tests, where_all_cores_are_shared_alike_there_is_none, 0, n);
    suite_add_tcase(suite, tests);
    return suite;
}
