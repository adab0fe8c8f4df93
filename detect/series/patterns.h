/*
 * What changes over the iterations of a main loop, and when (trend.h has the tests): steps and
 * drifts of all ranks or of some against the others, iterations that recur, a warm-up, a slowest
 * rank that rotates. Times are own times, outside MPI. What may be noise is not among them.
 */
#ifndef SCA_DETECT_PATTERNS_H
#define SCA_DETECT_PATTERNS_H

#include "base/workspace.h"
#include "sca_series.h"

#include <stdbool.h>

enum sca_pattern_kind {
    SCA_PATTERN_STEP,   /* from iteration `first` on, time is `ratio` times that before */
    SCA_PATTERN_DRIFT,  /* from `first` to `last` it grows, or shrinks, evenly to `ratio` times */
    SCA_PATTERN_PERIOD, /* each `period`-th iteration, as `first`, takes `ratio` times the others */
    SCA_PATTERN_WARM_UP, /* the iterations up to `last` do */
    SCA_PATTERN_ROTATES  /* the slowest rank is another one in each iteration, or after `period` of
                            them; ratio: to the median */
};

struct sca_pattern {
    enum sca_pattern_kind kind;
    uint64_t first, last; /* iterations */
    uint64_t within;      /* `first` is known to so many iterations; 1: exactly */
    uint32_t period;
    uint32_t periods;  /* it is the middle of so many that points do not tell apart; 1: exact */
    bool or_less;      /* or it is one of shorter ones than a point: they do not tell */
    double at;         /* seconds since MPI_Init */
    double ratio;      /* > 0 */
    double begin, end; /* of a drift: seconds of an iteration */
    double beyond;     /* ratio where it goes on for as many iterations again */
    uint32_t nranks;   /* 0: all */
    const uint32_t *ranks;
};

struct sca_patterns {
    uint32_t n, room;
    struct sca_pattern *list;
};

/* Of one section. */
void sca_patterns_find(struct sca_workspace *space, const struct sca_series *series,
                       const struct sca_series_section *section, struct sca_patterns *out);
/* Of one list of times, one per point of a section: what `ranks` (0: all) did there. */
void sca_patterns_of(struct sca_workspace *space, const struct sca_series_point *points,
                     const double *each, uint32_t n, struct sca_patterns *out);

/* Whether ranks that share cores may change by as much, though their work does not: all of them by
 * what else runs on the machine, some against the others by whom they share a core with. */
bool sca_pattern_may_be_cores(const struct sca_pattern *pattern);

/* Whether what ranks take too much of lies in the pattern: an iteration of it has four times as
 * much as another one. `ratio` [n]: to what others take in each point. */
bool sca_pattern_is_all(const struct sca_pattern *pattern, const struct sca_series_point *points,
                        const double *ratio, uint32_t n);

/* In words: "from iteration 512 on", "every 16th iteration", "growing from 1x to 5x". */
enum { SCA_PATTERN_WORDS = 160 };
const char *sca_pattern_acts(const struct sca_pattern *pattern, char words[SCA_PATTERN_WORDS]);

#endif
