/* What the text of --view=series draws. */
#ifndef SCA_DETECT_VIEW_SERIES_H
#define SCA_DETECT_VIEW_SERIES_H

#include "series/clusters.h"
#include "series/loop_series.h"
#include "series/patterns.h"
#include "views/table.h"

/* One loop of one run. */
struct sca_series_lines {
    uint32_t run;
    const char *loop; /* which it is */
    bool shared;      /* time in MPI is mostly scheduling */
    const struct sca_series_section *section;
    const struct sca_series_point *points;
    struct sca_series_clusters clusters;
};

struct sca_series_phase_lines { /* phases that have names, of one run */
    uint32_t run;
    bool shared;
    const struct sca_series *series;
};

struct sca_series_drawing {
    uint32_t n, nruns, npatterns, nphased;
    struct sca_series_lines *lines;
    struct sca_series_phase_lines *phases; /* [nphased] */
    const struct sca_table *answer;
};

void sca_series_draw(FILE *out, const struct sca_table *table, bool colour);

/* Below the loops. */
void sca_series_draw_phases(FILE *out, const struct sca_series_drawing *drawing);

/* "  83.4 %", of 9 columns; "-" where it is not known. */
void sca_series_put_share(FILE *out, double share);

/* "1.25 ms". */
void sca_series_seconds(char text[SCA_FIGURE], double seconds);

#endif
