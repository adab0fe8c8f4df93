/*
 * Where in the source a loop of machine code is written: in which function, inlined or not, and at
 * which line.
 *
 * The function is the deepest one that holds nine tenths of the instructions between the header and
 * the branch that closes the loop, but none that was inlined beside that branch. The line is that
 * of the branch; a test at the end (do ... while) has most of the loop's lines before it, then it
 * is that of the header's test, of another way out, or the first line past that of the loop around.
 */
#ifndef STRUCTURE_LOOP_PLACE_H
#define STRUCTURE_LOOP_PLACE_H

#include "source/source_map.h"

struct sca_loop_place {
    uint32_t node; /* of the source map */
    const char *file;
    uint32_t line, end_line; /* 0: unknown */
    bool near;               /* the line is that of something in the loop */
};

struct sca_loop_places {
    struct sca_loop_place *list; /* per loop of the graph */
    size_t capacity;
};

int sca_loop_places_find(const struct sca_flow_graph *graph, const struct sca_source_map *map,
                         struct sca_loop_places *out);
void sca_loop_places_free(struct sca_loop_places *places);

#endif
