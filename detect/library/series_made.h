/*
 * The series of a run with what was found in them, made when they are asked for first.
 */
#ifndef SCA_LIBRARY_SERIES_MADE_H
#define SCA_LIBRARY_SERIES_MADE_H

#include "library/handles.h"
#include "series/loop_series.h"
#include "timeline/recorded.h"

struct sca_made_loop {
    struct sca_loop_series of;
    const char **acts;                   /* [of.patterns.n]: in words */
    struct sca_recorded_point *recorded; /* [of.clusters.n] */
};

struct sca_made_series {
    struct sca_workspace space;
    bool shared;                  /* ranks shared cores */
    struct sca_recorded recorded; /* points NULL: there is no series */
    uint32_t nloops;
    struct sca_made_loop *loops;
};

/* Of one run; lives as long as the runs do. Any thread. SCA_EINVAL, SCA_ENOMEM. */
int sca_series_made(const scalana_runs *runs, uint32_t run, const struct sca_made_series **out);
void sca_series_made_free(struct scalana_runs *runs);

#endif
