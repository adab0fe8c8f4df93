/* A wrong binding is a cause, worth what it makes the run longer; too few cores are none. */
#include "verdict_program.h"
#include "check_main.h"

#include <string.h>

enum { RANKS = 4 };

/* Ranks that compute 2 s each, by two on a core, and so take 4 s. */
static struct sca_report *judge(struct program *p, struct sca_verdict *v, const char *idle)
{
    double work[RANKS], none[RANKS] = {0};
    *p = program_new();
    program_fill(work, RANKS, 2);
    model_meta(p->model, program_run(p, RANKS, work, none), "oversubscribed", "1");
    const struct sca_ppg *ppg = model_ppg(p->model);
    for (uint32_t r = 0; r < RANKS; r++) {
        struct sca_rank *rank = &ppg->runs[0].profile->ranks[r];
        rank->core_use = r / 2 ? "1:1000" : "0:1000";
        rank->core_free = idle;
        rank->core_waited_ns = 2000000000;
        rank->wall_ns = 4000000000;
        rank->cpu_ns = 2000000000;
    }
    ck_assert_int_eq(sca_verdict_find(ppg, &program_settings, v), 0);
    return v->report;
}

START_TEST(a_wrong_binding_is_a_cause)
{
    struct program p;
    struct sca_verdict v;
    const struct sca_report *report = judge(&p, &v, "2-3:99");
    const struct sca_report_account *a = &report->runs[0].account;
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_str_eq(c->category, "binding");
    ck_assert_str_eq(c->others, "cores");
    ck_assert_str_eq(c->saved_if, "free-cores");
    ck_assert_uint_eq(c->nranks, RANKS);
    ck_assert_double_eq_tol(c->gain_core_s, 7.92, 0.1);
    ck_assert_double_eq_tol(c->gain_share, c->gain_core_s / a->base_core_s, 1e-9);
    ck_assert_double_eq_tol(a->duration_s, 4, 0.05);
    ck_assert_double_eq_tol(a->queued_core_s, c->gain_core_s, 1e-6);
    ck_assert_double_eq_tol(a->useful_core_s + a->queued_core_s + a->rest_core_s +
                                a->explained_core_s + a->unexplained_core_s + a->disturbed_core_s +
                                a->extra_core_s + a->tool_core_s,
                            a->base_core_s, 1e-6);
    program_finish(&p, &v);
}
END_TEST

START_TEST(too_few_cores_are_none)
{
    struct program p;
    struct sca_verdict v;
    const struct sca_report *report = judge(&p, &v, "");
    ck_assert_uint_eq(report->ncauses, 0);
    ck_assert_double_eq(report->runs[0].account.queued_core_s, 0);
    ck_assert_double_eq_tol(report->runs[0].account.duration_s, 2, 0.05);
    program_finish(&p, &v);
}
END_TEST

SCA_SUITE("binding", a_wrong_binding_is_a_cause, too_few_cores_are_none)
