#include "views/map.h"
#include "text/lines.h"

#include <math.h>
#include <string.h>

/* " (x 1, y 0)"; "" where it says no more than the rank. */
static const char *place_phrase(struct sca_table *out, const struct sca_topology *t, uint32_t rank)
{
    const int32_t *place = sca_topology_place(t, rank);
    char text[SCA_PHRASE], name[64];
    size_t used = 0;
    if (t->ndims == 1 && place[0] == (int32_t)rank)
        return "";
    for (uint32_t d = 0; d < t->ndims && used < sizeof text; d++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %d", d ? ", " : " (",
                                 sca_fold_name(name, t, d), place[d]);
    return sca_table_text(out, "%s)", text);
}

static uint32_t most_of(const struct sca_fold *f, const struct sca_map_layer *layer)
{
    size_t places = (size_t)f->rows.length * f->columns.length;
    uint32_t most = SCA_NONE;
    for (size_t i = 0; i < places; i++) {
        uint32_t rank = f->ranks[i];
        if (rank != SCA_NONE && !isnan(layer->by_rank[rank]) &&
            (most == SCA_NONE || layer->by_rank[rank] > layer->by_rank[most]))
            most = rank;
    }
    return most;
}

static void note_most(const struct sca_map *map, const struct sca_map_layer *layer,
                      struct sca_table *out)
{
    const struct sca_topology *t = map->fold->topology;
    uint32_t most = most_of(map->fold, layer);
    if (most == SCA_NONE || layer->by_rank[most] == 0)
        sca_table_note(out, "%s: none on this map.", layer->name);
    else if (!strcmp(t->kind, "threads"))
        sca_table_note(out, "%s: most on thread %u of rank %u, %.3g %s.", layer->name,
                       most % t->dims[1], most / t->dims[1], layer->by_rank[most], layer->unit);
    else
        sca_table_note(out, "%s: most on rank %u%s, %.3g %s.", layer->name, most,
                       place_phrase(out, t, most), layer->by_rank[most], layer->unit);
}

void sca_map_note(const struct sca_map *map, struct sca_table *out)
{
    const struct sca_fold *f = map->fold;
    char name[64];
    for (uint32_t i = 0; i < map->nlayers; i++)
        note_most(map, &map->layers[i], out);
    for (uint32_t d = 0; d < f->topology->ndims; d++)
        if (f->fixed[d] >= 0)
            sca_table_note(out, "The map shows only %s = %d: %u of %u ranks.",
                           sca_fold_name(name, f->topology, d), f->fixed[d], f->shown,
                           f->topology->members);
}
