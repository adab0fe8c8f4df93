/*
 * A loop's series as it is shown: with its clusters, what changes over time, and POP's efficiencies
 * (pop-coe.eu) along it.
 */
#ifndef SCA_DETECT_LOOP_SERIES_H
#define SCA_DETECT_LOOP_SERIES_H

#include "series/clusters.h"
#include "series/patterns.h"

struct sca_loop_series {
    const struct sca_series *series;
    const struct sca_series_section *section;
    const struct sca_series_point *points; /* [section->npoints] */
    struct sca_series_clusters clusters;
    struct sca_patterns patterns; /* without what sharing cores may be, where ranks did */
    bool shared;                  /* time in MPI is mostly scheduling */
};

void sca_loop_series_make(struct sca_workspace *space, const struct sca_series *series,
                          uint32_t loop, bool shared, struct sca_loop_series *out);

/* When its last point ends, seconds. */
double sca_loop_series_end(const struct sca_loop_series *loop);

struct sca_series_efficiency { /* NAN: not known */
    double load_balance, communication, parallel;
};
struct sca_series_efficiency sca_series_efficiency_of(double own_mean, double own_max, double span,
                                                      bool shared);

#endif
