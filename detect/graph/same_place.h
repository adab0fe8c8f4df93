/*
 * Vertices that are one place in the source, reached along several call paths. Loops of a nest that
 * is written in one line, or in one macro, are a place each: the first of them is not the second,
 * whatever call path leads to it. Lists are owned by the workspace.
 */
#ifndef SCA_DETECT_SAME_PLACE_H
#define SCA_DETECT_SAME_PLACE_H

#include "graph/ppg.h"
#include "base/workspace.h"

/* Numbers those that stand in the same lines of the same code, one in the other (`nested`), for all
 * that is below. Parents come first. */
void sca_same_place_number(struct sca_ppg_vertex *vertices, uint32_t n);

/* All vertices that are the same place in the source and lie in none that is: nothing is listed
 * twice, and what they take may be added up. First the given one, or what it lies in. */
uint32_t sca_same_place(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t vertex,
                        uint32_t **out);

/* Whether the vertex lies in another that is the same place, by recursion. What the other takes has
 * its seconds already. */
bool sca_same_place_is_inside(const struct sca_ppg *ppg, uint32_t vertex);

/* False for what has no line: two such may be anything. */
bool sca_same_place_is(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b);

/* For each vertex one that stands for its place: equal for equal places. */
uint32_t *sca_same_place_find(struct sca_workspace *space, const struct sca_ppg *ppg);
/* The same into `place`, by way of `sorted`; both have nvertices. */
void sca_same_place_fill(const struct sca_ppg *ppg, uint32_t *sorted, uint32_t *place);

#endif
