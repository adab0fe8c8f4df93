/* Maps of the largest run: metrics at the places that ranks, or threads, have in a topology. */
#include "sca_error.h"
#include "topology/fold.h"
#include "views/layers.h"
#include "views/map.h"
#include "views/topology_choice.h"

#include <math.h>
#include <string.h>

enum { RANK, THREAD, COORDINATES, ROW, COLUMN, FIXED_COLUMNS };

static const struct sca_column fixed[FIXED_COLUMNS] = {
    [RANK] = {"rank", "rank", SCA_CELL_COUNT},
    [THREAD] = {"thread", NULL, SCA_CELL_COUNT},
    [COORDINATES] = {"coordinates", NULL, SCA_CELL_SERIES},
    [ROW] = {"row", "row", SCA_CELL_COUNT},
    [COLUMN] = {"column", "column", SCA_CELL_COUNT},
};

struct showing {
    const struct sca_view_input *in;
    const struct sca_selection *s;
    struct sca_topology_choice choice;
    struct sca_layers layers;
    struct sca_fold fold;
    struct sca_map *map;
    struct sca_table *out;
};

/* ---- layers ---- */

static const double *by_rank(const struct showing *v, const struct sca_selected_ranks *m)
{
    uint32_t nranks = v->s->source.run->nranks;
    double *values = sca_workspace_alloc(v->in->space, nranks, sizeof *values);
    for (uint32_t r = 0; r < nranks; r++)
        values[r] = (double)NAN;
    for (uint32_t i = 0; i < v->s->nranks; i++)
        values[v->s->ranks[i]] = sca_selection_of_some(v->s, m, &i, 1);
    return values;
}

static int add_layers(struct showing *v)
{
    const struct sca_threads *threads = sca_topology_threads(&v->choice);
    sca_layers_load(v->in->space, v->s, threads ? SCA_LAYERS_OF_THREADS : SCA_LAYERS_OF_RANKS,
                    v->out, &v->layers);
    sca_layers_columns(&v->layers, fixed, FIXED_COLUMNS, v->out);
    for (uint32_t i = 0; i < v->layers.n; i++) {
        const struct scalana_metric *metric = v->layers.of[i].metric;
        const double *values = threads ? sca_layers_by_thread(v->in->space, v->s, metric, threads)
                                       : by_rank(v, &v->layers.of[i]);
        if (!values)
            return sca_fail(SCA_EINVAL,
                            "--metric=%s: threads have only sampled metrics: samples, sampled_time "
                            "and hardware counters",
                            metric->name);
        v->map->layers[v->map->nlayers++] =
            (struct sca_map_layer){metric->name, metric->unit, values};
    }
    return SCA_OK;
}

/* ---- rows, for JSON ---- */

static struct sca_cell series(struct sca_table *out, const struct sca_topology *t,
                              uint32_t location)
{
    const int32_t *place = sca_topology_place(t, location);
    double *numbers = sca_workspace_alloc(out->space, t->ndims, sizeof *numbers);
    for (uint32_t d = 0; d < t->ndims; d++)
        numbers[d] = place[d];
    return (struct sca_cell){.series = numbers, .count = t->ndims};
}

static void add_row(const struct showing *v, uint32_t location, uint32_t row, uint32_t column)
{
    const struct sca_threads *threads = sca_topology_threads(&v->choice);
    struct sca_row *to = sca_table_row(v->out, NULL);
    uint32_t rank = threads ? location / threads->n : location;
    to->label = threads ? sca_table_text(v->out, "rank %u, thread %u", rank, location % threads->n)
                        : sca_table_text(v->out, "rank %u", rank);
    to->cells[RANK].number = rank;
    to->cells[THREAD].number = threads ? location % threads->n : (double)NAN;
    to->cells[COORDINATES] = series(v->out, v->fold.topology, location);
    to->cells[ROW].number = row;
    to->cells[COLUMN].number = column;
    for (uint32_t k = 0; k < v->map->nlayers; k++)
        to->cells[FIXED_COLUMNS + k].number = v->map->layers[k].by_rank[location];
}

static void add_rows(const struct showing *v)
{
    const struct sca_fold *f = &v->fold;
    for (uint32_t r = 0; r < f->rows.length; r++)
        for (uint32_t c = 0; c < f->columns.length; c++) {
            uint32_t location = f->ranks[(size_t)r * f->columns.length + c];
            if (location != SCA_NONE &&
                !(v->map->nlayers && isnan(v->map->layers[0].by_rank[location])))
                add_row(v, location, r, c);
        }
}

/* ---- all of it ---- */

static int make(struct showing *v, const struct sca_analysis *c)
{
    struct sca_selection *s;
    int status = sca_selection_make(v->in, c, &s);
    v->s = s;
    if (status == SCA_OK)
        status = sca_topology_choose(v->in, s->source.run->profile, &v->choice);
    if (status == SCA_OK)
        status = sca_fold_make(v->in->space, v->choice.chosen, v->in->settings->fold,
                               v->in->settings->slice, &v->fold);
    v->map->fold = &v->fold;
    return status == SCA_OK ? add_layers(v) : status;
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    struct showing *v = sca_workspace_alloc(in->space, 1, sizeof *v);
    *v = (struct showing){.in = in, .out = out};
    v->map = sca_workspace_alloc(in->space, 1, sizeof *v->map);
    out->status = make(v, c);
    if (out->status != SCA_OK)
        return;
    add_rows(v);
    out->title = sca_table_text(out, "%s on %u ranks%s%s: %s", in->ppg->program,
                                v->s->source.run->nranks, in->settings->root ? ", of " : "",
                                in->settings->root ? in->settings->root : "",
                                sca_topology_phrase(out, v->choice.chosen));
    sca_map_note(v->map, out);
    sca_topology_note_others(&v->choice, out);
    out->drawing = v->map->nlayers ? v->map : NULL;
    out->draw = sca_map_draw;
}

void sca_view_topology(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at(in, show, out);
}
