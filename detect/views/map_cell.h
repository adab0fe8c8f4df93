/*
 * One place of a map: its number in few columns, and how it compares with the most on the map.
 */
#ifndef SCA_DETECT_MAP_CELL_H
#define SCA_DETECT_MAP_CELL_H

#include "topology/folded.h"

#include <stdio.h>

#define SCA_MAP_SIGNS "' from 1/6, + from 2/6, * from 3/6, # from 4/6, @ from 5/6."

struct sca_map_layer { /* a metric on the map */
    const char *name, *unit;
    const double *by_rank; /* NAN: not shown */
};

struct sca_map_scale {
    double most;   /* the largest size on the map */
    double factor; /* values times this are shown, */
    int decimals, width;
    char title[64]; /* with the unit that this makes: "waiting (ms)" */
};

/* Of the ranks that are on the map. */
void sca_map_scale_make(const struct sca_map_layer *layer, const struct sca_fold *fold,
                        struct sca_map_scale *out);

/* scale->width columns and one for the sign, or without `numbers` the sign alone. NAN: blanks. */
void sca_map_cell_put(FILE *out, const struct sca_map_scale *scale, double value, bool numbers,
                      bool colour);

#endif
