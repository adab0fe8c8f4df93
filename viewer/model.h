/*
 * The report as the viewer asks about it: order of the causes, a vertex's time, imbalance, slope,
 * calling path. Knows nothing of terminals. Borrows the report, which must outlive it; owns its
 * own tables until sca_model_close().
 */
#ifndef SCA_MODEL_H
#define SCA_MODEL_H

#include "metrics.h"
#include "sca_report.h"
#include "time_range.h"

enum sca_sort {
    SCA_BY_GAIN,
    SCA_BY_COST,
    SCA_BY_TIME,
    SCA_BY_IMBALANCE,
    SCA_BY_SLOPE,
    SCA_BY_PROGRAM /* order of the report's vertices; for the tree */
};

struct sca_model {
    const struct sca_report *report;
    uint32_t *order; /* places of the list to causes of the report */
    uint32_t *cause; /* vertex to its first cause, or SCA_NO_VERTEX */
    uint32_t *model; /* vertex to its entry in nonscalable[], or SCA_NO_VERTEX */
    double *waited;  /* [ranks of the largest run]: working memory; NULL: none */
    enum sca_sort sort;
    struct sca_time_range range;    /* of iterations, that time is of; else of the whole run */
    struct sca_metric_table metric; /* what the tree and the ranks show, if one is chosen */
};

int sca_model_open(struct sca_model *model, const struct sca_report *report);
void sca_model_close(struct sca_model *model);
/* Of the list: those that are not confirmed, too. */
uint32_t sca_model_ncauses(const struct sca_model *model);
void sca_model_sort(struct sca_model *model, enum sca_sort sort);
/* All vertices in that order; by time is by the chosen metric, if there is one. */
void sca_model_order_vertices(const struct sca_model *model, enum sca_sort sort, uint32_t *order);
const char *sca_model_sort_name(enum sca_sort sort);

const struct sca_report_run *sca_model_largest(const struct sca_model *model); /* NULL: no runs */
/* Core-seconds in the largest run, or in the chosen range; of MPI calls on shared cores what ranks
 * waited, replayed. */
double sca_model_time(const struct sca_model *model, uint32_t vertex);
/* The same of a cause: over all call paths to its place, or between its two calls. */
double sca_model_cause_time(const struct sca_model *model, uint32_t cause);
/* Seconds of each rank, of the vertex or of the cause that is there. */
const double *sca_model_rank_s(const struct sca_model *model, uint32_t vertex, uint32_t *nranks);
/* Slowest rank over the mean; 1 is balanced, 0 unknown. */
double sca_model_imbalance(const struct sca_model *model, uint32_t vertex);
/* Of log time over log ranks; NAN if there is no model of it. */
double sca_model_slope(const struct sca_model *model, uint32_t vertex);
/* What a vertex is sorted by; greater comes first, NAN last. */
double sca_model_value(const struct sca_model *model, uint32_t vertex, enum sca_sort sort);
/* Does its name, function or place hold needle, whatever the case? */
bool sca_model_matches(const struct sca_model *model, uint32_t vertex, const char *needle);

/* Appends to the current line. "loop" or "MPI_Wait"; "cg.c:24"; "main > conj_grad > loop :24". */
void sca_model_label(struct sca_lines *lines, const struct sca_report_vertex *vertex, int width);
/* "relax"; of the body of an OpenMP region, the function that it stands in. */
void sca_model_function(struct sca_lines *lines, const struct sca_report_vertex *vertex, int width);
void sca_model_place(struct sca_lines *lines, const struct sca_report_vertex *vertex, int width);
void sca_model_path(struct sca_lines *lines, const struct sca_model *model, uint32_t vertex,
                    int width);
/* "4", "0-7", "1,3,5-9". */
void sca_model_ranks(struct sca_lines *lines, const uint32_t *ranks, uint32_t count, int width);
/* Seconds in at most seven columns: "412 us", "1.23 s", "45678 s". */
const char *sca_label_seconds(double seconds, char text[16]);
/* A value of a metric in at most nine columns: "1.23 s", "4.56 G", "n/a". */
const char *sca_label_metric(double value, const char *unit, char text[24]);

#endif
