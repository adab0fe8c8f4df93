/*
 * The ranks' data on their way to rank 0: each rank sends its own bytes and then passes on those of
 * the ranks below it in the tree (tree.h), in order of ranks, in packets of bounded size. So rank 0
 * sees one stream with the bytes of ranks 1, 2, 3 ..., and nobody holds more than a packet for each
 * rank it talks to. Who sends waits until the receiver has taken the packet. No waiting without a
 * limit; none for a rank of this host that is seen to have died.
 *
 * On the thread that calls Finalize. Never allocates.
 */
#ifndef SCA_PROF_STREAM_H
#define SCA_PROF_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Once, on every rank, before the others; nothing is sent yet. False without memory for packets. */
bool sca_stream_begin(uint32_t rank, uint32_t size);
/* Ranks other than 0: the length, which the receiver wants to know first, and as many bytes.
 * Returns when they are delivered, SCA_NONE, or the rank that did not answer. */
uint32_t sca_stream_send(const uint64_t *length, const void *bytes);
/* Rank 0: the next bytes; SCA_NONE, or the rank that did not answer. */
uint32_t sca_stream_read(void *to, size_t length);
/* Rank 0, in the end: takes what nobody wants any more, so that no rank waits with it. */
void sca_stream_drain(void);

#endif
