#include "imbalance/window_level.h"
#include "base/degrees.h"
#include "stats/median.h"
#include "trace/instance_matrix.h"

#include <math.h>

struct scatter { /* of instances within windows, relative to the mean of their rank */
    double squares, freedom;
};

struct window { /* of one trace */
    struct sca_rows rows;
    double *mean, *work; /* per rank: of its instances, 0 without any */
};

static void find_means(const double *interval, struct window *w, struct scatter *out)
{
    uint32_t n = w->rows.nranks, count = w->rows.count;
    for (uint32_t r = 0; r < n; r++) {
        double sum = 0, squares = 0, there = 0;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t event = w->rows.event[(size_t)k * n + r];
            double seconds = event == SCA_NO_EVENT ? 0 : interval[event];
            there += event != SCA_NO_EVENT;
            sum += seconds;
            squares += seconds * seconds;
        }
        w->mean[r] = there > 0 ? sum / there : 0;
        if (w->mean[r] <= 0)
            continue;
        out->squares += fmax(0, squares / (w->mean[r] * w->mean[r]) - there);
        out->freedom += there - 1;
    }
}

static struct window open(struct sca_workspace *scratch, const struct sca_long_instances *of,
                          uint32_t i, uint32_t previous, uint32_t site)
{
    struct window w = {.mean = sca_workspace_alloc(scratch, of->nranks, sizeof *w.mean),
                       .work = sca_workspace_alloc(scratch, of->nranks, sizeof *w.work)};
    sca_instance_matrix_rows(scratch, &of->traces->traces[i], previous, site, &w.rows);
    if (!w.rows.alike)
        w.rows.count = 0;
    return w;
}

/* Of the ranks that have any. */
static double median_of(struct window *w)
{
    uint32_t there = 0;
    for (uint32_t r = 0; r < w->rows.nranks; r++)
        if (w->mean[r] > 0)
            w->work[there++] = w->mean[r];
    return there ? sca_median(w->work, there) : 0;
}

/* Of one instance, as those of the window are on average. */
static double loss_of(struct window *w, double ratio, double deviation)
{
    double median = median_of(w), error = deviation / sqrt(w->rows.count), most = 0;
    for (uint32_t r = 0; r < w->rows.nranks; r++)
        if (w->mean[r] * (1 - SCA_THREE_SIGMAS * error) > ratio * median)
            most = fmax(most, w->mean[r] - median);
    return most * w->rows.nranks;
}

double sca_window_level_loss(const struct sca_long_instances *of, uint32_t previous, uint32_t site,
                             double ratio)
{
    struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
    struct window *windows = sca_workspace_alloc(&scratch, of->traces->count, sizeof *windows);
    double within[2] = {0}, loss = 0;
    for (uint32_t i = 0; i < of->traces->count; i++) {
        struct scatter here = {0};
        windows[i] = open(&scratch, of, i, previous, site);
        find_means(of->interval[i], &windows[i], &here);
        within[0] += here.squares;
        within[1] += here.freedom;
    }
    sca_team_sum(of->traces->team, within, 2);
    for (uint32_t i = 0; i < of->traces->count && within[1] > 0; i++)
        loss += loss_of(&windows[i], ratio, sqrt(within[0] / within[1])) * windows[i].rows.count *
                of->traces->traces[i].weight;
    sca_workspace_free(&scratch);
    sca_team_sum(of->traces->team, &loss, 1);
    return loss;
}
