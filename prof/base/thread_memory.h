/*
 * What a thread needs beyond a few words: a block of memory of its own, apart from the program's
 * stacks and not among thread-local data, which are cut from them. It holds the stack on which
 * samples are handled (signals/own_stack.h), a page below it that nothing may touch, and tables of
 * other rooms. Taken when the thread is first sampled or first calls MPI, given back when it ends.
 */
#ifndef SCA_PROF_THREAD_MEMORY_H
#define SCA_PROF_THREAD_MEMORY_H

#include "base/guard.h"

#include <stdbool.h>
#include <stddef.h>

enum sca_thread_table { SCA_TABLE_SEGMENTES, SCA_TABLE_WATCH, SCA_TABLE_INTERVALS, SCA_TABLES };

enum {
    SCA_OWN_STACK = 64 << 10,
    SCA_SEGMENTES_BYTES = 4096 + 1344, /* others' tables begin at pages: not at one place in them */
    SCA_WATCH_BYTES = 2048,
    SCA_INTERVALS_BYTES = 2048,
    SCA_TABLES_BYTES = SCA_SEGMENTES_BYTES + SCA_WATCH_BYTES + SCA_INTERVALS_BYTES
};

/* For the calling thread: sca_thread.memory is the end of the stack and the beginning of the
 * tables, which are zeros. In a handler too; errno is kept. False: there is none, or the thread has
 * given its own back. */
bool sca_thread_memory_take(void);
/* The thread ends and gets no other. Not in a handler. */
void sca_thread_memory_give_back(void);

/* NULL where the thread has no memory. */
static inline void *sca_thread_table(enum sca_thread_table table)
{
    static const size_t offset[SCA_TABLES] = {0, SCA_SEGMENTES_BYTES,
                                              SCA_SEGMENTES_BYTES + SCA_WATCH_BYTES};
    char *memory = sca_thread.memory;
    return __builtin_expect(memory != NULL, 1) ? memory + offset[table] : NULL;
}

#endif
