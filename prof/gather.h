/*
 * At MPI_Finalize: brings the ranks' images to rank 0, as messages (post.h), so that hosts need no
 * file system in common. Nothing waits without a limit: for a rank of this host that is seen to
 * have died, no longer than a look at it takes; for one that does not come, SCA_ARRIVE_SECONDS;
 * then everyone gives up.
 *
 * On the thread that calls Finalize. Never allocates; buffers are the caller's.
 */
#ifndef SCA_PROF_GATHER_H
#define SCA_PROF_GATHER_H

#include "post.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a rank that arrives says of itself. */
struct sca_arrival {
    uint64_t length;  /* of its image; 0: it had no memory for one */
    uint64_t cost_ns; /* cost.h, until now */
    uint64_t cpu_ns;  /* of its process, until now */
};

struct sca_gathered {
    const uint8_t *bytes;
    struct sca_arrival arrival;
};
/* SCA_REFUSED: rank 0 does not want this image, and says why itself. */
enum sca_gather_result { SCA_GATHERED, SCA_NOT_ARRIVED, SCA_NO_ANSWER, SCA_NO_MEMORY, SCA_REFUSED };
/* Brings the images to rank 0: there, images[size] is filled, in memory that stays mapped, and
 * *missing names a rank that did not come. Elsewhere it returns when the image is delivered. */
enum sca_gather_result sca_gather_images(uint32_t rank, uint32_t size,
                                         const struct sca_gathered *own,
                                         struct sca_gathered *images, uint32_t *missing);
/* Rank 0 tells what became of the profile; others learn it: true when it is on disk. */
bool sca_gather_verdict(bool written);

#endif
