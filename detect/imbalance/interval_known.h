/*
 * What findings say already of an interval that some ranks take longer for.
 */
#ifndef SCA_DETECT_INTERVAL_KNOWN_H
#define SCA_DETECT_INTERVAL_KNOWN_H

#include "findings/ledger.h"
#include "imbalance/interval_line.h"

struct sca_interval_known {
    const struct sca_finding *late; /* named for a loop around MPI calls, and late for that
                                       interval; NULL: none */
    double explained;               /* else how much of the excess findings have: seconds */
    uint32_t by;                    /* the one with most of that, its number; SCA_NONE */
};

/* `a` are the ranks that take longer for what lies between the calls. */
struct sca_interval_known sca_interval_known_ask(const struct sca_line_search *search,
                                                 const struct sca_finding_list *open,
                                                 const struct sca_interval_bounds *bounds,
                                                 const struct sca_abnormal *a);

/* Of what those ranks have too much between the calls, what they have too much of the same places
 * in the whole run, seconds: the others may do the same before other calls. */
double sca_interval_known_in_all(const struct sca_line_search *search,
                                 const struct sca_interval_bounds *bounds,
                                 const struct sca_abnormal *a);

#endif
