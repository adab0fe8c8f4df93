/*
 * Locks in virtual time: who takes one waits until those who had it before let it go. They get it
 * in the order in which they ask. The order is searched once (event_order.h); replays with other
 * times keep it, as they keep who receives which message.
 *
 * What a trace begins with, or ends in, may show only one end of a lock: to let go what one does
 * not have is nothing, and who asks for what nobody lets go gets it at once.
 */
#ifndef SCA_DETECT_LOCK_TURNS_H
#define SCA_DETECT_LOCK_TURNS_H

#include "replay/links.h"

/* Of one search. NULL where there are no locks; then all below do nothing. */
struct sca_lock_turns;
struct sca_lock_turns *sca_lock_turns_open(struct sca_workspace *scratch,
                                           struct sca_replay_links *links);
/* A rank enters an event: it may ask for a lock, or let one go. */
void sca_lock_turns_enter(struct sca_lock_turns *turns, uint32_t rank, uint32_t event);
/* Whether it asks for one and has not got it yet. */
bool sca_lock_turns_asks(const struct sca_lock_turns *turns, uint32_t rank);
/* Nobody else can go on. Of those who ask for a lock that they can have now, the first; if none
 * can, of all, as who has it lets it go beyond the trace. SCA_NONE: nobody asks. `enter` is by
 * place. */
uint32_t sca_lock_turns_next(const struct sca_lock_turns *turns, const double *enter);
/* It gets what it asks for: its event waits for who had it before (links.h). */
void sca_lock_turns_grant(struct sca_lock_turns *turns, uint32_t rank, const double *enter);

#endif
