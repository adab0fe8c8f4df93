/*
 * What the writers of formats share. Labels are valid UTF-8 without control characters and differ
 * between siblings, since several tools know a place only by its path of labels.
 */
#ifndef SCA_DETECT_FORMATS_H
#define SCA_DETECT_FORMATS_H

#include "html/outline.h"

#include <stdio.h>

struct sca_export {
    FILE *out;
    const struct sca_report *r;
    struct sca_outline outline;
    char **label;    /* per vertex */
    uint32_t *path;  /* vertices from the root to the last one entered, by depth */
    uint32_t nranks; /* of the largest run */
    /* [metric * vertices + vertex]; NULL: all its values are 0 */
    const struct sca_report_metric_row **rows;
    const struct sca_report_metric *metric; /* that stacks show; NULL: time */
};

/* ---- metrics of the largest run: own values, for the writers of trees and stacks ---- */

/* Whether a metric has values that add up: neither a ratio nor one that is absent. */
static inline bool sca_export_adds_up(const struct sca_report_metric *metric)
{
    return metric->of == UINT32_MAX && !*metric->absent;
}

static inline const struct sca_report_metric_row *
sca_export_row(const struct sca_export *e, const struct sca_report_metric *metric, uint32_t vertex)
{
    return e->rows[(size_t)(metric - e->r->metrics) * e->r->nvertices + vertex];
}

/* Over all ranks; of one rank, NAN where the report does not tell it. */
double sca_export_sum(const struct sca_export *e, const struct sca_report_metric *metric,
                      uint32_t vertex);
double sca_export_value(const struct sca_export *e, const struct sca_report_metric *metric,
                        uint32_t vertex, uint32_t rank);

/* The vertex at a place of the program order, which must be entered one after the other. */
static inline uint32_t sca_export_enter(const struct sca_export *e, uint32_t place)
{
    uint32_t v = e->outline.order[place];
    e->path[e->outline.depth[v]] = v;
    return v;
}

/* The text in quotes, as JSON and dot want it. */
void sca_export_string(const struct sca_export *e, const char *text);
/* The labels from the root to the vertex entered last; `from` in a label becomes `to`. */
void sca_export_stack(const struct sca_export *e, uint32_t vertex, const char *separator,
                      const char *from, const char *to);

int sca_stacks_write_extrap(const struct sca_export *e);
int sca_stacks_write_folded(const struct sca_export *e);
int sca_stacks_write_speedscope(const struct sca_export *e);
int sca_trees_write_hatchet(const struct sca_export *e);
int sca_trees_write_caliper(const struct sca_export *e);
int sca_dot_write(const struct sca_export *e);
int sca_psg_dot_write(const struct sca_export *e);

#endif
