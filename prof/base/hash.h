/*
 * Mixing of words, for identities that ranks must agree on without a word between them.
 */
#ifndef SCA_PROF_HASH_H
#define SCA_PROF_HASH_H

#include <stdint.h>

/* Folds value into hash; every bit of both reaches every bit of the result. */
static inline uint64_t sca_hash_mix(uint64_t hash, uint64_t value)
{
    uint64_t x = (hash ^ value) + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) + hash * 0x9fb21c651e98df25u;
}

#endif
