#include "imbalance/window_levels.h"
#include "base/degrees.h"
#include "stats/median.h"
#include "trace/instance_matrix.h"

#include <math.h>
#include <string.h>

/* Halves of windows, all [half * nranks + rank]. */
struct level_table {
    uint32_t halves, nranks;
    double *level;  /* median seconds of an instance; 0: it has none */
    double *count;  /* instances */
    double *weight; /* per half: how often it happened */
    double *usual;  /* per half: level of the ranks' middle one; 0: it does not show the interval */
    double *beyond; /* how far its level is over three quarters of the ranks', relative */
    double *top;    /* per half: how far the latest rank is beyond, there and beside it */
    double *more;   /* how far over the middle one's, relative to what is usual for the rank */
    double *work;   /* as many as ranks, or halves */
};

static struct level_table open_table(const struct sca_long_instances *of,
                                     struct sca_workspace *space)
{
    struct level_table t = {.halves = 2 * of->traces->all, .nranks = of->nranks};
    size_t cells = (size_t)t.halves * t.nranks;
    t.level = sca_workspace_alloc(space, cells, sizeof *t.level);
    t.count = sca_workspace_alloc(space, cells, sizeof *t.count);
    t.beyond = sca_workspace_alloc(space, cells, sizeof *t.beyond);
    t.more = sca_workspace_alloc(space, cells, sizeof *t.more);
    t.weight = sca_workspace_alloc(space, t.halves, sizeof *t.weight);
    t.usual = sca_workspace_alloc(space, t.halves, sizeof *t.usual);
    t.top = sca_workspace_alloc(space, t.halves, sizeof *t.top);
    t.work = sca_workspace_alloc(space, (size_t)t.halves + t.nranks, sizeof *t.work);
    return t;
}

/* ---- levels ---- */

/* Of a rank in the rows from `first` to before `end`. */
static void add_rank(const struct sca_rows *rows, uint32_t rank, uint32_t first, uint32_t end,
                     const double *interval, double *instances, struct level_table *t)
{
    size_t cell = (size_t)sca_instance_matrix_half(rows, first) * t->nranks + rank;
    uint32_t n = 0;
    for (uint32_t k = first; k < end; k++) {
        uint32_t event = rows->event[(size_t)k * rows->nranks + rank];
        if (event != SCA_NO_EVENT)
            instances[n++] = interval[event];
    }
    t->count[cell] = n;
    t->level[cell] = sca_median(instances, n);
}

static void add_window(const struct sca_rows *rows, const double *interval, double weight,
                       double *instances, struct level_table *t)
{
    uint32_t middle = (rows->count + 1) / 2;
    for (uint32_t r = 0; r < t->nranks; r++) {
        add_rank(rows, r, 0, middle, interval, instances, t);
        if (middle < rows->count)
            add_rank(rows, r, middle, rows->count, interval, instances, t);
    }
    t->weight[sca_instance_matrix_half(rows, 0)] = weight;
    if (middle < rows->count)
        t->weight[sca_instance_matrix_half(rows, middle)] = weight;
}

static void fill_levels(const struct sca_long_instances *of, uint32_t previous, uint32_t site,
                        struct level_table *t)
{
    struct sca_team *team = of->traces->team;
    for (uint32_t i = 0; i < of->traces->count; i++) {
        const struct sca_trace *trace = &of->traces->traces[i];
        struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
        struct sca_rows rows;
        sca_instance_matrix_rows(&scratch, trace, previous, site, &rows);
        double *instances = sca_workspace_alloc(&scratch, rows.count, sizeof *instances);
        if (rows.alike && !trace->windows.count) /* a sequence has its own order */
            add_window(&rows, of->interval[i], trace->weight, instances, t);
        sca_workspace_free(&scratch);
    }
    sca_team_sum(team, t->level, (size_t)t->halves * t->nranks);
    sca_team_sum(team, t->count, (size_t)t->halves * t->nranks);
    sca_team_sum(team, t->weight, t->halves);
}

/* ---- lateness ---- */

/* What stands at a part of the way of those that are any; 0: there are none. */
static double value_at(const double *values, uint32_t n, uint32_t step, double part, double *work)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < n; i++)
        if (values[(size_t)i * step] > 0)
            work[there++] = values[(size_t)i * step];
    return there ? sca_median_select(work, there, (uint32_t)ceil(part * there) - 1) : 0;
}

/* Levels beside the other ranks' in the same half. */
static void compare_ranks(struct level_table *t)
{
    for (uint32_t w = 0; w < t->halves; w++) {
        double *level = t->level + (size_t)w * t->nranks, *more = t->more + (size_t)w * t->nranks;
        t->usual[w] = value_at(level, t->nranks, 1, SCA_HALF, t->work);
        for (uint32_t r = 0; r < t->nranks && t->usual[w] > 0; r++)
            more[r] = level[r] / t->usual[w];
    }
}

