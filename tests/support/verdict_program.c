#include "verdict_program.h"

#include <check.h>

const struct sca_settings program_settings = {
    .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};

struct program program_new(void)
{
    struct program p = {.model = model_new()};
    p.step = model_vertex(p.model, 0, SCA_LOOP, "", "main", 10);
    p.work = model_vertex(p.model, p.step, SCA_LOOP, "", "main", 12);
    p.branch = model_vertex(p.model, p.step, SCA_BRANCH, "", "main", 20);
    p.extra = model_vertex(p.model, p.branch, SCA_LOOP, "", "main", 21);
    p.body = model_vertex(p.model, p.extra, SCA_COMP, "", "main", 22);
    p.sum = model_vertex(p.model, p.step, SCA_MPI, "MPI_Allreduce", "main", 30);
    return p;
}

uint32_t program_run(struct program *p, uint32_t nranks, const double *work, const double *extra)
{
    uint32_t run = model_run(p->model, nranks), site = model_site(p->model, run, p->sum);
    for (uint32_t r = 0; r < nranks; r++) {
        model_work(p->model, run, r, 0, site, 1, p->work, work[r] / PROGRAM_STEPS);
        model_work(p->model, run, r, site, site, PROGRAM_STEPS - 1, p->work,
                   work[r] * (PROGRAM_STEPS - 1) / PROGRAM_STEPS);
        if (extra[r] > 0)
            model_work(p->model, run, r, site, site, PROGRAM_STEPS - 1, p->body, extra[r]);
        model_collective(p->model, run, r, site, -1, PROGRAM_STEPS);
    }
    return run;
}

struct sca_report *program_judge(struct program *p, struct sca_verdict *verdict)
{
    ck_assert_int_eq(sca_verdict_find(model_ppg(p->model), &program_settings, verdict), 0);
    return verdict->report;
}

void program_finish(struct program *p, struct sca_verdict *verdict)
{
    sca_verdict_free(verdict);
    model_free(p->model);
}

void program_fill(double *x, uint32_t n, double value)
{
    for (uint32_t i = 0; i < n; i++)
        x[i] = value;
}
