/*
 * Call paths seen before, written out frame after frame, so that seeing one again is a straight
 * run of comparisons: nothing is looked up, no step waits for the entry of the one before.
 *
 * A record is found by return address and stack address, and it proves itself: each frame's slot
 * is found by its recipe, and must hold the return address of the record, up to the C library's
 * function that called main or a thread's (it is entered once). Records are written once
 * and never changed; when the room for them is used up, no more are made. Lock-free: any thread,
 * handler too.
 */
#ifndef SCA_PROF_RECALL_H
#define SCA_PROF_RECALL_H

#include "sca_part.h"
#include "walk.h"
#include <stddef.h>

struct sca_step {
    uint64_t key;
    struct sca_recipe recipe;
};

/* steps[0] is of the innermost frame, steps[depth - 1] of the outermost. */
struct sca_record {
    uint32_t node, depth;
    struct sca_step steps[];
};

enum {
    SCA_RECORDS_BITS = 11,
    SCA_RECORDS = 1 << SCA_RECORDS_BITS,
    SCA_RECENT_BITS = 6,
    SCA_RECENT = 1 << SCA_RECENT_BITS
};

/* Each path has two places, its own and that one's neighbour; and one among those seen lately. */
extern const struct sca_record *sca_records[SCA_RECORDS], *sca_recent[SCA_RECENT];

int sca_recall_init(void);
/* Gives the memory back; nothing is known any more. */
void sca_recall_release(void);
/* Writes the path down. False if it is of no kind that can be, or there is no room. */
bool sca_recall_keep(struct sca_cursor c, struct sca_ground *g, uint32_t depth, uint32_t node);
void sca_recall_forget(void);

static inline unsigned sca_recall_place(uint64_t key, uint64_t sp)
{
    return (unsigned)(sca_frame_mix(key ^ sp << 20) >> (64 - SCA_RECORDS_BITS));
}

/* A branch, and no conditional move: a predicted frame need not wait for the saved rbp. */
static inline uint64_t sca_recall_cfa(const struct sca_recipe *r, struct sca_cursor c)
{
    if (__builtin_expect(r->cfa == SCA_CFA_SP, 1))
        return sca_walk_add(c.sp, r->cfa_offset);
    __asm__ volatile("");
    return sca_walk_add(c.bp, r->cfa_offset);
}

static inline bool sca_recall_matches(const struct sca_record *record, struct sca_cursor c,
                                      const struct sca_stack *stack)
{
    uint64_t low = stack->low, size = stack->high - low;
    const struct sca_step *step = record->steps, *last = step + record->depth - 1;
    for (; step < last; step++) {
        uint64_t cfa = sca_recall_cfa(&step->recipe, c);
        if (cfa <= c.sp || cfa - 8 - low >= size || *(const uint64_t *)(cfa - 8) != step[1].key)
            return false;
        if (step->recipe.saved == SCA_BP_AT_CFA) {
            uint64_t slot = sca_walk_add(cfa, step->recipe.bp_offset);
            if (slot - low >= size)
                return false;
            c.bp = *(const uint64_t *)slot;
        }
        c.sp = cfa;
    }
    return true;
}

static inline bool sca_recall_is(const struct sca_record *record, uint64_t key, struct sca_cursor c,
                                 const struct sca_stack *stack)
{
    return record && record->steps[0].key == key && sca_recall_matches(record, c, stack);
}

/* Not among those seen lately. Of its two places what was seen last is looked at first: functions
 * called from two places differ far up only. */
static inline const struct sca_record *
sca_recall_find(unsigned place, uint64_t key, struct sca_cursor c, const struct sca_stack *stack)
{
    const struct sca_record *first = __atomic_load_n(&sca_records[place], __ATOMIC_ACQUIRE);
    if (sca_recall_is(first, key, c, stack))
        return first;
    const struct sca_record *second = __atomic_load_n(&sca_records[place ^ 1], __ATOMIC_ACQUIRE);
    if (!sca_recall_is(second, key, c, stack))
        return NULL;
    __atomic_store_n(&sca_records[place], second, __ATOMIC_RELEASE);
    __atomic_store_n(&sca_records[place ^ 1], first, __ATOMIC_RELEASE);
    return second;
}

/* The node of the path that starts at the return address `key`; SCA_NONE: not written down. */
static inline uint32_t sca_recall(uint64_t key, struct sca_cursor c, const struct sca_stack *stack)
{
    unsigned place = sca_recall_place(key, c.sp);
    const struct sca_record **lately = &sca_recent[place >> (SCA_RECORDS_BITS - SCA_RECENT_BITS)];
    const struct sca_record *record = __atomic_load_n(lately, __ATOMIC_ACQUIRE);
    if (__builtin_expect(sca_recall_is(record, key, c, stack), 1))
        return record->node;
    record = sca_recall_find(place, key, c, stack);
    if (!record)
        return SCA_NONE;
    __atomic_store_n(lately, record, __ATOMIC_RELEASE);
    return record->node;
}

#endif
