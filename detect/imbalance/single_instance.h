/*
 * Causes that rest on one instance: in one step of many a rank took long, and in all others it is
 * like the rest. The program may do that; a machine may as well. So it is with what is done once or
 * a few times only, where ranks share cores: page faults of a rank's first steps take twice as long
 * when it is pushed aside in them.
 */
#ifndef SCA_DETECT_SINGLE_INSTANCE_H
#define SCA_DETECT_SINGLE_INSTANCE_H

#include "findings/finding.h"
#include "trace/replay_trace.h"

#include <stdbool.h>
#include <stdint.h>

/* Of how many instances a single one has most of the excess, on each of the finding's ranks (the
 * fewest of them), or how few there are on shared cores (below SCA_SEVERAL); 0 if it rests on more,
 * or if that cannot be told. */
uint64_t sca_single_instance_of(struct sca_workspace *space, const struct sca_measure *m,
                                const uint32_t *ends, const struct sca_traces *traces,
                                const struct sca_finding *c);

/* Whether the program goes in iterations, set up by what is done a few times: what comes again and
 * again takes longer, over all ranks, than the finding where that does not, and longer than all
 * else that does not. */
bool sca_single_instance_goes_in_iterations(const struct sca_measure *m, const uint32_t *ends,
                                            const struct sca_finding *c);

/* How often the finding's ranks come to it, the fewest of them. */
uint64_t sca_single_instance_count(const struct sca_measure *m, const uint32_t *ends,
                                   const struct sca_finding *c);

#endif
