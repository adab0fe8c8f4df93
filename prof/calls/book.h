/*
 * The calls of a thread that are under way, and what is booked of one when it is over. Any thread,
 * not in a handler.
 */
#ifndef SCA_PROF_BOOK_H
#define SCA_PROF_BOOK_H

#include "base/guard.h"
#include "windows/call.h"

/* Interval, count, time and bytes of a call whose exit is known. State lock held. */
void sca_book_call(struct sca_call *call);

/* The calls of this thread that are under way: the one that runs is the last, those before it wait
 * for functions of the program's that they called. */
struct sca_calls {
    struct sca_call call[SCA_CALLBACKS + 1];
    struct sca_waiting {             /* what its callback.h must keep of each that waits */
        struct sca_interval before;  /* it: no call has come yet that it leads to */
        struct sca_frame_mark mpi;   /* the call's own frame */
        uint64_t called_ns, last_ns; /* the function, its last MPI call left */
    } waiting[SCA_CALLBACKS];
};
extern _Thread_local struct sca_calls sca_calls __attribute__((tls_model("initial-exec")));

#endif
