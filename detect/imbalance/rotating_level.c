#include "trace/instance_matrix.h"
#include "imbalance/rotating.h"

#include <math.h>

#define SWITCHED_OUT 50e-6 /* seconds: a rank may lose that much when it is switched out */

bool sca_is_long(double gap, double median, double limit)
{
    return gap > limit * median && gap > median + SWITCHED_OUT;
}

/* The instances of a row that are over their share take the mean, or the long ones the median. */
static void level_row(double limit, bool evened, const struct sca_rows *in, uint32_t row,
                      double *gap, double *work)
{
    double median = sca_row_median(in, row, gap, work), mean = sca_row_mean(in, row, gap);
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t step = in->step[(size_t)row * in->nranks + r];
        if (step == SCA_NO_STEP)
            continue;
        if (evened)
            gap[step] = fmin(gap[step], mean);
        else if (sca_is_long(gap[step], median, limit))
            gap[step] = median;
    }
}

static void level_interval(struct sca_room *room, const struct sca_wandering *w, double limit,
                           struct sca_replay *replay)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    struct sca_rows in;
    double *work = sca_room_alloc(&scratch, replay->scene->nranks, sizeof *work);
    sca_rows_list(&scratch, replay->scene, w->previous, w->site, &in);
    for (size_t i = 0; i < (size_t)in.count * in.nranks; i++)
        if (in.step[i] != SCA_NO_STEP)
            in.step[i] = replay->numbers.number[in.step[i]];
    for (uint32_t k = 0; k < in.count; k++)
        level_row(limit, w->evened, &in, k, replay->gap, work);
    sca_room_free(&scratch);
}

void sca_wander_level(struct sca_room *room, const struct sca_candidate *c,
                      struct sca_replay *replay)
{
    for (uint32_t i = 0; i < c->nwandering; i++)
        level_interval(room, &c->wandering[i], c->limit, replay);
}
