#include "sampling/hand_over.h"
#include "clock/clock.h"
#include "sampling/thread_moment.h"
#include "sampling/virtual_time.h"

#include <pthread.h>
#include <stddef.h>

enum { OBJECTS = 256, TRIES = 10000 };

struct sca_hand_over_object {
    const void *at;
    uint32_t waiting; /* threads */
    uint32_t number;  /* of moments told */
    struct sca_thread_moment last,
        first;                        /* told, and the first behind the latest wait's beginning */
    bool begun;                       /* a wait, and nothing was told since then */
    uint32_t members, arrived;        /* of a barrier */
    struct sca_thread_moment late[2]; /* of its turns */
    bool busy;                        /* somebody reads or writes moments */
} __attribute__((aligned(64)));

static struct sca_hand_over_object objects[OBJECTS];

static _Thread_local struct sca_hand_over_object *awaited
    __attribute__((tls_model("initial-exec")));

static struct sca_hand_over_object *place_of(const void *at)
{
    return &objects[((uintptr_t)at * 0x9e3779b97f4a7c15u) >> 56];
}

/* False, rather than wait for a thread that has lost its core: then the moment is not known. */
static bool take(struct sca_hand_over_object *o)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (!__atomic_exchange_n(&o->busy, true, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

static void give_back(struct sca_hand_over_object *o)
{
    __atomic_store_n(&o->busy, false, __ATOMIC_RELEASE);
}

static bool is_at(const struct sca_hand_over_object *o, const void *at)
{
    return __atomic_load_n(&o->at, __ATOMIC_RELAXED) == at;
}

static bool is_awaited(const struct sca_hand_over_object *o)
{
    return __atomic_load_n(&o->waiting, __ATOMIC_RELAXED) != 0;
}

bool sca_hand_over_is_awaited(const void *at)
{
    const struct sca_hand_over_object *o = place_of(at);
    return is_at(o, at) && is_awaited(o);
}

/* Taken; NULL: not to be had. */
static struct sca_hand_over_object *open_at(const void *at)
{
    struct sca_hand_over_object *o = place_of(at);
    if (!take(o))
        return NULL;
    if (is_at(o, at))
        return o;
    if (!is_awaited(o)) {
        o->members = o->arrived = 0;
        o->number = 0;
        o->last = o->first = o->late[0] = o->late[1] = (struct sca_thread_moment){0};
        __atomic_store_n(&o->at, at, __ATOMIC_RELAXED);
        return o;
    }
    give_back(o);
    return NULL;
}

/* Taken; NULL: nothing is known of it. */
static struct sca_hand_over_object *find_at(const void *at)
{
    struct sca_hand_over_object *o = place_of(at);
    if (!is_at(o, at) || !take(o))
        return NULL;
    if (is_at(o, at))
        return o;
    give_back(o);
    return NULL;
}

void sca_hand_over_tell(const void *at, bool keep)
{
    if (!keep && !sca_hand_over_is_awaited(at))
        return;
    sca_thread.in_tool++;
    const struct sca_thread_moment now = sca_virtual_time_now();
    struct sca_hand_over_object *o = now.mark ? open_at(at) : NULL;
    if (o) {
        o->last = now;
        o->first = o->begun ? now : o->first;
        o->begun = false;
        o->number++;
        give_back(o);
    }
    sca_thread.in_tool--;
}

struct sca_hand_over_wait sca_hand_over_wait_begin(const void *at)
{
    struct sca_hand_over_wait wait = {0};
    sca_thread.in_tool++;
    struct sca_hand_over_object *o = open_at(at);
    if (o) {
        wait = (struct sca_hand_over_wait){o, o->number, sca_clock_now()};
        o->begun = true;
        __atomic_fetch_add(&o->waiting, 1, __ATOMIC_RELAXED);
        awaited = o;
        give_back(o);
    }
    sca_thread.in_tool--;
    return wait;
}

static void end_waiting(struct sca_hand_over_object *at)
{
    if (at)
        __atomic_fetch_sub(&at->waiting, 1, __ATOMIC_RELAXED);
    awaited = NULL;
}

static uint64_t pass(const struct sca_thread_moment *moment, uint32_t *thread)
{
    return moment->mark ? sca_virtual_time_pass(moment, thread) : 0;
}

uint64_t sca_hand_over_wait_end(const struct sca_hand_over_wait *wait, uint32_t *thread)
{
    struct sca_thread_moment moment = {0};
    if (!wait->at)
        return 0;
    sca_thread.in_tool++;
    sca_thread.stood_ns += sca_clock_now() - wait->began_ns;
    if (take(wait->at)) {
        moment = wait->at->number != wait->number ? wait->at->first : moment;
        give_back(wait->at);
    }
    end_waiting(wait->at);
    uint64_t ns = pass(&moment, thread);
    sca_thread.in_tool--;
    return ns;
}

uint64_t sca_hand_over_take(const void *at, uint32_t *thread)
{
    struct sca_thread_moment moment = {0};
    sca_thread.in_tool++;
    struct sca_hand_over_object *o = find_at(at);
    if (o) {
        moment = o->last;
        give_back(o);
    }
    uint64_t ns = pass(&moment, thread);
    sca_thread.in_tool--;
    return ns;
}

void sca_hand_over_thread_stop(void)
{
    end_waiting(awaited);
    if (sca_recording)
        sca_hand_over_tell((const void *)pthread_self(), true);
}

/* ---- barriers ---- */

void sca_hand_over_barrier(const void *at, unsigned members)
{
    sca_thread.in_tool++;
    struct sca_hand_over_object *o = open_at(at);
    if (o) {
        o->members = members;
        o->arrived = 0;
        give_back(o);
    }
    sca_thread.in_tool--;
}

int sca_hand_over_arrive(const void *at)
{
    int turn = -1;
    sca_thread.in_tool++;
    const struct sca_thread_moment now = sca_virtual_time_now();
    struct sca_hand_over_object *o = find_at(at);
    if (o && o->members) {
        bool first = o->arrived % o->members == 0;
        turn = (int)(o->arrived++ / o->members % 2);
        struct sca_thread_moment *late = &o->late[turn];
        if (first || late->mark != now.mark || now.ns > late->ns)
            *late = now;
    }
    if (o)
        give_back(o);
    sca_thread.in_tool--;
    return turn;
}

uint64_t sca_hand_over_depart(const void *at, int turn, uint32_t *thread)
{
    struct sca_thread_moment moment = {0};
    sca_thread.in_tool++;
    struct sca_hand_over_object *o = turn >= 0 ? find_at(at) : NULL;
    if (o) {
        moment = o->late[turn];
        give_back(o);
    }
    uint64_t ns = pass(&moment, thread);
    sca_thread.in_tool--;
    return ns;
}
