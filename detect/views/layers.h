/*
 * The metrics that a view of ranks shows: the one that was asked for, or the usual three: what is
 * done, what is waited, and who is waited for (Boehme et al., ICPP 2010, figure 2).
 */
#ifndef SCA_DETECT_LAYERS_H
#define SCA_DETECT_LAYERS_H

#include "views/selection.h"

enum { SCA_MOST_LAYERS = 3 };

struct sca_layers {
    uint32_t n; /* 0: the run has none of them, and a note says why */
    struct sca_selected of[SCA_MOST_LAYERS];
};

/* In the workspace. What is absent is told in a note of the table. */
void sca_layers_load(struct sca_workspace *space, const struct sca_selection *selection,
                     struct sca_table *table, struct sca_layers *out);

/* Sets the table's columns: `fixed`, and one for each metric. */
void sca_layers_columns(const struct sca_layers *layers, const struct sca_column *fixed,
                        uint32_t nfixed, struct sca_table *table);

#endif
