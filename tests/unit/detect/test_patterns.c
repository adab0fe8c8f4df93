/* Patterns that no comparison of ranks shows: communication that grows, work that ranks do one
 * after the other, runs that are incomplete. */
#include "synthetic_ppg.h"
#include "report/verdict.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100 };

static const struct sca_settings usual = {
    .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};

struct program {
    struct model *model;
    uint32_t step, work, own, receive, send, all, wait;
};

static struct program new_program(const char *collective)
{
    struct program p = {.model = model_new()};
    p.step = model_vertex(p.model, 0, SCA_LOOP, "", "main", 10);
    p.work = model_vertex(p.model, p.step, SCA_LOOP, "", "main", 12);
    p.receive = model_vertex(p.model, p.step, SCA_MPI, "MPI_Recv", "main", 14);
    p.own = model_vertex(p.model, p.step, SCA_LOOP, "", "main", 16);
    p.send = model_vertex(p.model, p.step, SCA_MPI, "MPI_Send", "main", 18);
    p.all = model_vertex(p.model, p.step, SCA_MPI, collective, "main", 20);
    p.wait = model_vertex(p.model, p.step, SCA_MPI, "MPI_Wait", "main", 22);
    return p;
}

static const struct sca_report *judge(struct program *p, struct sca_verdict *verdict)
{
    ck_assert_int_eq(sca_verdict_find(model_ppg(p->model), &usual, verdict), 0);
    return verdict->report;
}

static void finish(struct program *p, struct sca_verdict *verdict)
{
    sca_verdict_free(verdict);
    model_free(p->model);
}

/* Each step divides 80 ms of work and calls the collective, which moves `bytes` per rank. */
static void add_steps(struct program *p, uint32_t n, uint32_t steps, uint64_t bytes, double seconds)
{
    uint32_t run = model_run(p->model, n), site = model_site(p->model, run, p->all);
    double work = 0.08 / n;
    for (uint32_t r = 0; r < n; r++) {
        model_work(p->model, run, r, 0, site, 1, p->work, work);
        model_work(p->model, run, r, site, site, steps - 1, p->work, work * (steps - 1));
        model_collective(p->model, run, r, site, -1, steps);
        model_calls(p->model, run, r, site, steps, bytes * steps, seconds);
    }
}

static void add_exchange(struct program *p, uint32_t n, uint64_t bytes, double seconds)
{
    add_steps(p, n, STEPS, bytes, seconds);
}

START_TEST(an_exchange_with_everybody_is_communication)
{
    struct program p = new_program("MPI_Alltoall");
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2)
        add_exchange(&p, n, 100000 * n, 0.0005 * n);
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_str_eq(c->category, "communication");
    ck_assert_uint_eq(c->vertex, p.all);
    ck_assert_uint_eq(c->nranks, 8);
    ck_assert(fabs(c->gain_core_s - 8 * STEPS * 0.003) < 0.01); /* 4 ms a call instead of 1 */
    ck_assert_uint_eq(report->nnonscalable, 1);
    ck_assert(fabs(report->nonscalable[0].slope - 1) < 0.01);
    ck_assert_uint_eq(report->nonscalable[0].projections[1].ranks, 64);
    ck_assert(report->nonscalable[0].projections[2].share > 0.9);
    finish(&p, &v);
}
END_TEST

/* What is posted at once moves while its completion is waited for. */
static uint32_t add_posted_exchange(struct program *p, uint32_t n, uint64_t bytes, double seconds)
{
    uint32_t run = model_run(p->model, n), post = model_site(p->model, run, p->all);
    uint32_t wait = model_site(p->model, run, p->wait);
    double work = 0.08 / n;
    for (uint32_t r = 0; r < n; r++) {
        model_work(p->model, run, r, 0, post, 1, p->work, work);
        model_work(p->model, run, r, post, wait, STEPS, p->work, 1e-6);
        model_work(p->model, run, r, wait, post, STEPS - 1, p->work, work * (STEPS - 1));
        model_collective(p->model, run, r, post, -1, STEPS);
        model_calls(p->model, run, r, post, STEPS, bytes * STEPS, 1e-6);
        model_calls(p->model, run, r, wait, STEPS, 0, seconds);
    }
    return run;
}

