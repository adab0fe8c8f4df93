#include "outside/lock_places.h"
#include "arena/arena.h"
#include "base/guard.h"
#include "outside/blocked_call.h"
#include "sampling/sample_next.h"
#include "unwind/modules.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>

enum { PLACES_BITS = 12, NODE_WORDS = 5 };

/* Each half of a note is read and written as one word; a reader looks at the lock again. */
static struct made {
    const void *lock, *return_address;
} notes[1 << PLACES_BITS];

static struct made *note_of(const void *lock)
{
    return &notes[((uintptr_t)lock * 0x9e3779b97f4a7c15u) >> (64 - PLACES_BITS)];
}

void sca_lock_places_made(const void *lock, const void *return_address)
{
    struct made *m = note_of(lock);
    if (!return_address && __atomic_load_n(&m->lock, __ATOMIC_RELAXED) != lock)
        return;
    __atomic_store_n(&m->lock, NULL, __ATOMIC_RELEASE);
    __atomic_store_n(&m->return_address, return_address, __ATOMIC_RELEASE);
    if (return_address)
        __atomic_store_n(&m->lock, lock, __ATOMIC_RELEASE);
}

static const void *maker_of(const void *lock)
{
    struct made *m = note_of(lock);
    if (__atomic_load_n(&m->lock, __ATOMIC_ACQUIRE) != lock)
        return NULL;
    const void *maker = __atomic_load_n(&m->return_address, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&m->lock, __ATOMIC_ACQUIRE) == lock ? maker : NULL;
}

/* False: it is no place in a file, or in this library's own. */
static bool find_file(const void *address, struct sca_loaded *file)
{
    return address && sca_modules_find((uintptr_t)address, false, file) && file->slot != SCA_NONE &&
           file->slot != sca_modules_own();
}

/* State lock held. */
static uint32_t add_node(const struct sca_loaded *file, const void *address,
                         enum sca_node_kind kind)
{
    uint32_t module = sca_modules_record(file->slot);
    uint64_t offset = (uintptr_t)address - file->bias;
    const uint32_t key[NODE_WORDS] = {0, module, (uint32_t)offset, (uint32_t)(offset >> 32),
                                      (uint32_t)kind + SCA_NODE_OBJECT};
    return module == SCA_NONE ? SCA_NONE : sca_arena_find(SCA_T_NODES, key, NODE_WORDS);
}

static void add_record(uint32_t node, uint16_t number)
{
    const uint32_t key[SCA_SAMPLE_KEY] = {node, 0, sca_sample_next_of(SCA_SAMPLE_LOCK_AT, number),
                                          0};
    uint32_t record = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (record != SCA_NONE)
        ((struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES))[record].count = 1;
}

void sca_lock_places_book(const void *lock, uint16_t number)
{
    struct sca_loaded file;
    const void *maker = maker_of(lock);
    int kept = errno;
    sca_thread.in_tool++;
    bool lies = find_file(lock, &file);
    if (lies || find_file(maker, &file)) {
        sca_guard_lock();
        uint32_t node = add_node(&file, lies ? lock : maker, lies ? SCA_NODE_PC : SCA_NODE_RETURN);
        if (node != SCA_NONE)
            add_record(node, number);
        sca_guard_unlock();
    }
    sca_thread.in_tool--;
    errno = kept;
}

/* ---- the calls that make locks ---- */

#define INTERPOSED __attribute__((visibility("default")))

#define MAKES(name, parameters, arguments, lock)                                                   \
    SCA_NEXT(name)                                                                                 \
    INTERPOSED int name parameters                                                                 \
    {                                                                                              \
        int result = next_##name() arguments;                                                      \
        if (!result)                                                                               \
            sca_lock_places_made((const void *)lock, __builtin_return_address(0));                 \
        return result;                                                                             \
    }

MAKES(pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *how), (mutex, how),
      mutex)
MAKES(pthread_rwlock_init, (pthread_rwlock_t * lock, const pthread_rwlockattr_t *how), (lock, how),
      lock)
MAKES(pthread_spin_init, (pthread_spinlock_t * lock, int shared), (lock, shared), lock)
MAKES(mtx_init, (mtx_t * mutex, int type), (mutex, type), mutex)
MAKES(sem_init, (sem_t * semaphore, int shared, unsigned value), (semaphore, shared, value),
      semaphore)

/* Other locks, which no call makes, may come to lie there. */
#define ENDS(name, type)                                                                           \
    SCA_NEXT(name)                                                                                 \
    INTERPOSED int name(type *lock)                                                                \
    {                                                                                              \
        int result = next_##name()(lock);                                                          \
        if (!result)                                                                               \
            sca_lock_places_made((const void *)lock, NULL);                                        \
        return result;                                                                             \
    }

ENDS(pthread_mutex_destroy, pthread_mutex_t)
ENDS(pthread_rwlock_destroy, pthread_rwlock_t)
ENDS(pthread_spin_destroy, pthread_spinlock_t)
ENDS(sem_destroy, sem_t)

SCA_NEXT(mtx_destroy)
INTERPOSED void mtx_destroy(mtx_t *mutex)
{
    next_mtx_destroy()(mutex);
    sca_lock_places_made(mutex, NULL);
}
