/*
 * What the runtime wrote of one rank's place in one communicator: "cart 4,2 periodic 1,0 at 3,1
 * name grid (x,y)", "graph degree 3", "dist_graph in 2 out 3 name mesh" (doc/FORMATS.md).
 */
#ifndef SCA_DETECT_TOPOLOGY_WORDS_H
#define SCA_DETECT_TOPOLOGY_WORDS_H

#include "sca_part.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_topology_words {
    char kind[16];         /* cart, graph, dist_graph */
    uint32_t ndims, width; /* dimensions of cart, else 0; numbers of a place */
    int32_t dims[SCA_MOST_DIMENSIONS], periodic[SCA_MOST_DIMENSIONS];
    int32_t place[SCA_MOST_DIMENSIONS]; /* coordinates, or how many neighbours (in, out) */
    uint32_t nto;                       /* of a graph: those it sends to that are known, */
    int32_t to[SCA_MOST_DIMENSIONS];    /* by their ranks in the world */
    const char *name;                   /* the communicator's, inside the text; "" */
};

/* False for what makes no sense. */
bool sca_topology_words_read(const char *text, struct sca_topology_words *words);

/* "grid (x,y,z)", of a communicator with three dimensions: its name is "grid", those of its
 * dimensions are x, y and z. They are what stands in brackets at the end, with commas or blanks
 * between; where these are not as many as dimensions, all of it is the name. names[ndims] are
 * set, "" each where there are none; `text` is cut up for it. Returns whether there are some. */
bool sca_topology_words_split(char *text, uint32_t ndims, const char **names);

#endif
