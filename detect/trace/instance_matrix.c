#include "trace/instance_matrix.h"
#include "stats/regression.h"

#include <string.h>

#define AS_MANY 0.9 /* instances, so much of the most */

static uint32_t count_rank(const struct sca_track *track, uint32_t previous, uint32_t site)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < track->nsteps; i++)
        n += track->sites[i] == previous && track->sites[i + 1] == site;
    return n;
}

void sca_rows_list(struct sca_room *room, const struct sca_scene *scene, uint32_t previous,
                   uint32_t site, struct sca_rows *out)
{
    uint32_t least = UINT32_MAX;
    *out = (struct sca_rows){.nranks = scene->nranks};
    for (uint32_t r = 0; r < scene->nranks; r++) {
        uint32_t n = count_rank(&scene->tracks[r], previous, site);
        out->count = n > out->count ? n : out->count;
        least = n && n < least ? n : least;
    }
    out->alike = out->count && least >= AS_MANY * out->count;
    out->step = sca_room_alloc(room, (size_t)out->count * scene->nranks, sizeof *out->step);
    memset(out->step, 0xff, (size_t)out->count * scene->nranks * sizeof *out->step);
    for (uint32_t r = 0; r < scene->nranks; r++)
        for (uint32_t i = 0, k = 0; i < scene->tracks[r].nsteps; i++) {
            struct sca_step s = sca_step_of(&scene->tracks[r], i);
            if (s.previous == previous && s.site == site)
                out->step[(size_t)k++ * scene->nranks + r] = scene->first[r] + i;
        }
}

/* The ranks' median of a row; `gap` is by step. */
double sca_row_median(const struct sca_rows *in, uint32_t row, const double *gap, double *work)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t step = in->step[(size_t)row * in->nranks + r];
        if (step != SCA_NO_STEP)
            work[n++] = gap[step];
    }
    return sca_median(work, n);
}

double sca_row_mean(const struct sca_rows *in, uint32_t row, const double *gap)
{
    uint32_t n = 0;
    double sum = 0;
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t step = in->step[(size_t)row * in->nranks + r];
        if (step != SCA_NO_STEP) {
            sum += gap[step];
            n++;
        }
    }
    return n ? sum / n : 0;
}
