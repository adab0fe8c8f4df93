#include "outside/objects.h"
#include "arena/arena.h"
#include "base/guard.h"
#include "base/pool.h"
#include "mpi_functions.h"
#include "outside/shared_object.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    PAGES = 1024,
    STREAMS = 1024,
    PAGE_BITS = 12,
    MOST_OBJECTS = 256 /* MPI's communicators need room, too */
};
#define AGAIN_NS 1000000000u

struct object {
    struct sca_communicator comm;
    struct object *next;
};

static struct object *objects; /* never taken out */
static unsigned nobjects;

static struct object *find(uint64_t id)
{
    struct object *o = __atomic_load_n(&objects, __ATOMIC_ACQUIRE);
    while (o && o->comm.id != id)
        o = o->next;
    return o;
}

static struct object *make(uint64_t id, unsigned kind)
{
    bool full = __atomic_load_n(&nobjects, __ATOMIC_RELAXED) >= MOST_OBJECTS;
    struct object *fresh = full ? NULL : sca_pool_alloc(sizeof *fresh);
    if (!fresh)
        return NULL;
    *fresh = (struct object){.comm = {.id = id, .index = SCA_NONE, .maker = (uint16_t)kind}};
    sca_guard_lock();
    struct object *other = find(id);
    if (!other) {
        nobjects++;
        fresh->next = objects;
        __atomic_store_n(&objects, fresh, __ATOMIC_RELEASE);
    }
    sca_guard_unlock();
    if (other)
        sca_pool_free(fresh, sizeof *fresh);
    return other ? other : fresh;
}

struct sca_communicator *sca_objects_at(uint64_t id, unsigned kind)
{
    struct object *o = find(id);
    o = o ? o : make(id, kind);
    return o ? &o->comm : NULL;
}

void sca_objects_use(uint64_t id)
{
    struct sca_communicator *comm = id ? sca_objects_at(id, SCA_OUTSIDE_shared_object) : NULL;
    if (!comm || comm->index != SCA_NONE)
        return;
    sca_guard_lock();
    sca_comm_record_index(comm);
    sca_guard_unlock();
}

static void add(struct sca_communicator *comm, uint32_t site, uint64_t waits, uint64_t bytes)
{
    if (!comm || site == SCA_NONE)
        return;
    sca_guard_lock();
    const uint32_t key[] = {site, sca_comm_record_index(comm), (uint32_t)-1};
    uint32_t index =
        key[1] == SCA_NONE ? SCA_NONE : sca_arena_find_again(SCA_T_COLLECTIVES, key, 3);
    if (index != SCA_NONE) {
        struct sca_part_collective *all = sca_arena_table(SCA_T_COLLECTIVES);
        all[index].count += waits;
        all[index].bytes += bytes;
    }
    sca_guard_unlock();
}

void sca_objects_wait(uint64_t id, uint32_t site)
{
    add(id ? sca_objects_at(id, SCA_OUTSIDE_shared_object) : NULL, site, 1, 0);
}

void sca_objects_chosen(struct sca_communicator *barrier, uint32_t site)
{
    add(barrier, site, 0, 1);
}

uint64_t sca_objects_memory(const void *address)
{
    return sca_shared_object(address).memory;
}

void sca_objects_note_memory(const void *address)
{
    static uintptr_t noted[PAGES];
    uintptr_t page = (uintptr_t)address >> PAGE_BITS, *last = &noted[page % PAGES];
    if (__builtin_expect(__atomic_load_n(last, __ATOMIC_RELAXED) == page, 1))
        return;
    int kept = errno;
    struct sca_shared_object object;
    sca_thread.in_tool++;
    if (sca_shared_object_if_known(address, &object)) {
        sca_objects_use(object.memory);
        __atomic_store_n(last, page, __ATOMIC_RELAXED);
    }
    sca_thread.in_tool--;
    errno = kept;
}

void sca_objects_note_stream(int descriptor, uint64_t now_ns)
{
    static uint64_t noted_ns[STREAMS];
    if (descriptor < 0 || descriptor >= STREAMS || now_ns - noted_ns[descriptor] < AGAIN_NS)
        return;
    int kept = errno;
    sca_thread.in_tool++;
    sca_objects_use(sca_objects_stream(descriptor));
    noted_ns[descriptor] = now_ns;
    sca_thread.in_tool--;
    errno = kept;
}
