/*
 * The metrics that a view of ranks shows: the one that was asked for, or the usual three: what is
 * done, what is waited, and who is waited for (Boehme et al., ICPP 2010, figure 2).
 */
#ifndef SCA_DETECT_LAYERS_H
#define SCA_DETECT_LAYERS_H

#include "metrics/threads.h"
#include "views/selection.h"

enum { SCA_MOST_LAYERS = 4 };
/* Which are the usual ones: of ranks the three above, of threads computation and the CPU time by
 * samples. */
enum { SCA_LAYERS_OF_RANKS = 1, SCA_LAYERS_OF_THREADS = 2 };

struct sca_layers {
    uint32_t n; /* 0: the run has none of them, and a note says why */
    struct sca_selected_ranks of[SCA_MOST_LAYERS];
};

/* In the workspace. What is absent is told in a note of the table. */
void sca_layers_load(struct sca_workspace *space, const struct sca_selection *selection,
                     unsigned usual, struct sca_table *table, struct sca_layers *out);

/* Whether samples tell it by thread. */
bool sca_layers_has_threads(const struct scalana_metric *metric);

/* values[rank * threads->n + thread] of a layer, of all that is selected, in the workspace; NAN for
 * ranks that are not selected. NULL: threads have no values of this metric. */
const double *sca_layers_by_thread(struct sca_workspace *space,
                                   const struct sca_selection *selection,
                                   const struct scalana_metric *metric,
                                   const struct sca_threads *threads);

/* Sets the table's columns: `fixed`, and one for each metric. */
void sca_layers_columns(const struct sca_layers *layers, const struct sca_column *fixed,
                        uint32_t nfixed, struct sca_table *table);

#endif
