/* The critical path of the largest run, by place in the source: what to shorten, and what would be
 * shorter if the ranks did it at the same time. */
#include "views/figures.h"
#include "views/looking.h"
#include "text/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ON_PATH, SHARE, MEAN, LOST, LOST_SHARE, RANKS, SECONDS, COLUMNS };
enum { MOST_RANKS = 3 }; /* in the text */

static const struct sca_column columns[COLUMNS] = {
    [ON_PATH] = {"path_s", "on path", SCA_CELL_SECONDS},
    [SHARE] = {"path_share", "share", SCA_CELL_SHARE},
    [MEAN] = {"mean_s", "mean", SCA_CELL_SECONDS},
    [LOST] = {"imbalance_s", "lost", SCA_CELL_SECONDS},
    [LOST_SHARE] = {"imbalance_share", "share", SCA_CELL_SHARE},
    [RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
    [SECONDS] = {"rank_path_s", NULL, SCA_CELL_SERIES},
};

struct on_path {
    const struct sca_source_place *place;
    double critical, mean, lost;
};

struct listing_of_path {
    const struct sca_view_input *in;
    const struct sca_ppg_run *run;
    const struct sca_path_profile *path;
    double all, lost;
};

static int by_time(const void *a, const void *b)
{
    const struct on_path *x = a, *y = b;
    if (x->critical != y->critical)
        return x->critical < y->critical ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

/* What is lost is told per call path: one may make up for nothing of another. */
static struct on_path count(const struct listing_of_path *l, const struct sca_source_place *place)
{
    struct on_path e = {.place = place};
    for (uint32_t i = 0; i < place->count; i++) {
        uint32_t v = place->vertices[i];
        e.critical += l->path->critical[v];
        e.mean += l->path->mean[v];
        e.lost += l->path->critical[v] > 0 ? fmax(0, l->path->critical[v] - l->path->mean[v]) : 0;
    }
    return e;
}

/* Seconds of each rank on the path at a place. */
static void add_ranks(const struct listing_of_path *l, const struct sca_source_place *place,
                      double *seconds)
{
    for (uint32_t k = 0; k < place->count; k++)
        for (uint32_t i = 0; i < l->path->ncells; i++) {
            const struct sca_path_cell *cell = &l->path->cells[i];
            const struct sca_path_column one = {place->vertices[k], 1, &seconds[cell->rank], 1};
            sca_path_profile_divide(l->run, cell, &one);
        }
}

static int most_first(const void *a, const void *b, void *seconds)
{
    const double *s = seconds;
    double x = s[(uint32_t)*(const double *)a], y = s[(uint32_t)*(const double *)b];
    return x != y ? (x < y ? 1 : -1) : (*(const double *)a > *(const double *)b) - 1;
}

static const char *describe(struct sca_table *out, const double *ranks, const double *seconds,
                            uint32_t n)
{
    char number[32];
    const char *text = n == 1 ? "on rank" : "on ranks";
    for (uint32_t i = 0; i < n && i < MOST_RANKS; i++)
        text = sca_table_text(out, "%s%s %.0f (%s s)", text, i ? "," : "", ranks[i],
                              sca_lines_seconds(number, seconds[i]));
    return n > MOST_RANKS ? sca_table_text(out, "%s and %u more", text, n - MOST_RANKS) : text;
}

static void fill_ranks(const struct listing_of_path *l, const struct on_path *e,
                       struct sca_row *row, struct sca_table *out)
{
    uint32_t nranks = l->run->nranks, n = 0;
    double *all = sca_workspace_alloc(l->in->space, nranks, sizeof *all);
    double *ranks = sca_workspace_alloc(l->in->space, nranks, sizeof *ranks);
    double *seconds = sca_workspace_alloc(l->in->space, nranks, sizeof *seconds);
    add_ranks(l, e->place, all);
    for (uint32_t r = 0; r < nranks; r++)
        if (all[r] > 0)
            ranks[n++] = r;
    if (n)
        qsort_r(ranks, n, sizeof *ranks, most_first, all);
    for (uint32_t i = 0; i < n; i++)
        seconds[i] = all[(uint32_t)ranks[i]];
    row->cells[RANKS] = (struct sca_cell){.series = ranks, .count = n};
    row->cells[SECONDS] = (struct sca_cell){.series = seconds, .count = n};
    row->detail = describe(out, ranks, seconds, n);
}

static void add(const struct listing_of_path *l, const struct on_path *e, struct sca_table *out)
{
    struct sca_row *row = sca_table_row(out, &l->in->ppg->vertices[e->place->vertices[0]]);
    row->cells[ON_PATH].number = e->critical;
    row->cells[SHARE].number = l->all > 0 ? e->critical / l->all : 0;
    row->cells[MEAN].number = e->mean;
    row->cells[LOST].number = e->lost;
    row->cells[LOST_SHARE].number = l->all > 0 ? e->lost / l->all : 0;
    fill_ranks(l, e, row, out);
}

static struct on_path *list_places(struct listing_of_path *l, uint32_t *used)
{
    uint32_t n = 0;
    const struct sca_source_place *places = sca_figures_places_of(l->in->space, l->in->ppg, &n);
    struct on_path *list = sca_workspace_alloc(l->in->space, n, sizeof *list);
    for (uint32_t i = 0; i < n; i++) {
        list[*used] = count(l, &places[i]);
        l->all += list[*used].critical;
        l->lost += list[*used].lost;
        *used += list[*used].critical > 0;
    }
    if (*used)
        qsort(list, *used, sizeof *list, by_time);
    return list;
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    struct listing_of_path l = {in, c->measures[c->last].run, &c->replayed.path, 0, 0};
    char path[32], lost[32];
    uint32_t n = 0;
    const struct on_path *list = list_places(&l, &n);
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(
        out, "%s on %u ranks: the critical path, %s s; balancing each place would save %s s",
        in->ppg->program, l.run->nranks, sca_lines_seconds(path, l.all),
        sca_lines_seconds(lost, l.lost));
    for (uint32_t i = 0; i < n; i++)
        if (in->top && i >= in->top)
            out->left_out++;
        else
            add(&l, &list[i], out);
    sca_table_note(out,
                   "The path of the replay, assuming one core per rank. It has the computation and "
                   "transfers that determine the run's duration, without waits. mean: the mean "
                   "rank's time in the place. lost: the path's time beyond the mean.");
}

void sca_view_critical(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at(in, show, out);
}
