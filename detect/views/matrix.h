/*
 * The matrix of messages between ranks, or blocks of ranks, as text of 80 columns.
 */
#ifndef SCA_DETECT_MATRIX_H
#define SCA_DETECT_MATRIX_H

#include "communication/pairs.h"
#include "views/table.h"

enum { SCA_MATRIX_MOST = 64 }; /* lines and columns */

struct sca_matrix {
    struct sca_pairs pairs;
    struct sca_pair_blocks blocks;
};

/* Draws table->drawing, a struct sca_matrix, and the rows below it. */
void sca_matrix_draw(FILE *out, const struct sca_table *table, bool colour);

#endif