START_TEST(an_exchange_that_does_not_block_is_communication)
{
    struct program p = new_program("MPI_Ialltoallv");
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2)
        add_posted_exchange(&p, n, 100000 * n, 0.0005 * n);
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_str_eq(c->category, "communication");
    ck_assert_uint_eq(c->vertex, p.all);
    ck_assert_uint_eq(c->nranks, 8);
    ck_assert(fabs(c->gain_core_s - 8 * STEPS * 0.003) < 0.01);
    finish(&p, &v);
}
END_TEST

/* Which of the two calls copies depends on who comes first: the shortest of both have had luck.
 * Where ranks share cores, copying within a node takes its time all the same. */
START_TEST(what_two_lucky_calls_moved_is_not_free)
{
    struct program p = new_program("MPI_Ialltoallv");
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2) {
        uint32_t run = add_posted_exchange(&p, n, 1000000 * n, 0.1);
        model_meta(p.model, run, "oversubscribed", "1");
        for (uint32_t r = 0; r < n; r++)
            model_luck(p.model, run, r, 1e-5);
    }
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->causes[0].vertex, p.all);
    ck_assert(fabs(report->causes[0].gain_core_s - 8 * STEPS * 0.003) < 0.05);
    finish(&p, &v);
}
END_TEST

/* Once, before the steps, the rank of the cause and another are late for something else: no wait is
 * longer, and nothing of the cause is in it. */
START_TEST(a_chain_leads_to_what_its_cause_does)
{
    struct program p = new_program("MPI_Allreduce");
    struct sca_verdict v;
    uint32_t single = model_vertex(p.model, 0, SCA_LOOP, "", "main", 30);
    uint32_t barrier = model_vertex(p.model, 0, SCA_MPI, "MPI_Barrier", "main", 32);
    uint32_t run = model_run(p.model, 4), all = model_site(p.model, run, p.all);
    uint32_t start = model_site(p.model, run, barrier);
    for (uint32_t r = 0; r < 4; r++) {
        double own = r == 1 ? 0.008 : 0;
        model_work(p.model, run, r, 0, start, 1, single, r == 1 ? 0.012 : 1e-6);
        model_work(p.model, run, r, start, all, 1, single, r == 0 ? 0.034 : 0.02 + own);
        model_work(p.model, run, r, all, all, STEPS - 1, p.work, 0.02 * (STEPS - 1));
        model_work(p.model, run, r, all, all, STEPS - 1, p.own, own * (STEPS - 1));
        model_collective(p.model, run, r, start, -1, 1);
        model_collective(p.model, run, r, all, -1, STEPS);
    }
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_ge(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_uint_eq(c->vertex, p.own);
    ck_assert_uint_gt(c->npath, 2);
    for (uint32_t i = 0; i < c->npath; i++)
        ck_assert_uint_ne(c->path[i].vertex, barrier);
    finish(&p, &v);
}
END_TEST

/* A problem that stays the same and takes the more iterations the more ranks there are. */
START_TEST(more_iterations_on_more_ranks_are_told)
{
    struct program p = new_program("MPI_Allreduce");
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2)
        add_steps(&p, n, STEPS * n / 2, 8, 1e-5);
    const struct sca_report *report = judge(&p, &v);
    const char *told = "Each rank made 4.0 times as many collectives on 8 ranks as on 2";
    uint32_t notes = 0;
    ck_assert_str_eq(report->scaling_mode, "weak");
    for (uint32_t i = 0; i < report->nnotes; i++)
        notes += !strncmp(report->notes[i], told, strlen(told));
    ck_assert_uint_eq(notes, 1);
    finish(&p, &v);
}
END_TEST

