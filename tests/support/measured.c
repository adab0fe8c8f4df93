#include "measured.h"

#include <check.h>

/* Tests are small: nothing jumps here. */
static jmp_buf out_of_memory;

struct sca_room test_room(void)
{
    return (struct sca_room){.out_of_memory = &out_of_memory};
}

struct measured measured_open(struct model *model)
{
    struct measured d = {.model = model, .ppg = model_ppg(model), .room = test_room()};
    d.ends = sca_subtree_ends(&d.room, d.ppg);
    ck_assert_uint_le(d.ppg->nruns, MEASURED_RUNS);
    for (uint32_t i = 0; i < d.ppg->nruns; i++)
        sca_measure_run(&d.room, d.ppg, i, &d.m[i]);
    return d;
}

void measured_close(struct measured *d)
{
    sca_room_free(&d->room);
    model_free(d->model);
}
