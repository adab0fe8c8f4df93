/*
 * Work that a rank hands out piece by piece to whoever asks. Who gets more of it was faster, or on
 * a core for longer where cores are shared: that is how such a program balances itself.
 */
#ifndef SCA_DETECT_WORK_QUEUE_H
#define SCA_DETECT_WORK_QUEUE_H

#include "findings/finding.h"
#include "measure/measure.h"

enum { SCA_MOST_SERVED = 1024 }; /* ranks of a run that is looked at for servers */

struct sca_work_queue {
    uint32_t server; /* the rank that hands it out: several ranks do the work, not each of them
                        once, and all send a message to that one for each piece; SCA_NONE: none */
    bool uneven;     /* some get more pieces than others, by more than one */
};

/* Who hands out the finding's work. Who does which piece may be another one in another run. Of two
 * ranks one always asks the other, and of very many it takes too long (it grows with ranks *
 * ranks): no server then. Whether that rank really took whoever came first is not recorded. */
struct sca_work_queue sca_work_queue_find(struct sca_workspace *space, const struct sca_measure *m,
                                          const uint32_t *ends, const struct sca_finding *c);

#endif