START_TEST(a_reduction_is_not_communication_that_grows)
{
    struct program p = new_program("MPI_Allreduce");
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2)
        add_exchange(&p, n, 800, 0.0005 * log2(n)); /* takes longer, like a tree */
    ck_assert_uint_eq(judge(&p, &v)->ncauses, 0);
    finish(&p, &v);
}
END_TEST

/* Where ranks share cores the shortest call has waited too: what eight bytes of each take is known
 * from how they travel. */
START_TEST(a_small_gather_takes_as_long_as_its_tree)
{
    enum { MANY = 4000 };
    struct program p = new_program("MPI_Allgather");
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2) {
        uint32_t run = model_run(p.model, n), site = model_site(p.model, run, p.all);
        model_meta(p.model, run, "oversubscribed", "1");
        for (uint32_t r = 0; r < n; r++) {
            model_work(p.model, run, r, 0, site, 1, p.work, 0.0002 / n);
            model_work(p.model, run, r, site, site, MANY - 1, p.work, 0.0002 / n * (MANY - 1));
            model_collective(p.model, run, r, site, -1, MANY);
            model_calls(p.model, run, r, site, MANY, 8 * MANY, 0.0001 * n);
        }
    }
    ck_assert_uint_eq(judge(&p, &v)->ncauses, 0);
    finish(&p, &v);
}
END_TEST

/* A line of ranks that exchange borders: on two ranks each has one neighbour, on four some two. */
START_TEST(borders_are_not_communication_that_grows)
{
    struct program p = new_program("MPI_Allreduce");
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 4; n *= 2) {
        uint32_t run = model_run(p.model, n), site = model_site(p.model, run, p.send);
        for (uint32_t r = 0; r < n; r++) {
            uint32_t neighbours = r > 0 && r + 1 < n ? 2 : 1;
            model_work(p.model, run, r, 0, site, 1, p.work, 0.08 / n);
            model_work(p.model, run, r, site, site, STEPS - 1, p.work, 0.08 * (STEPS - 1) / n);
            for (uint32_t k = 0; k < neighbours; k++)
                model_sent(p.model, run, r, site, k || !r ? (int32_t)r + 1 : (int32_t)r - 1, STEPS);
            model_calls(p.model, run, r, site, STEPS, 80000 * neighbours, 0.005 * neighbours);
        }
    }
    ck_assert_uint_eq(judge(&p, &v)->ncauses, 0);
    finish(&p, &v);
}
END_TEST

/* A token goes through all ranks: each receives it, works 5 ms, hands it on. */
static void add_chain(struct program *p, uint32_t n)
{
    struct model *m = p->model;
    uint32_t run = model_run(m, n), receive = model_site(m, run, p->receive);
    uint32_t send = model_site(m, run, p->send), all = model_site(m, run, p->all);
    for (uint32_t r = 0; r < n; r++) {
        uint32_t first = r ? receive : r + 1 < n ? send : all, last = r + 1 < n ? send : all;
        model_work(m, run, r, 0, first, 1, p->work, 0.02);
        model_work(m, run, r, all, first, STEPS - 1, p->work, 0.02 * (STEPS - 1));
        if (r) {
            model_work(m, run, r, receive, last, STEPS, p->own, 0.005 * STEPS);
            model_received(m, run, r, receive, (int32_t)r - 1, STEPS);
        } else {
            model_work(m, run, r, 0, first, 1, p->own, 0.005);
            model_work(m, run, r, all, first, STEPS - 1, p->own, 0.005 * (STEPS - 1));
        }
        if (r + 1 < n) {
            model_work(m, run, r, send, all, STEPS, p->step, 0);
            model_sent(m, run, r, send, (int32_t)r + 1, STEPS);
        }
        model_collective(m, run, r, all, -1, STEPS);
    }
}

