/*
 * Messages that are under way to a rank, and that what it waits for is not.
 */
#ifndef SCA_LIVE_UNMATCHED_H
#define SCA_LIVE_UNMATCHED_H

#include "look/seen.h"

/* The rank waits for a message of `from`. True: what `from` has sent, by complete calls, does not
 * fit. Both have been inside MPI, where messages are passed on, for longer than it takes to pass
 * on all of it. False also where nothing is known. */
bool sca_unmatched_is(const struct sca_look *look, uint32_t rank,
                      const struct scalana_awaited *awaited, uint32_t from, double least_s);

/* One of them with another tag than the one awaited. False: none is known. */
bool sca_unmatched_one(const struct sca_look *look, uint32_t rank,
                       const struct scalana_awaited *awaited, struct scalana_under_way *out);

#endif
