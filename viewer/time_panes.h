/*
 * The panes about time: the series of a main loop over the run, and recorded iterations as ranks by
 * virtual time. Each has a place that keys move and parts that keys enlarge: a struct
 * sca_time_look, all zero at first. The caller owns pane and look; the report outlives both.
 */
#ifndef SCA_TIME_PANES_H
#define SCA_TIME_PANES_H

#include "panes.h"

/* Shown are first..end-1 of a series' points, or begin..end seconds of a timeline; end 0: all. */
struct sca_series_look {
    uint32_t loop, point; /* the selected one */
    uint32_t first, end;
    double from; /* iteration that a range is to begin or end with; 0: none is begun */
};

struct sca_timeline_look {
    uint32_t window;
    bool mended;   /* with the first cause mended, where that is known */
    uint32_t line; /* of the pane, below its head; the first ones are ranks */
    double at;     /* second of the window that is selected */
    double begin, end;
};

struct sca_time_look {
    struct sca_series_look series;
    struct sca_timeline_look timeline;
};

/* Curves in blocks, `rows` lines high the main one; changes, clusters, phases. */
void sca_series_pane(struct sca_pane *pane, const struct sca_model *model,
                     const struct sca_series_look *look, int width, int rows);
/* What a key does to the place; false: it is none of the pane's keys. */
bool sca_series_key(struct sca_series_look *look, const struct sca_model *model, int key);
/* The first time it marks one end of a range of iterations, the second time the other: the model's
 * range is that then. The third time it is the whole run again. SCA_ENOMEM. */
int sca_series_mark(struct sca_series_look *look, struct sca_model *model);
/* A click in that column of the pane. */
void sca_series_click(struct sca_series_look *look, const struct sca_model *model, int column,
                      int width);

/* Ranks as rows, then what the letters and signs mean. */
void sca_timeline_pane(struct sca_pane *pane, const struct sca_model *model,
                       const struct sca_timeline_look *look, int width);
/* Where more ranks are known than the pane has rows, one that was not looked at yet begins with the
 * longest computation on the critical path. */
void sca_timeline_open(struct sca_timeline_look *look, const struct sca_model *model, int rows);
bool sca_timeline_key(struct sca_timeline_look *look, const struct sca_model *model, int key);
void sca_timeline_click(struct sca_timeline_look *look, const struct sca_model *model, int column,
                        int width);

#endif
