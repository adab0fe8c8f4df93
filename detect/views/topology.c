/* Maps of the largest run: metrics at the places that ranks have in a topology. */
#include "topology/fold.h"
#include "views/layers.h"
#include "views/map.h"
#include "views/topology_choice.h"

#include <math.h>
#include <string.h>

enum { RANK, COORDINATES, ROW, COLUMN, FIXED_COLUMNS };

static const struct sca_column fixed[FIXED_COLUMNS] = {
    [RANK] = {"rank", "rank", SCA_CELL_COUNT},
    [COORDINATES] = {"coordinates", NULL, SCA_CELL_SERIES},
    [ROW] = {"row", "row", SCA_CELL_COUNT},
    [COLUMN] = {"column", "column", SCA_CELL_COUNT},
};

/* ---- layers ---- */

static const double *by_rank(const struct sca_view_input *in, const struct sca_selection *s,
                             const struct sca_selected *m)
{
    uint32_t nranks = s->source.run->nranks;
    double *values = sca_workspace_alloc(in->space, nranks, sizeof *values);
    for (uint32_t r = 0; r < nranks; r++)
        values[r] = (double)NAN;
    for (uint32_t i = 0; i < s->nranks; i++)
        values[s->ranks[i]] = sca_selection_of_some(s, m, &i, 1);
    return values;
}

static void add_layers(const struct sca_view_input *in, const struct sca_selection *s,
                       const struct sca_layers *layers, struct sca_map *map)
{
    for (uint32_t i = 0; i < layers->n; i++) {
        const struct sca_selected *m = &layers->of[i];
        map->layers[map->nlayers++] =
            (struct sca_map_layer){m->metric->name, m->metric->unit, by_rank(in, s, m)};
    }
}

/* ---- rows, for JSON ---- */

static struct sca_cell series(struct sca_table *out, const struct sca_topology *t, uint32_t rank)
{
    const int32_t *place = sca_topology_place(t, rank);
    double *numbers = sca_workspace_alloc(out->space, t->ndims, sizeof *numbers);
    for (uint32_t d = 0; d < t->ndims; d++)
        numbers[d] = place[d];
    return (struct sca_cell){.series = numbers, .count = t->ndims};
}

static void add_rows(const struct sca_map *map, struct sca_table *out)
{
    const struct sca_fold *f = map->fold;
    size_t places = (size_t)f->rows.length * f->columns.length;
    for (size_t i = 0; i < places; i++) {
        uint32_t rank = f->ranks[i];
        if (rank == SCA_NONE || (map->nlayers && isnan(map->layers[0].by_rank[rank])))
            continue;
        struct sca_row *row = sca_table_row(out, NULL);
        row->label = sca_table_text(out, "rank %u", rank);
        row->cells[RANK].number = rank;
        row->cells[COORDINATES] = series(out, f->topology, rank);
        row->cells[ROW].number = (double)(i / f->columns.length);
        row->cells[COLUMN].number = (double)(i % f->columns.length);
        for (uint32_t k = 0; k < map->nlayers; k++)
            row->cells[FIXED_COLUMNS + k].number = map->layers[k].by_rank[rank];
    }
}

/* ---- words ---- */

static const char *place_phrase(struct sca_table *out, const struct sca_topology *t, uint32_t rank)
{
    const int32_t *place = sca_topology_place(t, rank);
    char text[SCA_PHRASE], name[64];
    size_t used = 0;
    if (t->ndims == 1 && place[0] == (int32_t)rank) /* says the same */
        return "";
    for (uint32_t d = 0; d < t->ndims && used < sizeof text; d++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %d", d ? ", " : " (",
                                 sca_fold_name(name, t, d), place[d]);
    return sca_table_text(out, "%s)", text);
}

/* Where the most of it is, in what JSON has no need of. */
static void note_most(const struct sca_map *map, const struct sca_map_layer *layer,
                      struct sca_table *out)
{
    const struct sca_fold *f = map->fold;
    size_t places = (size_t)f->rows.length * f->columns.length;
    uint32_t most = SCA_NONE;
    for (size_t i = 0; i < places; i++) {
        uint32_t rank = f->ranks[i];
        if (rank != SCA_NONE && !isnan(layer->by_rank[rank]) &&
            (most == SCA_NONE || layer->by_rank[rank] > layer->by_rank[most]))
            most = rank;
    }
    if (most == SCA_NONE || layer->by_rank[most] == 0)
        sca_table_note(out, "%s: none on this map.", layer->name);
    else
        sca_table_note(out, "%s: most on rank %u%s, %.3g %s.", layer->name, most,
                       place_phrase(out, f->topology, most), layer->by_rank[most], layer->unit);
}

static void note_slice(const struct sca_fold *f, struct sca_table *out)
{
    char name[64];
    for (uint32_t d = 0; d < f->topology->ndims; d++)
        if (f->fixed[d] >= 0)
            sca_table_note(out, "Only %s = %d is shown: %u of %u ranks.",
                           sca_fold_name(name, f->topology, d), f->fixed[d], f->shown,
                           f->topology->members);
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    struct sca_selection *s;
    struct sca_topology_choice choice;
    struct sca_layers layers;
    struct sca_fold *fold = sca_workspace_alloc(in->space, 1, sizeof *fold);
    struct sca_map *map = sca_workspace_alloc(in->space, 1, sizeof *map);
    out->status = sca_selection_make(in, c, &s);
    if (out->status == SCALANA_OK)
        out->status = sca_topology_choose(in, s->source.run->profile, &choice);
    if (out->status == SCALANA_OK)
        out->status =
            sca_fold_make(in->space, choice.chosen, in->settings->fold, in->settings->slice, fold);
    if (out->status != SCALANA_OK)
        return;
    map->fold = fold;
    sca_layers_load(in->space, s, out, &layers);
    sca_layers_columns(&layers, fixed, FIXED_COLUMNS, out);
    add_layers(in, s, &layers, map);
    add_rows(map, out);
    out->title = sca_table_text(out, "%s on %u ranks%s%s: %s", in->ppg->program,
                                s->source.run->nranks, in->settings->root ? ", of " : "",
                                in->settings->root ? in->settings->root : "",
                                sca_topology_phrase(out, choice.chosen));
    for (uint32_t i = 0; i < map->nlayers; i++)
        note_most(map, &map->layers[i], out);
    note_slice(fold, out);
    sca_topology_note_others(&choice, out);
    out->drawing = map->nlayers ? map : NULL;
    out->draw = sca_map_draw;
}

void sca_view_topology(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at(in, show, out);
}
