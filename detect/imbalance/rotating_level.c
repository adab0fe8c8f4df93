#include "trace/instance_matrix.h"
#include "imbalance/long_instances.h"
#include "imbalance/rotating.h"

#include <math.h>

/* The instances of a row take the mean, or the long ones the median.
 * Returns the most that is taken from a rank. */
static double level_row(double limit, bool smoothed, const struct sca_rows *in, uint32_t row,
                        double *interval, double *work)
{
    double median = sca_instance_matrix_median(in, row, interval, work),
           mean = sca_instance_matrix_mean(in, row, interval), most = 0;
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t event = in->event[(size_t)row * in->nranks + r];
        if (event == SCA_NO_EVENT)
            continue;
        double before = interval[event];
        if (smoothed)
            interval[event] = mean;
        else if (sca_long_instances_is(before, median, limit))
            interval[event] = median;
        most = fmax(most, before - interval[event]);
    }
    return most;
}

/* What ranks are late by in that half of the window is taken from each of their instances. */
static double level_late(const double *late, const struct sca_rows *in, uint32_t row,
                         double *interval)
{
    double most = 0;
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t event = in->event[(size_t)row * in->nranks + r];
        double taken = event == SCA_NO_EVENT ? 0 : fmin(late[r], interval[event]);
        if (taken > 0)
            interval[event] -= taken;
        most = fmax(most, taken);
    }
    return most;
}

/* Of the row's half of a window. */
static const double *late_of(const struct sca_rotating_interval *w, const struct sca_rows *in,
                             uint32_t row)
{
    return w->late + (size_t)sca_instance_matrix_half(in, row) * in->nranks;
}

static double level_interval(struct sca_workspace *space, const struct sca_rotating_interval *w,
                             struct sca_replay *replay)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_rows in;
    double taken = 0, *work = sca_workspace_alloc(&scratch, replay->trace->nranks, sizeof *work);
    sca_instance_matrix_rows(&scratch, replay->trace, w->previous, w->site, &in);
    for (size_t i = 0; i < (size_t)in.count * in.nranks; i++)
        if (in.event[i] != SCA_NO_EVENT)
            in.event[i] = replay->numbers.number[in.event[i]];
    for (uint32_t k = 0; k < in.count; k++)
        taken += w->late ? level_late(late_of(w, &in, k), &in, k, replay->interval)
                         : level_row(w->limit, w->smoothed, &in, k, replay->interval, work);
    sca_workspace_free(&scratch);
    return taken;
}

double sca_rotating_level(struct sca_workspace *space, const struct sca_finding *c,
                          struct sca_replay *replay)
{
    double taken = 0;
    for (uint32_t i = 0; i < c->transform.nrotating; i++)
        taken += level_interval(space, &c->transform.rotating[i], replay);
    return taken;
}

struct long_marks {
    const struct sca_rotating_interval *of;
    const double *interval; /* by event */
    bool all;               /* it cannot be said which are long */
    const double *mean;     /* per rank: longer than its own mean, too; NULL: no matter */
};

static void mark_row(const struct long_marks *marks, const struct sca_rows *in, uint32_t row,
                     double *work, bool *own)
{
    double median = sca_instance_matrix_median(in, row, marks->interval, work);
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t event = in->event[(size_t)row * in->nranks + r];
        double usual = marks->mean ? fmax(median, marks->mean[r]) : median;
        if (event != SCA_NO_EVENT)
            own[event] |= marks->all ||
                          sca_long_instances_is(marks->interval[event], usual, marks->of->limit);
    }
}

static void mark_late(const double *late, const struct sca_rows *in, uint32_t row, bool *own)
{
    for (uint32_t r = 0; r < in->nranks; r++) {
        uint32_t event = in->event[(size_t)row * in->nranks + r];
        if (event != SCA_NO_EVENT)
            own[event] |= late[r] > 0;
    }
}

static const double *own_means(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_rotating_interval *w)
{
    double *mean = sca_workspace_alloc(space, m->nranks, sizeof *mean);
    for (uint32_t r = 0; r < m->nranks; r++)
        mean[r] = sca_interval_matrix_mean(&m->matrix, r, w->previous, w->site);
    return mean;
}

void sca_rotating_mark(struct sca_workspace *space, const struct sca_measure *m,
                       const struct sca_finding *c, bool told, const struct sca_trace *trace,
                       bool *own)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    const double *interval = sca_replay_trace_shown(&scratch, trace);
    double *work = sca_workspace_alloc(&scratch, trace->nranks, sizeof *work);
    for (uint32_t i = 0; i < c->transform.nrotating; i++) {
        const struct sca_rotating_interval *w = &c->transform.rotating[i];
        struct long_marks marks = {w, interval, told && w->smoothed,
                                   told ? NULL : own_means(&scratch, m, w)};
        struct sca_rows in;
        sca_instance_matrix_rows(&scratch, trace, w->previous, w->site, &in);
        for (uint32_t k = 0; k < in.count && in.alike; k++)
            if (w->late)
                mark_late(late_of(w, &in, k), &in, k, own);
            else
                mark_row(&marks, &in, k, work, own);
    }
    sca_workspace_free(&scratch);
}
