/*
 * What a collector says of its host's ranks at a look.
 */
#ifndef SCA_LIVE_COLLECTOR_STATE_H
#define SCA_LIVE_COLLECTOR_STATE_H

#include "hosts/allowance.h"
#include "hosts/kept_ranks.h"
#include "hosts/speech.h"

struct sca_collector_state {
    const char *run;
    bool had_ranks; /* at an earlier look */
    struct sca_allowance allowance;
    struct sca_kept_ranks known; /* to the front */
};

/* Looks, and puts what is new on the channel, behind the series where the look asks for them.
 * SCA_ENOMEM. */
int sca_collector_state_send(struct sca_collector_state *s, uint32_t id,
                             const struct sca_speech_look *look, struct sca_channel *to);
/* The front knows nothing any more. */
void sca_collector_state_forget(struct sca_collector_state *s);

#endif
