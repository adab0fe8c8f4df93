/*
 * What a rank wrote down of a communicator that joins its MPI_COMM_WORLD with another (prof's
 * calls/worlds.h): in the place of a topology, in words (doc/FORMATS.md).
 */
#ifndef SCA_PROFILE_WORLDS_H
#define SCA_PROFILE_WORLDS_H

#include <stdbool.h>
#include <stdint.h>

struct sca_worlds_words {
    bool inter;
    uint32_t remote; /* size of the other group; 0: an intra-communicator */
    uint64_t parent; /* it was made of this one; 0: it was not */
    uint32_t order;  /* as the manieth */
    uint64_t key;    /* that both worlds know; 0: none, or another rank tells */
    bool met;        /* this rank says when: */
    double at;       /* seconds since 1970, after */
    double took;     /* so many */
};

/* Whether the words are of such a communicator. */
bool sca_worlds_is_told(const char *words);
/* False: they are not. What is missing is 0. */
bool sca_worlds_read(const char *words, struct sca_worlds_words *out);

#endif
