/*
 * The order in which the events of a trace are entered: each after all that it waits for. It
 * depends on who waits for whom, not on when, so that one search serves all replays of the trace.
 */
#ifndef SCA_DETECT_EVENT_ORDER_H
#define SCA_DETECT_EVENT_ORDER_H

#include "replay/links.h"

struct sca_order {
    uint32_t *number; /* by place: as the manieth event is entered */
    uint32_t *place;  /* by number */
    uint32_t nfirst;  /* the first events of the locations come first */
    uint64_t forced;  /* events left although a partner never came */
};

/* Links are numbered by place. With more than `most_forced` the search ends: there is no order
 * then, only `forced`. */
void sca_event_order_find(struct sca_workspace *space, const struct sca_trace *trace,
                          struct sca_replay_links *links, uint64_t most_forced,
                          struct sca_order *out);

#endif
