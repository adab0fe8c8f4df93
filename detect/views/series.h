/* What the text of --view=series draws. */
#ifndef SCA_DETECT_VIEW_SERIES_H
#define SCA_DETECT_VIEW_SERIES_H

#include "series/clusters.h"
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

struct sca_series_drawing {
    uint32_t n, nruns, npatterns;
    struct sca_series_lines *lines;
    const struct sca_table *answer;
};

void sca_series_draw(FILE *out, const struct sca_table *table, bool colour);

/* "1.25 ms". */
void sca_series_seconds(char text[SCA_FIGURE], double seconds);

#endif
