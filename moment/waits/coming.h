/*
 * Messages to a rank, or that it sends: whether what it waits for may come of what others have sent
 * or are sending.
 */
#ifndef SCA_COMING_H
#define SCA_COMING_H

#include "look/seen.h"

bool sca_coming_is_message(const struct scalana_awaited *awaited);

/* The call sends itself; calls that wait for requests have sent before. */
bool sca_coming_sends(const struct sca_look *look, uint32_t rank);

/* So many messages of `from` are there or are being sent that as many requests of the rank as there
 * are up to this one, of its tag, can end. True also where counts do not say. */
bool sca_coming_fits(const struct sca_look *look, uint32_t rank,
                     const struct scalana_awaited *awaited, uint32_t from);

/* The other side is in a call that takes what the rank sends. */
bool sca_coming_is_taken(const struct sca_look *look, uint32_t rank,
                         const struct scalana_awaited *awaited);

/* Of all messages that the call waits for enough have been sent, by complete calls. True: they do
 * not fit. All ranks concerned have been inside MPI, where messages are passed on, for longer than
 * it takes to pass on all of them. False also where nothing is known. */
bool sca_coming_is_other(const struct sca_look *look, uint32_t rank, double least_s);

/* The same of what one sender has sent to a rank that waits for one message alone. */
bool sca_coming_is_other_of(const struct sca_look *look, uint32_t rank,
                            const struct scalana_awaited *awaited, uint32_t from, double least_s);

/* A message of `from` that is there and has a tag that no request of the rank has, and a tag that
 * the rank awaits of it. False: none is known. */
struct sca_other_tag {
    uint32_t context; /* that sent it */
    int32_t tag, awaited;
};
bool sca_coming_other_tag(const struct sca_look *look, uint32_t rank, uint32_t from,
                          struct sca_other_tag *out);

#endif
