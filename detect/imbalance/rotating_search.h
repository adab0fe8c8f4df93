/*
 * One search for what rotates (rotating.h), and the interval that it looks at: shared by the files
 * that find it, say whether it is believed, and what other findings have of it.
 */
#ifndef SCA_DETECT_ROTATING_SEARCH_H
#define SCA_DETECT_ROTATING_SEARCH_H

#include "findings/ledger.h"
#include "imbalance/long_instances.h"
#include "measure/measure.h"

struct sca_rotating_search {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_finding_list *seen; /* in other runs */
    struct sca_long_instances of;        /* of the interval at hand */
    double limit;
    bool shared;        /* instances scatter, and the limit is one that this may bring about */
    const double *late; /* of the interval at hand, by windows; NULL: by instances */
};

/* Number of the interval among the run's. */
static inline uint32_t sca_rotating_search_interval(const struct sca_rotating_search *s,
                                                    const struct sca_rotating_interval *w)
{
    return sca_intervals_number(&s->m->run->intervals, w->previous, w->site);
}

#endif
