/*
 * Recipes by code address: each address is parsed once (cfi.h) and kept for every call path that
 * runs through it. Each entry remembers the caller it was last seen under, so that walking a path
 * taken before is a chain of predicted comparisons.
 *
 * Lock-free: any thread, handler too. Memory is reserved once and touched as addresses come;
 * when it is full, addresses are parsed each time.
 */
#ifndef SCA_PROF_FRAMES_H
#define SCA_PROF_FRAMES_H

#include "unwind/cfi.h"
#include <stdbool.h>
#include <stdint.h>

/* A key is the code address; exact ones (not return addresses) carry the top bit. */
#define SCA_FRAME_EXACT ((uint64_t)1 << 63)

struct sca_frame {
    uint64_t key;
    uint64_t mark; /* random-looking, of address and module: what path hashes are made of */
    struct sca_recipe recipe;
    uint32_t slot;   /* of its module, SCA_NONE if there is none */
    uint32_t caller; /* entry last seen above this one */
};

enum { SCA_FRAMES_BITS = 16, SCA_FRAMES = 1 << SCA_FRAMES_BITS };

extern struct sca_frame *sca_frames;

int sca_frames_init(void);
/* Gives the memory back. A walk that is under way finds addresses it does not know. */
void sca_frames_release(void);
/* What is not at its own place: found elsewhere, or added, or put into *spare for want of room. */
struct sca_frame *sca_frames_search(uint64_t key, bool in_handler, struct sca_frame *spare);
void sca_frames_forget(uint64_t first, uint64_t last);

static inline uint64_t sca_frames_mix(uint64_t key)
{
    return key * 0x9e3779b97f4a7c15u;
}

/* The entry of a key. */
static inline struct sca_frame *sca_frames_find(uint64_t key, bool in_handler,
                                                struct sca_frame *spare)
{
    struct sca_frame *home = &sca_frames[sca_frames_mix(key) >> (64 - SCA_FRAMES_BITS)];
    if (__builtin_expect(__atomic_load_n(&home->key, __ATOMIC_ACQUIRE) == key, 1))
        return home;
    return sca_frames_search(key, in_handler, spare);
}

static inline uint64_t sca_frames_address(uint64_t key)
{
    return key & ~SCA_FRAME_EXACT;
}

/* The entry of the caller, found by way of the callee's. */
static inline struct sca_frame *sca_frames_caller(struct sca_frame *callee, uint64_t key,
                                                  bool in_handler, struct sca_frame *spare)
{
    struct sca_frame *guess = &sca_frames[callee->caller];
    if (__builtin_expect(__atomic_load_n(&guess->key, __ATOMIC_ACQUIRE) == key, 1))
        return guess;
    struct sca_frame *frame = sca_frames_find(key, in_handler, spare);
    if (frame != spare)
        callee->caller = (uint32_t)(frame - sca_frames);
    return frame;
}

#endif
