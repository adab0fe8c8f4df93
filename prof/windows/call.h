/* An MPI call of the program as it is followed, from its entry to its exit (activity.h). */
#ifndef SCA_PROF_CALL_H
#define SCA_PROF_CALL_H

#include "sampling/interval.h"
#include <stdbool.h>
#include <stdint.h>

/* Left: it never returned, and what follows it has begun long since. */
enum sca_call_way { SCA_CALL_SENDS = 1, SCA_CALL_RECEIVES = 2, SCA_CALL_LEFT = 4 };

struct sca_call {
    uint16_t function;
    bool timed;          /* the library's own cost is measured in this call */
    bool ends_iteration; /* ends an iteration (window.h) */
    bool asks;           /* the interval that is open goes on behind it */
    bool in_vain; /* MPI_Test, MPI_Iprobe, ...: found nothing; or called while one looks so */
    uint32_t site, previous;
    uint64_t enter_ns, exit_ns;
    uint64_t idle_ns; /* before it, and waiting as well (idle.h); then there is no interval */
    struct sca_interval interval; /* before it */
    uint64_t bytes;
    /* If it never returns, nobody knows whether these came to pass. */
    unsigned ways;        /* of enum sca_call_way */
    uint32_t float_flags; /* as MPI left them (float_flags.h) */
    int32_t send_peer, send_tag, receive_peer, receive_tag;
    uintptr_t comm;
};

static inline void sca_call_sends(struct sca_call *call, int32_t peer, int32_t tag, uintptr_t comm)
{
    call->ways |= SCA_CALL_SENDS;
    call->send_peer = peer;
    call->send_tag = tag;
    call->comm = comm;
}

static inline void sca_call_receives(struct sca_call *call, int32_t peer, int32_t tag,
                                     uintptr_t comm)
{
    call->ways |= SCA_CALL_RECEIVES;
    call->receive_peer = peer;
    call->receive_tag = tag;
    call->comm = comm;
}

#endif
