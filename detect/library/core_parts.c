/* On which cores the threads of a run's locations ran. */
#include "library/arguments.h"
#include "library/rows.h"
#include "library/run_metrics.h"
#include "sca_error.h"
#include "scalana/graph.h"
#include "topology/ran_on.h"

#include <stdlib.h>

struct part_list {
    uint32_t n;
    struct scalana_core_part *of; /* NULL: they are counted */
};

static void add(struct part_list *to, const struct scalana_core_part *part)
{
    if (to->of)
        to->of[to->n] = *part;
    to->n++;
}

static void add_thread(struct part_list *to, uint32_t location, const struct sca_ran_on *of)
{
    struct scalana_core_part row = {location, of->thread, -1, 0, of->waited};
    uint32_t before = to->n, core;
    for (size_t at = 0; sca_ran_on_part(of, &at, &core, &row.part); add(to, &row))
        row.core = (int32_t)core;
    if (to->n == before && of->waited > 0)
        add(to, &row);
}

static void add_all(struct part_list *to, const struct sca_profile *profile)
{
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const char *next;
        struct sca_ran_on of = sca_ran_on_first(&profile->ranks[r], &next);
        do
            add_thread(to, r, &of);
        while (sca_ran_on_next(&profile->ranks[r], &next, &of));
    }
}

int scalana_run_core_parts(const scalana_runs *runs, uint32_t run, uint32_t *n)
{
    const struct sca_ppg_run *of;
    struct part_list counted = {0};
    int status = sca_run_metrics_take_run(runs, run, &of);
    if (status == SCA_OK)
        status = sca_arguments_there(n, "n");
    if (status != SCA_OK)
        return status;
    add_all(&counted, of->profile);
    *n = counted.n;
    return SCA_OK;
}

static void fill_part(const void *source, uint32_t i, void *row)
{
    *(struct scalana_core_part *)row = ((const struct scalana_core_part *)source)[i];
}

int scalana_core_parts_get(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                           struct scalana_core_part *out, size_t size)
{
    const struct sca_ppg_run *of;
    uint32_t n;
    int status = scalana_run_core_parts(runs, run, &n);
    if (status == SCA_OK)
        status = sca_run_metrics_take_run(runs, run, &of);
    if (status != SCA_OK)
        return status;
    struct part_list all = {0, calloc(n + 1ul, sizeof *all.of)};
    if (!all.of)
        return sca_fail(SCA_ENOMEM, "out of memory");
    add_all(&all, of->profile);
    struct sca_listing rows = {"core parts", n, sizeof *out, fill_part, all.of};
    status = sca_rows_copy(&rows, first, count, out, size);
    free(all.of);
    return status;
}
