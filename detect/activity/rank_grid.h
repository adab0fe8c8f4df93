/*
 * Grids whose ranks are numbered dimension by dimension, and exchange messages with their
 * neighbours along each: dimensions may go round.
 */
#ifndef SCA_DETECT_RANK_GRID_H
#define SCA_DETECT_RANK_GRID_H

#include "activity/rank_peers.h"

enum { SCA_GRID_DIMENSIONS = 8 };

struct sca_rank_grid {
    uint32_t n, stride[SCA_GRID_DIMENSIONS], extent[SCA_GRID_DIMENSIONS];
    bool round[SCA_GRID_DIMENSIONS]; /* the last rank along it is the first one's neighbour */
};

/* False: ranks have other neighbours than in any such grid. */
bool sca_rank_grid_find(const struct sca_rank_peers *peers, uint32_t nranks,
                        struct sca_rank_grid *out);
/* Dimensions that end. */
uint32_t sca_rank_grid_open(const struct sca_rank_grid *grid);
/* Neighbours it must have, and along how many dimensions it is the first or the last. */
uint32_t sca_rank_grid_neighbours(const struct sca_rank_grid *grid, uint32_t rank,
                                  uint32_t *borders);
/* A hash of the steps along each dimension, round those that go round. */
uint64_t sca_rank_grid_way(const struct sca_rank_grid *grid, uint32_t from, uint32_t to);

#endif