/* And these beside what is usual for the rank, which may be late in three quarters of the halves.
 * False: too few show it. */
static bool compare_windows(struct level_table *t)
{
    bool enough = false;
    for (uint32_t r = 0; r < t->nranks; r++) {
        uint32_t there = 0;
        double own = value_at(t->more + r, t->halves, t->nranks, SCA_QUARTER, t->work);
        for (uint32_t w = 0; w < t->halves; w++) {
            double *more = &t->more[(size_t)w * t->nranks + r];
            there += *more > 0;
            *more = own > 0 ? *more / own : 0;
        }
        enough |= there >= SCA_SEVERAL;
    }
    return enough;
}

static void find_beyond(struct level_table *t)
{
    for (uint32_t w = 0; w < t->halves; w++) {
        const double *more = t->more + (size_t)w * t->nranks;
        double high = value_at(more, t->nranks, 1, 1 - SCA_QUARTER, t->work);
        for (uint32_t r = 0; r < t->nranks; r++)
            t->beyond[(size_t)w * t->nranks + r] = fmax(0, more[r] - high);
    }
}

/* Seconds of an instance there, as usual for the rank. */
static double usual_of(const struct level_table *t, uint32_t w, uint32_t r)
{
    size_t cell = (size_t)w * t->nranks + r;
    return t->more[cell] > 0 ? t->level[cell] / t->more[cell] : 0;
}

/* Of each rank the lesser of what it is beyond in two halves, which follow each other. */
static void confirm(struct level_table *t, uint32_t before, uint32_t after)
{
    for (uint32_t r = 0; r < t->nranks && before != SCA_NONE; r++) {
        double both = fmin(t->beyond[(size_t)before * t->nranks + r],
                           t->beyond[(size_t)after * t->nranks + r]);
        t->top[before] = fmax(t->top[before], both);
        t->top[after] = fmax(t->top[after], both);
    }
}

/* How far the latest rank of each half is beyond, there and beside it. */
static void find_tops(struct level_table *t)
{
    uint32_t before = SCA_NONE;
    for (uint32_t w = 0; w < t->halves; w++)
        if (t->usual[w] > 0) {
            confirm(t, before, w);
            before = w;
        }
}

static double loss_of(const struct level_table *t, uint32_t w)
{
    double count = 0;
    for (uint32_t r = 0; r < t->nranks; r++)
        count = fmax(count, t->count[(size_t)w * t->nranks + r]);
    return t->weight[w] * count * t->nranks * t->usual[w] * t->top[w];
}

/* That something moves is told by halves beside each other; on whom it is then, by each: on who is
 * late by half of what the latest is there, and is in the middle one. */
static void find_late(struct level_table *t, uint32_t w, double typical, double *late)
{
    const double *more = t->more + (size_t)w * t->nranks;
    double least = SCA_HALF * fmax(t->top[w], typical);
    double middle = value_at(more, t->nranks, 1, SCA_HALF, t->work);
    for (uint32_t r = 0; r < t->nranks && least > 0; r++)
        if (t->beyond[(size_t)w * t->nranks + r] >= least)
            late[r] = (more[r] - middle) * usual_of(t, w, r);
}

static double sum_loss(const struct level_table *t)
{
    double loss = 0;
    for (uint32_t w = 0; w < t->halves; w++)
        loss += loss_of(t, w);
    return loss;
}

static double *list_late(struct sca_workspace *space, struct level_table *t)
{
    double *late = sca_workspace_alloc(space, (size_t)t->halves * t->nranks, sizeof *late);
    double typical = value_at(t->top, t->halves, 1, SCA_HALF, t->work);
    for (uint32_t w = 0; w < t->halves; w++)
        find_late(t, w, typical, late + (size_t)w * t->nranks);
    return late;
}

struct sca_window_levels sca_window_levels_find(const struct sca_long_instances *of,
                                                uint32_t previous, uint32_t site, double least)
{
    struct sca_window_levels out = {0};
    struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
    struct level_table t = open_table(of, &scratch);
    fill_levels(of, previous, site, &t);
    compare_ranks(&t);
    if (t.nranks >= SCA_SEVERAL && compare_windows(&t)) {
        find_beyond(&t);
        find_tops(&t);
        out.loss = sum_loss(&t);
    }
    if (out.loss > 0 && out.loss >= least)
        out.late = list_late(of->space, &t);
    sca_workspace_free(&scratch);
    return out;
}
