/*
 * Work that a rank hands out piece by piece to whoever asks. Who gets more of it was faster, or on
 * a core for longer where cores are shared: that is how such a program balances itself.
 */
#ifndef SCA_DETECT_WORK_QUEUE_H
#define SCA_DETECT_WORK_QUEUE_H

#include "findings/finding.h"
#include "measure/measure.h"

/* True if the finding's ranks have more pieces of the work rather than longer ones, and all ranks
 * that do it send a message to one and the same rank for each piece. Whether that rank really took
 * whoever came first is not recorded. Meant for runs on shared cores; takes time that grows with
 * ranks * ranks. */
bool sca_work_queue_is(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const struct sca_finding *c);

/* The rank that hands it out: several ranks do the finding's work, not each of them once, and all
 * send a message to that one for each piece. Who does which may be another one in another run.
 * SCA_NONE: there is none. Of two ranks one always asks the other, and of very many it takes too
 * long: none then. Time as above. */
uint32_t sca_work_queue_server(struct sca_workspace *space, const struct sca_measure *m,
                               const uint32_t *ends, const struct sca_finding *c);

#endif
