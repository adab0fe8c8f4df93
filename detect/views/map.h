/*
 * Maps of a folded topology as text of 80 columns: side by side where they fit, each with numbers
 * and a sign for how they compare, else with signs alone, of several places where they are many.
 */
#ifndef SCA_DETECT_MAP_H
#define SCA_DETECT_MAP_H

#include "views/layers.h"
#include "views/map_cell.h"
#include "views/table.h"

struct sca_map {
    const struct sca_fold *fold;
    uint32_t nlayers;
    struct sca_map_layer layers[SCA_MOST_LAYERS];
};

/* Notes where the most of each metric is, and which slice is shown. */
void sca_map_note(const struct sca_map *map, struct sca_table *table);

/* Draws table->drawing, a struct sca_map. */
void sca_map_draw(FILE *out, const struct sca_table *table, bool colour);

#endif
