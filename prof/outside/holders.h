/*
 * Locks within the process: who has one, from which line, and how long others wait for it. To take
 * one that is free costs a few stores (some 10 ns; 70 to 100 if more than SCA_HOLDERS are taken in
 * turn): from where, and which thread. Only who finds it taken reads clocks, and whoever then lets
 * it go.
 *
 * A wait counts as long as holders of the lock computed meanwhile, by their CPU clocks: so long it
 * would be if each thread had a core. It is booked with both sites (SCA_SAMPLE_LOCK and
 * SCA_SAMPLE_HOLDER, sca_part.h), and with the threads that handed the lock over
 * (SCA_SAMPLE_HANDED_OVER; SCA_MOST_HAND_OVERS of them). Samples of a thread that has a lock are
 * counted for it, too (SCA_SAMPLE_HELD, and by region SCA_SAMPLE_REGION_HELD): threads that share
 * cores seldom meet at a lock that they would wait for if each had its own. A wait is time of the
 * waiting thread (sca_thread.locked_ns). Of a lock that two are known by, the last is known. Any
 * thread, not in a handler; errno is kept.
 */
#ifndef SCA_PROF_HOLDERS_H
#define SCA_PROF_HOLDERS_H

#include "base/guard.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_holder {
    const void *lock, *return_address, *cfa; /* of the call that took it */
    uint64_t since;   /* whose, and what the holder's CPU clock said when somebody began to wait for
                         it, or it had done so (sca_holders_since()); 0: nobody has */
    uint64_t held_ns; /* what holders computed while others waited, */
    uint32_t held;    /* so many of them */
    uint32_t site;    /* of the last holder that others waited for; SCA_NONE: none yet */
    int tid;
    uint32_t waiting;  /* threads */
    uint16_t measured; /* of these, those whose wait is measured (drawn_waits.h) */
    uint16_t number;   /* from 1, on this rank; 0: nobody has waited yet */
    uint16_t thread;   /* that holder's (sca_threads_number()) */
    bool taken;        /* of locks that cannot be asked, and of semaphores */
    uint8_t semaphore; /* enum sca_semaphore_use (semaphores.c) */
} __attribute__((aligned(64)));
_Static_assert(sizeof(struct sca_holder) == 64, "a lock touches one line of the table");

enum { SCA_HOLDERS = 1024, SCA_MOST_HAND_OVERS = 512, SCA_MOST_NAMED = 1024 };
extern struct sca_holder sca_holders[SCA_HOLDERS];

static inline bool sca_holders_follow(void)
{
    return sca_recording && !(sca_thread.in_mpi | sca_thread.in_tool);
}

static inline struct sca_holder *sca_holder_of(const void *lock)
{
    return &sca_holders[((uintptr_t)lock * 0x9e3779b97f4a7c15u) >> 54];
}

/* Both in one word, for others may write it at the same time. */
static inline uint64_t sca_holders_since(int tid, uint64_t cpu_ns)
{
    return (uint64_t)(uint16_t)tid << 48 | (cpu_ns & 0xffffffffffff);
}

int sca_holders_tid(void);

/* False: threads wait for another lock that lies there. */
bool sca_holders_begin(struct sca_holder *holder, const void *lock);

/* The calling thread has it now. True: nothing was known of that lock. */
static inline bool sca_holders_taken(const void *lock, const void *return_address, const void *cfa)
{
    struct sca_holder *h = sca_holder_of(lock);
    bool fresh = __builtin_expect(h->lock != lock, 0);
    if (fresh && !sca_holders_begin(h, lock))
        return true;
    h->return_address = return_address;
    h->cfa = cfa;
    if (!sca_thread.holds) {
        sca_thread.holds = lock;
        sca_thread.held_periods = 0;
    }
    h->tid = __builtin_expect(sca_thread.tid != 0, 1) ? sca_thread.tid : sca_holders_tid();
    return fresh;
}

/* Whether the calling thread takes a lock that cannot be asked (`taken`). One that others wait for
 * may be theirs already: LLVM's critical sections are handed over in order of arrival. */
static inline bool sca_holders_try(struct sca_holder *h)
{
    return !__atomic_load_n(&h->waiting, __ATOMIC_RELAXED) &&
           !__atomic_exchange_n(&h->taken, true, __ATOMIC_ACQUIRE);
}

void sca_holders_tell(struct sca_holder *holder, unsigned function, const void *return_address,
                      const void *cfa);

/* The calling thread is about to let it go. */
static inline void sca_holders_leave(const void *lock, unsigned function,
                                     const void *return_address, const void *cfa)
{
    struct sca_holder *h = sca_holder_of(lock);
    bool sampled = false;
    if (sca_thread.holds == lock) {
        sca_thread.holds = NULL;
        sampled = sca_thread.held_periods != 0;
    }
    bool waits = h->lock == lock && __atomic_load_n(&h->measured, __ATOMIC_RELAXED);
    if (__builtin_expect(waits || (sampled && h->lock == lock), 0))
        sca_holders_tell(h, function, return_address, cfa);
}

/* Around a wait for it, at whose end the calling thread has it. */
struct sca_holders_wait {
    bool follows;
    uint32_t times;       /* waits that it stands for; 0: it is not measured */
    uint32_t ahead, held; /* who has it and who came before; the holder's as it began */
    uint64_t began_ns, began_cpu_ns, held_ns;
};
struct sca_holders_wait sca_holders_wait_begin(const void *lock);
void sca_holders_wait_end(const void *lock, const struct sca_holders_wait *wait, unsigned function,
                          const void *return_address, const void *cfa);
/* Or it shares it with others. */
void sca_holders_wait_end_shared(const void *lock, const struct sca_holders_wait *wait,
                                 unsigned function, const void *return_address, const void *cfa);
/* It has waited so long for those who had it, `thread` the last of them, and has it now: known
 * otherwise than by asking them. */
void sca_holders_waited(const void *lock, uint64_t ns, uint32_t thread, unsigned function,
                        const void *return_address, const void *cfa);
/* Or it has it not. */
void sca_holders_wait_give_up(const void *lock, const struct sca_holders_wait *wait);

#endif
