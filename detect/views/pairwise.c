/* Two metrics against each other: a line through the ranks' values in each context, with the ranks
 * that are off it, and a line through the contexts, with those that are off that one. */
#include "views/pairwise.h"
#include "views/correlate.h"
#include "views/selection.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 6 };

enum {
    SECOND,
    FIRST,
    R,
    CHANCE,
    SLOPE,
    INTERCEPT,
    NOFF,
    OFF,
    DISTANCES,
    FROM_ALL,
    FAR,
    X,
    Y,
    COLUMNS
};

static const struct sca_column columns[COLUMNS] = {
    [SECOND] = {"second", "second", SCA_CELL_NUMBER},
    [FIRST] = {"first", "first", SCA_CELL_NUMBER},
    [R] = {"r", "r", SCA_CELL_RATIO},
    [CHANCE] = {"p", "p", SCA_CELL_RATIO},
    [SLOPE] = {"slope", "slope", SCA_CELL_NUMBER},
    [INTERCEPT] = {"intercept", NULL, SCA_CELL_NUMBER},
    [NOFF] = {"off", "off", SCA_CELL_COUNT},
    [OFF] = {"off_ranks", NULL, SCA_CELL_SERIES},
    [DISTANCES] = {"off_distances", NULL, SCA_CELL_SERIES},
    [FROM_ALL] = {"distance", NULL, SCA_CELL_NUMBER},
    [FAR] = {"far", NULL, SCA_CELL_COUNT},
    [X] = {"first_by_rank", NULL, SCA_CELL_SERIES},
    [Y] = {"second_by_rank", NULL, SCA_CELL_SERIES},
};

struct paired {
    const struct sca_view_input *in;
    const struct sca_selection *s;
    const struct scalana_metric *metrics[2];
    struct sca_selected m[2];
    struct sca_table *out;
    uint32_t n, *contexts; /* that have something of either, most of the second first */
    double *x, *y;         /* per context of these: means over the ranks */
};

/* ---- what is compared ---- */

static int choose_metrics(struct paired *p)
{
    const char *wish = p->in->settings->pairwise, *comma = strchr(wish, ',');
    if (!comma || comma == wish || !comma[1])
        return sca_fail(SCA_EINVAL, "--pairwise=%s: expected two metrics separated by a comma",
                        wish);
    const char *first = sca_table_text(p->out, "%.*s", (int)(comma - wish), wish);
    int status = sca_selection_metric(p->s, "pairwise", first, &p->metrics[0]);
    return status == SCA_OK ? sca_selection_metric(p->s, "pairwise", comma + 1, &p->metrics[1])
                            : status;
}

/* Own values of a context on the ranks; a ratio to nothing is left as it is. */
static double *values_of(const struct paired *p, uint32_t which, uint32_t context)
{
    double *values = sca_workspace_alloc(p->in->space, p->s->nranks, sizeof *values);
    for (uint32_t i = 0; i < p->s->nranks; i++)
        values[i] = sca_selection_value(p->s, &p->m[which], context, false, i);
    return values;
}

/* Over the ranks that have both. */
static bool mean_of(const struct paired *p, uint32_t context, double means[2])
{
    uint32_t n = 0;
    means[0] = means[1] = 0;
    for (uint32_t i = 0; i < p->s->nranks; i++) {
        double x = sca_selection_value(p->s, &p->m[0], context, false, i);
        double y = sca_selection_value(p->s, &p->m[1], context, false, i);
        if (isnan(x) || isnan(y))
            continue;
        means[0] += x;
        means[1] += y;
        n++;
    }
    for (int k = 0; k < 2; k++)
        means[k] /= n ? n : 1;
    return means[0] != 0 || means[1] != 0;
}

struct context_means {
    uint32_t context;
    double means[2];
};

static int by_second(const void *a, const void *b)
{
    const struct context_means *x = a, *y = b;
    if (x->means[1] != y->means[1])
        return x->means[1] < y->means[1] ? 1 : -1;
    return (x->context > y->context) - (x->context < y->context);
}

static void choose_contexts(struct paired *p)
{
    uint32_t nv = p->in->ppg->nvertices;
    struct context_means *list = sca_workspace_alloc(p->in->space, nv, sizeof *list);
    for (uint32_t v = 0; v < nv; v++) {
        list[p->n].context = v;
        p->n += mean_of(p, v, list[p->n].means);
    }
    qsort(list, p->n, sizeof *list, by_second);
    p->contexts = sca_workspace_alloc(p->in->space, nv, sizeof *p->contexts);
    p->x = sca_workspace_alloc(p->in->space, nv, sizeof *p->x);
    p->y = sca_workspace_alloc(p->in->space, nv, sizeof *p->y);
    for (uint32_t i = 0; i < p->n; i++) {
        p->contexts[i] = list[i].context;
        p->x[i] = list[i].means[0];
        p->y[i] = list[i].means[1];
    }
}

/* ---- rows ---- */

/* Coefficient and line of n points. */
static void fill_fit(const struct paired *p, const double *x, const double *y, uint32_t n,
                     struct sca_line *line, struct sca_row *row)
{
    enum sca_method method = p->in->settings->method;
    sca_correlate_line(p->in->space, x, y, n, line);
    row->cells[R].number = sca_correlate(p->in->space, method, x, y, n);
    row->cells[CHANCE].number = sca_correlate_chance(method, row->cells[R].number, n);
    row->cells[SLOPE].number = line->slope;
    row->cells[INTERCEPT].number = line->intercept;
}

struct off {
    double rank, distance;
};