START_TEST(work_that_ranks_do_one_after_the_other_is_serial)
{
    struct program p = new_program("MPI_Barrier");
    struct sca_verdict v;
    add_chain(&p, 8);
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_str_eq(c->category, "serial");
    ck_assert_uint_eq(c->vertex, p.own);
    ck_assert_uint_eq(c->nranks, 8);
    ck_assert(fabs(c->gain_core_s - 8 * STEPS * 7 * 0.005) < 0.03 * c->gain_core_s);
    finish(&p, &v);
}
END_TEST

START_TEST(lost_ranks_are_compared_with_nobody)
{
    struct program p = new_program("MPI_Barrier");
    struct sca_verdict v;
    uint32_t run = model_run(p.model, 4), all = model_site(p.model, run, p.all);
    for (uint32_t r = 0; r < 2; r++) {
        model_work(p.model, run, r, all, all, STEPS, p.work, 1);
        model_work(p.model, run, r, 0, all, 1, p.work, 0.01);
        model_collective(p.model, run, r, all, -1, STEPS);
    }
    model_lose(p.model, run, 2);
    model_lose(p.model, run, 3);
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 0);
    ck_assert(report->runs[0].wait_s < 1e-6);
    ck_assert(fabs(report->efficiency[0].load_balance - 1) < 1e-6);
    finish(&p, &v);
}
END_TEST

START_TEST(a_disturbed_repetition_is_named_and_blames_nobody)
{
    struct program p = new_program("MPI_Allreduce");
    struct sca_verdict v;
    const double seconds[] = {1, 1, 1.3}, slow[] = {1, 1, 1.8};
    for (int i = 0; i < 3; i++) {
        uint32_t run = model_run(p.model, 4), all = model_site(p.model, run, p.all);
        for (uint32_t r = 0; r < 4; r++) {
            double work = r == 2 ? slow[i] * seconds[i] : seconds[i];
            model_work(p.model, run, r, 0, all, 1, p.work, 0.01 * work);
            model_work(p.model, run, r, all, all, STEPS, p.work, work);
            model_collective(p.model, run, r, all, -1, STEPS);
        }
    }
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->nruns, 3);
    ck_assert(report->runs[2].noisy && !report->runs[0].noisy);
    ck_assert_uint_eq(report->ncauses, 0); /* two of three do not see it */
    finish(&p, &v);
}
END_TEST

/* An aborted run computed less; against it everything else seems to grow. */
START_TEST(incomplete_runs_make_no_models)
{
    struct program p = new_program("MPI_Allreduce");
    struct sca_verdict v;
    for (uint32_t n = 2; n <= 8; n *= 2) {
        uint32_t run = model_run(p.model, n), all = model_site(p.model, run, p.all);
        double work = n == 2 ? 0.1 : 8.0 / n;
        for (uint32_t r = 0; r < n; r++) {
            model_work(p.model, run, r, 0, all, 1, p.work, 0.01 * work);
            model_work(p.model, run, r, all, all, STEPS, p.work, work);
            model_collective(p.model, run, r, all, -1, STEPS);
        }
        if (n == 2)
            model_lose(p.model, run, 1);
    }
    const struct sca_report *report = judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 0);
    ck_assert_str_eq(report->scaling_mode, "strong");
    finish(&p, &v);
}
END_TEST

SCA_SUITE("patterns", an_exchange_with_everybody_is_communication,
          an_exchange_that_does_not_block_is_communication, what_two_lucky_calls_moved_is_not_free,
          a_chain_leads_to_what_its_cause_does, more_iterations_on_more_ranks_are_told,
          a_reduction_is_not_communication_that_grows, a_small_gather_takes_as_long_as_its_tree,
          borders_are_not_communication_that_grows,
          work_that_ranks_do_one_after_the_other_is_serial, lost_ranks_are_compared_with_nobody,
          a_disturbed_repetition_is_named_and_blames_nobody, incomplete_runs_make_no_models)
