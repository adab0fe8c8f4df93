/*
 * The library's own mail between ranks, on a communicator that is not the application's. The
 * only file that sends or receives for ourselves.
 *
 * At Init every rank is there, if every rank has the library: who does not come within
 * SCA_TAKE_PART_SECONDS has none, and the program goes on without us (what we began cannot be taken
 * back: the program's own non-blocking collectives on the world may then be out of step, which is
 * why presence.h is asked first). Afterwards nothing waits without a limit, nor for a rank of this
 * host that is seen to have died.
 *
 * On the thread that calls Init or Finalize. Never allocates; buffers are the caller's and must
 * stay in place until their request is done.
 */
#ifndef SCA_PROF_POST_H
#define SCA_PROF_POST_H

#include "mpi/symbols.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sca_post_tag {
    SCA_TAG_HERE = 1,
    SCA_TAG_READY,
    SCA_TAG_GO,
    SCA_TAG_DATA,
    SCA_TAG_VERDICT,
    SCA_TAG_WITHDRAW,
    SCA_TAG_PING,
    SCA_TAG_PONG
};

enum {
    SCA_TAKE_PART_SECONDS = 10,
    SCA_ARRIVE_SECONDS = 60,
    SCA_SILENCE_SECONDS = 20,
    SCA_DECIDE_SECONDS = 600 /* for a rank that is there, but busy with others */
};

/* Not all: some rank takes no part. The other functions may be used after SCA_ALL only. */
enum sca_post_begun { SCA_ALL, SCA_NOT_ALL, SCA_NO_MPI };
/* `all`, with `length` bytes for each rank in order of ranks, holds this rank's and zeros else;
 * then every rank's. It must stay in place unless SCA_ALL. */
enum sca_post_begun sca_post_begin(uint32_t rank, uint32_t size, unsigned length, void *all);
/* From rank 0 to all. */
int sca_post_broadcast(void *bytes, unsigned length);
/* The communicator it goes over; 0 when there is none. */
sca_word sca_post_comm(void);
void sca_post_end(void);

bool sca_post_send(const void *bytes, uint64_t n, uint32_t to, enum sca_post_tag tag,
                   sca_word *request);
/* Done only when it is received: however many are sent, the receiver keeps one. */
bool sca_post_send_matched(const void *bytes, uint64_t n, uint32_t to, enum sca_post_tag tag,
                           sca_word *request);
bool sca_post_receive(void *bytes, uint64_t n, uint32_t from, enum sca_post_tag tag,
                      sca_word *request);
/* 1 done, 0 not yet, -1 it failed. */
int sca_post_done(sca_word *request);
/* A message has come that nobody has received. */
bool sca_post_is_there(uint32_t from, enum sca_post_tag tag);
/* False when it is not done within the limit, in seconds, or never will be: `rank` is dead. */
bool sca_post_wait(sca_word *request, uint32_t rank, double limit);
void sca_post_give_up(sca_word *request);

/* Address space that is used page by page and stays; NULL without any. */
void *sca_scratch(size_t bytes);

#endif
