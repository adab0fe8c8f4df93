/*
 * Call paths seen before, written out frame after frame, so that seeing one again is a straight
 * run of comparisons: nothing is looked up, no step waits for the entry of the one before.
 *
 * A record is looked for among those of its return address and stack address, the one that came
 * after the last call's first: programs repeat themselves. It proves itself: each frame's slot is
 * found by its recipe, and must hold the return address of the record, up to the C library's
 * function that called main or a thread's (it is entered once). Records are written once and never
 * changed, but for what came after them and for the caller's note; when the room for them is used
 * up, no more are made. Lock-free: any thread, handler too.
 */
#ifndef SCA_PROF_RECALL_H
#define SCA_PROF_RECALL_H

#include "sca_part.h"
#include "unwind/walk.h"
#include <stddef.h>

struct sca_step {
    uint64_t key;
    struct sca_recipe recipe;
};

/* steps[0] is of the innermost frame, steps[depth - 1] of the outermost. */
struct sca_record {
    uint32_t node, depth;
    uint32_t modules;              /* sca_recall_modules when it was written */
    uint32_t below;                /* records behind `next` */
    struct sca_record *next;       /* of the same place */
    struct sca_record *came_after; /* a guess: any thread's latest */
    uint64_t note;                 /* the caller's (callpath.h) */
    struct sca_step steps[];
};

enum { SCA_RECORDS_BITS = 11, SCA_RECORDS = 1 << SCA_RECORDS_BITS };

/* A function called from several lines has as many records in one place. */
extern struct sca_record *sca_records[SCA_RECORDS];
/* Goes up when code was unloaded: what was written before is not true any more. Never 0. */
extern uint32_t sca_recall_modules;

int sca_recall_init(void);
/* Gives the memory back; nothing is known any more. */
void sca_recall_release(void);
/* Writes the path down. False if it is of no kind that can be, or there is no room. */
bool sca_recall_keep(struct sca_cursor c, struct sca_ground *g, uint32_t depth, uint32_t node);
void sca_recall_forget(void);

static inline unsigned sca_recall_place(uint64_t key, uint64_t sp)
{
    return (unsigned)(sca_frames_mix(key ^ sp << 20) >> (64 - SCA_RECORDS_BITS));
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
    return record->steps[0].key == key &&
           record->modules == __atomic_load_n(&sca_recall_modules, __ATOMIC_RELAXED) &&
           sca_recall_matches(record, c, stack);
}

/* The record of the path that starts at the return address `key`; NULL: not written down. */
static inline struct sca_record *sca_recall(uint64_t key, struct sca_cursor c,
                                            const struct sca_stack *stack)
{
    struct sca_record **place = &sca_records[sca_recall_place(key, c.sp)];
    struct sca_record *record = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    while (record && !sca_recall_is(record, key, c, stack))
        record = record->next;
    return record;
}

/* The same where the thread's last call was recalled as `*last`, NULL if it was not; sets it. */
static inline struct sca_record *sca_recall_next(struct sca_record **last, uint64_t key,
                                                 struct sca_cursor c, const struct sca_stack *stack)
{
    struct sca_record *before = *last, *record = NULL;
    if (before)
        record = __atomic_load_n(&before->came_after, __ATOMIC_ACQUIRE);
    if (record && __builtin_expect(sca_recall_is(record, key, c, stack), 1))
        return *last = record;
    *last = record = sca_recall(key, c, stack);
    if (before && record)
        __atomic_store_n(&before->came_after, record, __ATOMIC_RELEASE);
    return record;
}

#endif
