#include "spawn.h"
#include "guard.h"
#include "sampler.h"
#include "sampler_backend.h"
#include "stack.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

enum { SLOTS = 1024 };

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int c11_create_function(thrd_t *, thrd_start_t, void *);

enum state { FREE, STARTING, RUNNING };

/* From pthread_create to the thread's end. No allocation: with all slots taken, further threads
 * run without sampling of their own. */
struct slot {
    int state; /* enum state */
    int tid;
    bool foreign; /* the MPI library's own */
    uint64_t stack_bytes;
    void *(*function)(void *);
    thrd_start_t c11_function;
    void *argument;
    bool adopted;
    void *handle; /* of its timer, if adopted */
};

static struct slot slots[SLOTS];
static unsigned others; /* threads of the application that run now, but the first */
static _Thread_local struct slot *mine __attribute__((tls_model("initial-exec")));

static struct slot *take_slot(void)
{
    static unsigned next;
    unsigned first = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < SLOTS; i++) {
        struct slot *s = &slots[(first + i) % SLOTS];
        int expected = FREE;
        if (__atomic_load_n(&s->state, __ATOMIC_RELAXED) == FREE &&
            __atomic_compare_exchange_n(&s->state, &expected, STARTING, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return s;
    }
    return NULL;
}

unsigned sca_threads_others(void)
{
    return __atomic_load_n(&others, __ATOMIC_RELAXED);
}

static void give_back(struct slot *s)
{
    if (s->adopted)
        sca_timer_drop(s->handle);
    s->adopted = false;
    __atomic_store_n(&s->state, FREE, __ATOMIC_RELEASE);
}

/* However the thread ends: return, pthread_exit or cancellation. */
static void finish(void *slot)
{
    struct slot *s = slot;
    sca_sampler_thread_stop();
    mine = NULL;
    if (!s->foreign)
        __atomic_fetch_sub(&others, 1, __ATOMIC_RELAXED);
    give_back(s);
}

/* The slot is this thread's from here on, until finish(). */
static void arrive(struct slot *s)
{
    mine = s;
    sca_stack_announce(s->stack_bytes);
    s->tid = (int)syscall(SYS_gettid);
    __atomic_store_n(&s->state, RUNNING, __ATOMIC_RELEASE);
    if (s->foreign)
        return;
    __atomic_fetch_add(&others, 1, __ATOMIC_RELAXED);
    sca_sampler_thread_start();
}

static void *begin(void *argument)
{
    struct slot *s = argument;
    void *result;
    arrive(s);
    pthread_cleanup_push(finish, s);
    result = s->function(s->argument);
    pthread_cleanup_pop(1);
    return result;
}

/* C11's threads are POSIX threads that return an int. */
static int begin_c11(void *argument)
{
    struct slot *s = argument;
    int result;
    arrive(s);
    pthread_cleanup_push(finish, s);
    result = s->c11_function(s->argument);
    pthread_cleanup_pop(1);
    return result;
}

static uint64_t stack_bytes(const pthread_attr_t *attributes)
{
    struct rlimit limit;
    size_t size;
    if (attributes && !pthread_attr_getstacksize(attributes, &size))
        return size;
    if (!getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur != RLIM_INFINITY)
        return limit.rlim_cur;
    return 0;
}

/* The C library's function of this name, kept in *known. */
static void *real(void **known, const char *name)
{
    void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (!found) {
        found = dlsym(RTLD_NEXT, name);
        __atomic_store_n(known, found, __ATOMIC_RELAXED);
    }
    return found;
}

static struct slot *prepare(const pthread_attr_t *attributes, void *argument)
{
    struct slot *s = take_slot();
    if (!s)
        return NULL;
    s->argument = argument;
    s->foreign = sca_thread.in_mpi > 0;
    s->stack_bytes = stack_bytes(attributes);
    return s;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*function)(void *), void *argument)
{
    static void *known;
    create_function *create = (create_function *)real(&known, "pthread_create");
    struct slot *s = create ? prepare(attributes, argument) : NULL;
    if (!create)
        return EAGAIN;
    if (!s)
        return create(thread, attributes, function, argument);
    s->function = function;
    int status = create(thread, attributes, begin, s);
    if (status)
        give_back(s);
    return status;
}

__attribute__((visibility("default"))) int thrd_create(thrd_t *thread, thrd_start_t function,
                                                       void *argument)
{
    static void *known;
    c11_create_function *create = (c11_create_function *)real(&known, "thrd_create");
    struct slot *s = create ? prepare(NULL, argument) : NULL;
    if (!create)
        return thrd_error;
    if (!s)
        return create(thread, function, argument);
    s->c11_function = function;
    int status = create(thread, begin_c11, s);
    if (status != thrd_success)
        give_back(s);
    return status;
}

void sca_threads_adopt(unsigned frequency)
{
    for (int i = 0; i < SLOTS; i++) {
        struct slot *s = &slots[i];
        if (s != mine && !s->foreign && __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == RUNNING)
            s->adopted = sca_timer_adopt(s->tid, &s->handle, frequency);
    }
}

bool sca_threads_adopted(void)
{
    return mine && mine->adopted;
}
