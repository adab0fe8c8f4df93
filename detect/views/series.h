/* What the text of --view=series draws. */
#ifndef SCA_DETECT_VIEW_SERIES_H
#define SCA_DETECT_VIEW_SERIES_H

#include "sca_profile.h"
#include "series/clusters.h"
#include "series/loop_series.h"
#include "series/memory_growth.h"
#include "series/patterns.h"
#include "text/lines.h"
#include "timeline/efficiency_over_time.h"
#include "views/table.h"

/* One loop of one run. */
struct sca_series_lines {
    uint32_t run;
    const char *loop; /* which it is */
    bool shared;      /* time in MPI is mostly scheduling */
    const struct sca_profile *profile;
    const struct sca_series_section *section;
    const struct sca_series_point *points;
    struct sca_series_clusters clusters;
    struct sca_recorded_point *recorded; /* of each cluster, the sum; contexts by time */
    const char *const **places;          /* of each cluster, the contexts' */
};

struct sca_series_phase_lines { /* phases that have names, of one run */
    uint32_t run;
    bool shared;
    const struct sca_series *series;
    const struct sca_recorded *recorded;
};

struct sca_series_drawing {
    uint32_t n, nruns, npatterns, nphased;
    struct sca_series_lines *lines;
    struct sca_series_phase_lines *phases; /* [nphased] */
    const struct sca_table *answer;
};

void sca_series_draw(FILE *out, const struct sca_table *table, bool colour);

/* Clusters: what an iteration takes, where they lie, and what they take where. */
void sca_series_draw_clusters(const struct sca_page *page, const struct sca_series_lines *lines);

/* Below the loops. */
void sca_series_draw_phases(FILE *out, const struct sca_series_drawing *drawing);

/* "The first iteration takes 3x as long as later ones." */
const char *sca_series_pattern_words(struct sca_table *table, const struct sca_pattern *pattern);

/* "The memory of the rank with most grows from 20 MB to 225 MB, by 1 MB in each iteration." */
const char *sca_series_memory_words(struct sca_table *table,
                                    const struct sca_memory_growth *growth);

/* "  83.4 %", of 9 columns; "n/a" where it is not known. */
void sca_series_put_share(FILE *out, double share);

/* "1.25 ms". */
void sca_series_seconds(char text[SCA_FIGURE], double seconds);

#endif
