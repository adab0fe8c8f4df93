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
    double *whole;  /* all that the rank computes there, */
    double *all;    /* and how far that is over the middle one's, likewise */
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
    t.whole = sca_workspace_alloc(space, cells, sizeof *t.whole);
    t.all = sca_workspace_alloc(space, cells, sizeof *t.all);
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

/* All that a rank computes before its instance of the row `middle`, and from there on. */
static void add_whole(const struct sca_rows *rows, const struct sca_trace *trace, uint32_t rank,
                      uint32_t middle, const double *interval, struct level_table *t)
{
    uint32_t first = trace->first[rank], end = trace->first[rank + 1];
    uint32_t half = sca_instance_matrix_half(rows, 0);
    uint32_t at = middle < rows->count ? rows->event[(size_t)middle * rows->nranks + rank] : end;
    for (uint32_t e = first; e < end && at != SCA_NO_EVENT; e++)
        t->whole[(size_t)(half + (e >= at)) * t->nranks + rank] += interval[e];
}

static void fill_whole(const struct sca_long_instances *of, uint32_t previous, uint32_t site,
                       struct level_table *t)
{
    for (uint32_t i = 0; i < of->traces->count; i++) {
        const struct sca_trace *trace = &of->traces->traces[i];
        struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
        struct sca_rows rows;
        sca_instance_matrix_rows(&scratch, trace, previous, site, &rows);
        for (uint32_t r = 0; r < t->nranks && rows.alike && !trace->windows.count; r++)
            add_whole(&rows, trace, r, (rows.count + 1) / 2, of->interval[i], t);
        sca_workspace_free(&scratch);
    }
    sca_team_sum(of->traces->team, t->whole, (size_t)t->halves * t->nranks);
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

/* Seconds beside the other ranks' in the same half: the middle one's are `usual`. */
static void compare_ranks(const struct level_table *t, const double *seconds, double *more,
                          double *usual)
{
    for (uint32_t w = 0; w < t->halves; w++) {
        const double *row = seconds + (size_t)w * t->nranks;
        double middle = value_at(row, t->nranks, 1, SCA_HALF, t->work);
        for (uint32_t r = 0; r < t->nranks && middle > 0; r++)
            more[(size_t)w * t->nranks + r] = row[r] / middle;
        usual[w] = middle;
    }
}

/* And these beside what is usual for the rank, which may be late in three quarters of the halves.
 * False: too few show it. */
static bool compare_windows(const struct level_table *t, double *more)
{
    bool enough = false;
    for (uint32_t r = 0; r < t->nranks; r++) {
        uint32_t there = 0;
        double own = value_at(more + r, t->halves, t->nranks, SCA_QUARTER, t->work);
        for (uint32_t w = 0; w < t->halves; w++) {
            double *of = &more[(size_t)w * t->nranks + r];
            there += *of > 0;
            *of = own > 0 ? *of / own : 0;
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

/* Seconds that a rank takes longer in all of a half, beside the others and its own usual. */
static double whole_late(const struct level_table *t, uint32_t w, uint32_t r, double middle)
{
    size_t cell = (size_t)w * t->nranks + r;
    return t->all[cell] > middle ? (1 - middle / t->all[cell]) * t->whole[cell] : 0;
}

/* Whether ranks that are late in the interval are so in all that they compute then, by half of it
 * at least: else they do now here what they do elsewhere at other times, and keep nobody waiting.
 */
static bool is_late_as_a_whole(struct level_table *t, const double *late)
{
    double here = 0, whole = 0;
    double *usual = t->top; /* not needed any more */
    compare_ranks(t, t->whole, t->all, usual);
    (void)compare_windows(t, t->all);
    for (uint32_t w = 0; w < t->halves; w++) {
        double middle = value_at(t->all + (size_t)w * t->nranks, t->nranks, 1, SCA_HALF, t->work);
        for (uint32_t r = 0; r < t->nranks; r++) {
            size_t cell = (size_t)w * t->nranks + r;
            double seconds = late[cell] * t->count[cell];
            here += t->weight[w] * seconds;
            whole += t->weight[w] * fmin(seconds, whole_late(t, w, r, middle));
        }
    }
    return whole >= SCA_HALF * here;
}

struct sca_window_levels sca_window_levels_find(const struct sca_long_instances *of,
                                                uint32_t previous, uint32_t site, double least)
{
    struct sca_window_levels out = {0};
    struct sca_workspace scratch = {.out_of_memory = of->space->out_of_memory};
    struct level_table t = open_table(of, &scratch);
    fill_levels(of, previous, site, &t);
    compare_ranks(&t, t.level, t.more, t.usual);
    if (t.nranks >= SCA_SEVERAL && compare_windows(&t, t.more)) {
        find_beyond(&t);
        find_tops(&t);
        out.loss = sum_loss(&t);
    }
    if (out.loss > 0 && out.loss >= least)
        out.late = list_late(of->space, &t);
    if (out.late) {
        fill_whole(of, previous, site, &t);
        if (!is_late_as_a_whole(&t, out.late))
            out = (struct sca_window_levels){0};
    }
    sca_workspace_free(&scratch);
    return out;
}
