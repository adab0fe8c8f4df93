/*
 * The library's own messages: at MPI_Init so that ranks agree on where the run goes, at
 * MPI_Finalize to bring their images to rank 0. On a communicator of our own, never the
 * application's. The only file of the store that knows MPI.
 *
 * At Init every rank is there, if every rank has the library: who does not come within
 * SCA_TAKE_PART_SECONDS has none, and the program goes on without us (what we
 * began cannot be taken back: the program's own non-blocking collectives on the world may then be
 * out of step, which is why presence.h is asked first). At Finalize nothing waits
 * without a limit: for a rank of this host that is seen to have died, no longer than a look at it
 * takes; for one that does not come, SCA_ARRIVE_SECONDS; then everyone gives up.
 *
 * On the thread that calls Init or Finalize. Never allocates; buffers are the caller's.
 */
#ifndef SCA_PROF_GATHER_H
#define SCA_PROF_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCA_TAKE_PART_SECONDS = 10, SCA_ARRIVE_SECONDS = 60, SCA_SILENCE_SECONDS = 20 };

/* Not all: some rank takes no part. The other functions may be used after SCA_ALL only. */
enum sca_gather_begun { SCA_ALL, SCA_NOT_ALL, SCA_NO_MPI };
/* Every rank's `mine` in `all`, in order of ranks. Both must stay in place unless SCA_ALL. */
enum sca_gather_begun sca_gather_begin(uint32_t rank, uint32_t size, const void *mine,
                                       unsigned length, void *all);
/* From rank 0 to all. */
int sca_gather_broadcast(void *bytes, unsigned length);

struct sca_gathered {
    const uint8_t *bytes;
    uint64_t length;
};
/* SCA_REFUSED: rank 0 does not want this image, and says why itself. */
enum sca_gather_result { SCA_GATHERED, SCA_NOT_ARRIVED, SCA_NO_ANSWER, SCA_NO_MEMORY, SCA_REFUSED };
/* Brings the images to rank 0: there, images[size] is filled, in memory that stays mapped, and
 * *missing names a rank that did not come. Elsewhere it returns when the image is delivered. */
enum sca_gather_result sca_gather_images(const void *image, uint64_t length,
                                         struct sca_gathered *images, uint32_t *missing);
/* Rank 0 tells what became of the profile; others learn it: true when it is on disk. */
bool sca_gather_verdict(bool written);
void sca_gather_end(void);

/* Address space that is used page by page and stays; NULL without any. */
void *sca_scratch(size_t bytes);

#endif
