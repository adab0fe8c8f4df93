/*
 * Requests that are under way, by handle: what completes when a Wait or Test says so.
 *
 * Entries live from the call that made the request to the one that completed or freed it.
 * Some MPI libraries hand out one common handle for every send that is complete at once; such a
 * handle is recognised when it comes a second time and is not followed.
 * Any thread; takes the state lock itself.
 */
#ifndef SCA_PROF_REQUESTS_H
#define SCA_PROF_REQUESTS_H

#include "windows/call.h"
#include "mpi/symbols.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_channel;
struct sca_communicator;
struct sca_receive;

enum sca_request_kind {
    SCA_REQUEST_SEND,
    SCA_REQUEST_RECV,
    SCA_REQUEST_COLLECTIVE,
    SCA_REQUEST_IDUP
};

struct sca_request {
    uint64_t handle; /* the key in the table */
    uint8_t kind;
    bool persistent, active, cancelled;
    bool untold; /* a receive whose status will say nothing */
    bool waits;  /* a send that is done only when its receive is posted */
    bool linked; /* in the table; not, if its handle came back in use before it was done with */
    bool held;   /* a Wait or Test is looking at it */
    bool common; /* a handle that stands for many sends: never completes anything */
    uint8_t shape, per;
    uint16_t function;
    int fortran;       /* idup */
    int32_t peer, tag; /* persistent: of each start. Collectives: peer is the root's world rank */
    struct sca_communicator *comm;
    struct sca_receive *receive; /* receives under way */
    struct sca_channel *channel; /* sends under way that have a number */
    uint64_t number, bytes;
    union {
        struct {
            int64_t partitions, ready; /* partitioned.h; 0: an ordinary message */
        };
        struct {              /* idup: */
            uint64_t name;    /* of the new communicator */
            sca_word address; /* where its handle appears */
        };
    };
};

/* State lock held. Entered under its handle; NULL: not followed. */
struct sca_request *sca_requests_add(sca_word handle, enum sca_request_kind kind,
                                     struct sca_communicator *comm);
struct sca_request *sca_requests_find(sca_word handle); /* state lock held */
/* There are more than caches keep: it pays to say what will be asked for soon, and, once that is
 * known for a while, that its request is wanted then. Without the lock, too, but for the last. */
bool sca_requests_far(void);
void sca_requests_expect(sca_word handle);
void sca_requests_fetch(sca_word handle);
void sca_requests_unlink(struct sca_request *request); /* out of the table; state lock held */
void sca_requests_forget(struct sca_request *request); /* state lock held */
/* State lock held. A send goes on by itself. Of a receive nobody will hear any more: whatever it
 * may match has no name, and if it was a wildcard, nothing on the communicator has. */
void sca_requests_give_up(struct sca_request *request);
bool sca_requests_any(void); /* some are followed */

void sca_requests_cancel(sca_word handle);
void sca_requests_free(sca_word handle);

/* One call of the Wait and Test families. What the handles stand for is looked up before the call:
 * it overwrites them, and as soon as it has freed one, another thread may be given it. */
struct sca_wait {
    int64_t count;
    sca_word array;
    struct sca_request **requests; /* NULL: none of them is followed; so may each be */
    char *statuses;                /* our own, where the application wants none */
    int fortran;
    bool nothing; /* to look for: all are null, or have not been started */
    struct sca_request *few[16];
    uint64_t few_statuses[16 * 3];
};

void sca_wait_begin(struct sca_wait *wait, int64_t count, sca_word array, int fortran);
sca_word sca_wait_status(struct sca_wait *wait, sca_word status);
sca_word sca_wait_statuses(struct sca_wait *wait, sca_word statuses);
void sca_wait_one(struct sca_call *call, struct sca_wait *wait, int64_t i, sca_word status);
void sca_wait_all(struct sca_call *call, struct sca_wait *wait, sca_word statuses);
void sca_wait_any(struct sca_call *call, struct sca_wait *wait, sca_word index, sca_word status);
void sca_wait_some(struct sca_call *call, struct sca_wait *wait, sca_word outcount,
                   sca_word indices, sca_word statuses);
/* In any case; after a failure, what has become null is forgotten. */
void sca_wait_end(struct sca_wait *wait, bool ok);

static inline bool sca_requests_flag(sca_word address)
{
    return *(const int32_t *)address != 0;
}

#endif
