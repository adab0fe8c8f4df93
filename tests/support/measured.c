#include "measured.h"

#include <check.h>

/* Tests are small: nothing jumps here. */
static jmp_buf out_of_memory;

struct sca_workspace test_room(void)
{
    return (struct sca_workspace){.out_of_memory = &out_of_memory};
}

struct measured measured_open(struct model *model)
{
    struct measured d = {.model = model, .ppg = model_ppg(model), .space = test_room()};
    d.ends = sca_measure_subtree_ends(&d.space, d.ppg);
    ck_assert_uint_le(d.ppg->nruns, MEASURED_RUNS);
    for (uint32_t i = 0; i < d.ppg->nruns; i++)
        sca_measure_run(&d.space, d.ppg, i, &d.m[i]);
    return d;
}

void measured_close(struct measured *d)
{
    sca_workspace_free(&d->space);
    model_free(d->model);
}
