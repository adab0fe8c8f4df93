/*
 * Who sends to a rank: by its totals with peers and by the messages it kept.
 */
#ifndef SCA_LIBRARY_SENDERS_H
#define SCA_LIBRARY_SENDERS_H

#include "sca_profile.h"

struct sca_senders {
    uint32_t *ranks; /* rising, each once; by malloc, used again */
    size_t n, capacity;
};

/* Those of the receiver, in place of those before. SCA_ENOMEM. */
int sca_senders_of(struct sca_senders *senders, struct sca_opened *opened, uint32_t receiver);
void sca_senders_free(struct sca_senders *senders);

#endif
