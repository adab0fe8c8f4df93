/*
 * Calls outside MPI in which a thread of the program's was blocked: it slept, or waited for another
 * process or a device. The functions are interposed (sleeps.c, streams.c, locks.c). A call that
 * took long enough to have slept is booked with its call path, in the interval that it lies in
 * (SCA_SAMPLE_BLOCKED, sca_part.h). So the interval's blocked time (interval.h) has places.
 *
 * Only threads that call MPI are followed, outside MPI and outside this library. All others pass at
 * the cost of a look at their state. Nothing is held while a thread is blocked, so it may be
 * cancelled, interrupted, or jump away. errno is kept.
 */
#ifndef SCA_PROF_BLOCKED_CALL_H
#define SCA_PROF_BLOCKED_CALL_H

#include "base/guard.h"
#include "clock/clock.h"
#include "mpi_functions.h"
#include "sampling/interval.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

/* A program's function of this name comes here; next_name() is the one behind it. It is looked up
 * as the library is loaded: later another thread may hold the loader's lock, which waits for this
 * one. Constructors of other libraries may come earlier still, and look it up themselves. */
#define SCA_NEXT(name) SCA_NEXT_BY(name, dlsym(RTLD_NEXT, #name))

/* The same of a function that the C library has several of. Before glibc 2.36 dlsym() finds the
 * oldest one behind a library (bug 14932), which takes other memory for its object. */
#define SCA_NEXT_OF(name, version) SCA_NEXT_BY(name, sca_blocked_call_next(#name, version))

#define SCA_NEXT_BY(name, look_up)                                                                 \
    static __typeof__(name) *next_##name(void)                                                     \
    {                                                                                              \
        static __typeof__(name) *found;                                                            \
        __typeof__(name) *next = __atomic_load_n(&found, __ATOMIC_RELAXED);                        \
        if (__builtin_expect(!next, 0)) {                                                          \
            *(void **)&next = look_up;                                                             \
            __atomic_store_n(&found, next, __ATOMIC_RELAXED);                                      \
        }                                                                                          \
        return next;                                                                               \
    }                                                                                              \
    __attribute__((constructor)) static void find_next_##name(void)                                \
    {                                                                                              \
        (void)next_##name();                                                                       \
    }

void *sca_blocked_call_next(const char *name, const char *version);

/* Naps between looks are part of the wait that the looks make (idle.h). */
static inline bool sca_blocked_call_follows(void)
{
    const struct sca_thread *t = &sca_thread;
    return sca_recording && !(t->in_mpi | t->in_tool | t->looks) && sca_interval_is_open();
}

/* When a call begins; 0: it is not followed. */
static inline uint64_t sca_blocked_call_begin(void)
{
    return __builtin_expect(sca_blocked_call_follows(), 0) ? sca_clock_now() : 0;
}

/* It has returned to `return_address` (SCA_CALLER). `function`: enum sca_outside_function;
 * `object`: what it may have waited for (objects.h), 0: nobody knows. */
void sca_blocked_call_end(unsigned function, uint64_t began_ns, uint64_t object,
                          const void *return_address, const void *cfa);
/* The same of a lock, which only counts if other processes may have it, too. */
void sca_blocked_call_end_lock(unsigned function, uint64_t began_ns, const void *lock,
                               const void *return_address, const void *cfa);
/* And of a descriptor: what a file system does is the program's own I/O. */
void sca_blocked_call_end_stream(unsigned function, uint64_t began_ns, int descriptor,
                                 const void *return_address, const void *cfa);
/* Whether a call that began then has taken long enough to have slept. */
bool sca_blocked_call_is_long(uint64_t began_ns);

#endif
