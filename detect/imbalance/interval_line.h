/*
 * The line within an interval between two MPI calls that some ranks take longer for. Which ranks
 * these are is known exactly; so their samples count together, where those of each alone are too
 * few to prove it abnormal.
 */
#ifndef SCA_DETECT_INTERVAL_LINE_H
#define SCA_DETECT_INTERVAL_LINE_H

#include "findings/finding.h"
#include "imbalance/abnormal.h"

struct sca_line_search {
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    double threshold; /* --abnorm-thd */
};

/* `a` are the ranks that take longer for what lies between two calls. True if most of
 * that is in one place by more than chance: *out is then a finding for it. */
bool sca_interval_line(const struct sca_line_search *search,
                       const struct sca_interval_bounds *bounds, const struct sca_abnormal *a,
                       struct sca_finding *out);

/* Where the run's samples are too few to prove it: the place that another run proves on ranks like
 * these, if in this one, too, most of it is there as far as samples tell; SCA_NONE. */
uint32_t sca_interval_line_again(const struct sca_line_search *search,
                                 const struct sca_measure *other,
                                 const struct sca_interval_bounds *bounds,
                                 const struct sca_abnormal *a);

/* Of an interval that is partly spent off the core, where no sample tells the line: how much that
 * is, and the deepest place that has nearly all of the rest. */
struct sca_core_time sca_interval_line_core(const struct sca_line_search *search,
                                            const struct sca_interval_bounds *bounds,
                                            const struct sca_abnormal *a);

#endif