static int by_distance(const void *a, const void *b)
{
    const struct off *x = a, *y = b;
    if (fabs(x->distance) != fabs(y->distance))
        return fabs(x->distance) < fabs(y->distance) ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* "off the line: rank 3 by +12.4 k, ..." */
static const char *name_those(struct sca_table *out, const struct off *off, uint32_t n)
{
    const char *text = "off the line: ";
    char figure[SCA_FIGURE];
    for (uint32_t i = 0; i < n && i < MOST_NAMED; i++)
        text = sca_table_text(out, "%s%srank %.0f by %s%s", text, i ? ", " : "", off[i].rank,
                              off[i].distance > 0 ? "+" : "",
                              sca_table_figure(figure, off[i].distance));
    return n > MOST_NAMED ? sca_table_text(out, "%s and %u more", text, n - MOST_NAMED) : text;
}

static void fill_off(const struct paired *p, const double *ranks, const double *x, const double *y,
                     uint32_t n, const struct sca_line *line, struct sca_row *row)
{
    struct off *off = sca_workspace_alloc(p->in->space, n, sizeof *off);
    double *named = sca_workspace_alloc(p->in->space, n, sizeof *named);
    double *by = sca_workspace_alloc(p->in->space, n, sizeof *by);
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        double distance = sca_correlate_distance(line, x[i], y[i]);
        if (fabs(distance) > line->usual)
            off[used++] = (struct off){ranks[i], distance};
    }
    if (used)
        qsort(off, used, sizeof *off, by_distance);
    for (uint32_t i = 0; i < used; i++) {
        named[i] = off[i].rank;
        by[i] = off[i].distance;
    }
    row->cells[NOFF].number = used;
    row->cells[OFF] = (struct sca_cell){.series = named, .count = used};
    row->cells[DISTANCES] = (struct sca_cell){.series = by, .count = used};
    row->detail = used ? name_those(p->out, off, used) : NULL;
}

static void add_context(const struct paired *p, uint32_t i, const struct sca_line *all)
{
    struct sca_row *row = sca_table_row(p->out, &p->in->ppg->vertices[p->contexts[i]]);
    double *x = values_of(p, 0, p->contexts[i]), *y = values_of(p, 1, p->contexts[i]);
    uint32_t n = 0, nranks = p->s->nranks;
    double *ranks = sca_workspace_alloc(p->in->space, nranks, sizeof *ranks);
    double *xs = sca_workspace_alloc(p->in->space, nranks, sizeof *xs);
    double *ys = sca_workspace_alloc(p->in->space, nranks, sizeof *ys);
    struct sca_line line;
    for (uint32_t r = 0; r < nranks; r++)
        if (!isnan(x[r]) && !isnan(y[r])) {
            ranks[n] = r;
            xs[n] = x[r];
            ys[n++] = y[r];
        }
    row->cells[FIRST].number = p->x[i];
    row->cells[SECOND].number = p->y[i];
    row->cells[X] = (struct sca_cell){.series = x, .count = nranks};
    row->cells[Y] = (struct sca_cell){.series = y, .count = nranks};
    fill_fit(p, xs, ys, n, &line, row);
    fill_off(p, ranks, xs, ys, n, &line, row);
    row->cells[FROM_ALL].number = sca_correlate_distance(all, p->x[i], p->y[i]);
    row->bold = fabs(row->cells[FROM_ALL].number) > all->usual;
    row->cells[FAR].number = row->bold;
    if (row->bold)
        row->detail = sca_table_text(p->out, "%s%sfar off the line through all contexts",
                                     row->detail ? row->detail : "", row->detail ? "; " : "");
}

static void add_all(const struct paired *p, struct sca_line *all)
{
    struct sca_row *row = sca_table_row(p->out, NULL);
    row->label = "line through all contexts";
    row->bold = true;
    fill_fit(p, p->x, p->y, p->n, all, row);
    row->cells[FIRST].number = row->cells[SECOND].number = (double)NAN;
    row->cells[FROM_ALL].number = row->cells[FAR].number = (double)NAN;
    row->cells[NOFF].number = 0;
    for (uint32_t i = 0; i < p->n; i++)
        row->cells[NOFF].number += fabs(sca_correlate_distance(all, p->x[i], p->y[i])) > all->usual;
}

static void tell_absent(const struct paired *p)
{
    for (int k = 0; k < 2; k++)
        if (*p->metrics[k]->absent)
            sca_table_note(p->out, "%s n/a: %s.", p->metrics[k]->name, p->metrics[k]->absent);
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    struct paired p = {.in = in, .out = out};
    struct sca_selection *s;
    struct sca_line all;
    out->status = sca_selection_make(in, c, &s);
    p.s = s;
    if (out->status == SCA_OK)
        out->status = choose_metrics(&p);
    if (out->status != SCA_OK)
        return;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out,
                                "%s on %u ranks: %s (%s, second) by %s (%s, first), means of "
                                "the ranks, and a line through the ranks of each context",
                                in->ppg->program, s->nranks, p.metrics[1]->name, p.metrics[1]->unit,
                                p.metrics[0]->name, p.metrics[0]->unit);
    tell_absent(&p);
    if (out->nnotes)
        return;
    for (int k = 0; k < 2; k++)
        sca_selection_load(in->space, s, p.metrics[k], &p.m[k]);
    choose_contexts(&p);
    add_all(&p, &all);
    for (uint32_t i = 0; i < p.n; i++)
        if (in->top && i >= in->top)
            out->left_out++;
        else
            add_context(&p, i, &all);
    sca_table_note(out, "slope: second metric per unit of the first, median over pairs of ranks. "
                        "off: ranks more than 3.5 robust standard deviations from the line. p: "
                        "probability of such an r by chance. - : no variation.");
}

void sca_pairwise_view(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at(in, show, out);
}
