#include "library/series_made.h"
#include "base/shared_cores.h"
#include "library/run_metrics.h"
#include "sca_error.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* What windows show of its clusters. */
static void sum_recorded(struct sca_made_series *all, struct sca_made_loop *loop)
{
    const struct sca_loop_series *l = &loop->of;
    loop->recorded = sca_workspace_alloc(&all->space, l->clusters.n, sizeof *loop->recorded);
    for (uint32_t k = 0; k < l->clusters.n; k++)
        loop->recorded[k] = sca_recorded_sum(&all->space, &all->recorded, l->section->first,
                                             l->section->npoints, l->clusters.of, (uint8_t)k);
}

static void make_loop(struct sca_made_series *all, const struct sca_series *series, uint32_t i)
{
    struct sca_made_loop *loop = &all->loops[i];
    char words[SCA_PATTERN_WORDS];
    sca_loop_series_make(&all->space, series, i, all->shared, &loop->of);
    sum_recorded(all, loop);
    loop->acts = sca_workspace_alloc(&all->space, loop->of.patterns.n, sizeof *loop->acts);
    for (uint32_t p = 0; p < loop->of.patterns.n; p++) {
        loop->acts[p] = sca_arena_string(&all->space.arena,
                                         sca_pattern_acts(&loop->of.patterns.list[p], words));
        if (!loop->acts[p])
            longjmp(*all->space.out_of_memory, 1);
    }
}

/* Alone in its function: locals of a caller of setjmp are lost when it returns twice. */
static int make(struct sca_made_series *all, const struct sca_ppg *ppg,
                const struct sca_ppg_run *run)
{
    jmp_buf out_of_memory;
    const struct sca_series *series = run->profile->series;
    all->space.out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    all->shared = sca_may_share_cores(run->profile);
    if (series) {
        uint32_t *ends = sca_workspace_alloc(&all->space, ppg->nvertices, sizeof *ends);
        sca_ppg_ends(ppg, ends);
        sca_recorded_find(&all->space, ppg, run, ends, &all->recorded);
    }
    all->loops =
        sca_workspace_alloc(&all->space, series ? series->nsections : 0, sizeof *all->loops);
    for (uint32_t i = 0; series && i < series->nsections; i++)
        make_loop(all, series, i);
    all->nloops = series ? series->nsections : 0;
    all->space.out_of_memory = NULL;
    return SCA_OK;
}

static int make_once(const scalana_runs *runs, uint32_t run, const struct sca_ppg_run *of)
{
    if (runs->series[run])
        return SCA_OK;
    struct sca_made_series *all = calloc(1, sizeof *all);
    int status = all ? make(all, runs->loaded.ppg, of) : sca_fail(SCA_ENOMEM, "out of memory");
    if (status == SCA_OK) {
        runs->series[run] = all;
        return SCA_OK;
    }
    if (all)
        sca_workspace_free(&all->space);
    free(all);
    return status;
}

int sca_series_made(const scalana_runs *runs, uint32_t run, const struct sca_made_series **out)
{
    const struct sca_ppg_run *of;
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status != SCA_OK)
        return status;
    pthread_mutex_lock(&making);
    status = make_once(runs, run, of);
    pthread_mutex_unlock(&making);
    *out = runs->series[run];
    return status;
}

void sca_series_made_free(struct scalana_runs *runs)
{
    for (uint32_t i = 0; runs->series && i < runs->loaded.ppg->nruns; i++)
        if (runs->series[i]) {
            sca_workspace_free(&runs->series[i]->space);
            free(runs->series[i]);
        }
    free(runs->series);
}
