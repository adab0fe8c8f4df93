/*
 * Which metrics a run has: the one list that the library, the report, the views and the exports
 * read. Ids are those of the public interface (scalana/graph.h). First the fixed ones, in an order
 * in which a metric comes after the one that it is a part of; then the hardware counters, counted
 * or not; then the ratios that these give.
 */
#ifndef SCA_DETECT_METRIC_CATALOGUE_H
#define SCA_DETECT_METRIC_CATALOGUE_H

#include "replay/wait_state.h"
#include "sca_phrase.h"
#include "sca_profile.h"
#include "scalana/graph.h"

struct sca_replayed;

/* Counters that have a meaning of their own. */
#define SCA_COUNTER_INSTRUCTIONS "PAPI_TOT_INS"
#define SCA_COUNTER_CYCLES       "PAPI_TOT_CYC"

enum { SCA_MOST_METRICS = 64 };

struct sca_metric_catalogue { /* does not move: rows point into it */
    uint32_t n;
    struct scalana_metric rows[SCA_MOST_METRICS];
    char not_counted[SCA_PHRASE];
    char texts[8192]; /* of names */
    size_t used;
};

/* `replayed`: NULL where the run was not; then `why_not` says why there are no metrics of a replay.
 * Both outlive the catalogue, as does the profile. */
void sca_metric_catalogue_make(const struct sca_profile *profile,
                               const struct sca_replayed *replayed, const char *why_not,
                               struct sca_metric_catalogue *out);

/* NULL: there is no such metric. */
const struct scalana_metric *sca_metric_catalogue_get(const struct sca_metric_catalogue *catalogue,
                                                      uint32_t id);
const struct scalana_metric *sca_metric_catalogue_find(const struct sca_metric_catalogue *catalogue,
                                                       const char *name);
/* Their names, with commas between, in at most `size` bytes. */
const char *sca_metric_catalogue_names(const struct sca_metric_catalogue *catalogue, char *buffer,
                                       size_t size);

/* The metric of a class of waits. */
static inline uint32_t sca_metric_of_waits(enum sca_wait_class kind)
{
    return kind >= SCA_WAIT_OTHER_WORLD
               ? SCALANA_METRIC_OTHER_WORLD + ((uint32_t)kind - SCA_WAIT_OTHER_WORLD)
               : SCALANA_METRIC_LATE_SENDER + (uint32_t)kind;
}

static inline enum sca_wait_class sca_metric_wait_class(uint32_t id)
{
    return id >= SCALANA_METRIC_OTHER_WORLD
               ? (enum sca_wait_class)(id - SCALANA_METRIC_OTHER_WORLD + SCA_WAIT_OTHER_WORLD)
               : (enum sca_wait_class)(id - SCALANA_METRIC_LATE_SENDER);
}

static inline bool sca_metric_is_of_waits(uint32_t id)
{
    return (id >= SCALANA_METRIC_LATE_SENDER && id <= SCALANA_METRIC_WAIT_AT_SCAN) ||
           (id >= SCALANA_METRIC_OTHER_WORLD && id <= SCALANA_METRIC_LOCK_CONTENTION);
}

static inline bool sca_metric_is_ratio(const struct scalana_metric *metric)
{
    return metric->of != SCALANA_NONE;
}

#endif
