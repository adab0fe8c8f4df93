/*
 * What of the metrics a view shows: the metric, the contexts below which, and the ranks.
 */
#ifndef SCA_DETECT_SELECTION_H
#define SCA_DETECT_SELECTION_H

#include "metrics/metric_block.h"
#include "verdict/analysis.h"
#include "views/view_input.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_selection {
    struct sca_metric_source source;
    const uint32_t *ends;
    struct sca_metric_catalogue catalogue;
    const struct scalana_metric *metric; /* NULL: all of them */
    uint32_t *roots, nroots;             /* rising; none lies below another */
    uint32_t *ranks, nranks;             /* rising */
};

/* From the settings, of the analysed runs' largest. Lives in the view's workspace. SCA_EINVAL: they
 * name what the run does not have, and the message what there is. */
int sca_selection_make(const struct sca_view_input *in, const struct sca_analysis *c,
                       struct sca_selection **out);

/* The contexts that a root names, rising; none lies below another. NULL: the whole program. In
 * `space`. SCA_EINVAL: there is none, with a message. */
int sca_selection_roots(struct sca_workspace *space, const struct sca_ppg *ppg,
                        const uint32_t *ends, const char *root, uint32_t **roots, uint32_t *nroots);

/* Whether "cg.c:59", or more of the path, is the vertex' line. */
bool sca_selection_is_at_line(const struct sca_ppg_vertex *vertex, const char *wish);

/* Of the run's catalogue. SCA_EINVAL: it has none of that name, said with the option's. */
int sca_selection_metric(const struct sca_selection *selection, const char *option,
                         const char *name, const struct scalana_metric **out);

/* One metric's values of all vertices on the selected ranks: [inclusive][vertex * nranks + i]. A
 * ratio is of two such tables. */
struct sca_selected {
    const struct scalana_metric *metric;
    double *of[2], *per[2]; /* per: NULL but for a ratio */
};

/* In `space`; the metric is not absent. */
void sca_selection_load(struct sca_workspace *space, const struct sca_selection *selection,
                        const struct scalana_metric *metric, struct sca_selected *out);

/* On the i-th selected rank; NAN for a ratio to nothing. */
double sca_selection_value(const struct sca_selection *selection,
                           const struct sca_selected *selected, uint32_t vertex, bool inclusive,
                           uint32_t i);

/* Of all selected ranks: the sum, and of a ratio that of the two sums. */
double sca_selection_whole(const struct sca_selection *selection,
                           const struct sca_selected *selected, uint32_t vertex, bool inclusive);

/* One metric's sums over all selected contexts on each of the selected ranks. A ratio is of two. */
struct sca_selected_ranks {
    const struct scalana_metric *metric;
    double *of, *per; /* [nranks]; per: NULL but for a ratio */
};

/* In `space`; the metric is not absent. A few ranks at a time: of many contexts and ranks it takes
 * no memory for both. */
void sca_selection_sum(struct sca_workspace *space, const struct sca_selection *selection,
                       const struct scalana_metric *metric, struct sca_selected_ranks *out);

/* On these n of the selected ranks together, by their numbers among them; NULL: on all. */
double sca_selection_of_some(const struct sca_selection *selection,
                             const struct sca_selected_ranks *sums, const uint32_t *some,
                             uint32_t n);

#endif
