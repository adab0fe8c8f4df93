#include "sampling/spawn.h"
#include "clock/blocked.h"
#include "base/guard.h"
#include "sampling/sampler.h"
#include "sampling/sampler_backend.h"
#include "unwind/stack.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 1024 };
#define REMEMBERED (63.0 / 64) /* of what was computed before the last mark */

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
    void *handle;       /* of its timer, if adopted */
    uint64_t marked_ns; /* its CPU time at the last mark; 0: began since */
    uint64_t ended_ns;  /* what threads in this slot computed since then that have ended */
    double lately_ns;   /* what they all computed between marks, the earlier the less */
};

static struct slot slots[SLOTS];
static unsigned used; /* slots that a thread of the program ever had are below */
static _Thread_local struct slot *mine __attribute__((tls_model("initial-exec")));

static void use(unsigned slot)
{
    unsigned now = __atomic_load_n(&used, __ATOMIC_RELAXED);
    while (now <= slot && !__atomic_compare_exchange_n(&used, &now, slot + 1, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* The lowest that is free, so that few are ever used. */
static struct slot *take_slot(void)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        struct slot *s = &slots[i];
        int expected = FREE;
        if (__atomic_load_n(&s->state, __ATOMIC_RELAXED) == FREE &&
            __atomic_compare_exchange_n(&s->state, &expected, STARTING, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
            return s;
        }
    }
    return NULL;
}

static uint64_t cpu_ns(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now))
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The kernel's way to name the clock of a thread by its number, as pthread_getcpuclockid() does. */
static clockid_t clock_of(int tid)
{
    enum { PER_THREAD = 4, SCHEDULED = 2 };
    return (clockid_t)(~(unsigned)tid << 3 | PER_THREAD | SCHEDULED);
}

static bool computes(const struct slot *s)
{
    return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == RUNNING && !s->foreign;
}

bool sca_threads_is_first(void)
{
    return !mine;
}

void sca_threads_mark(void)
{
    unsigned end = __atomic_load_n(&used, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < end; i++) {
        if (computes(&slots[i]))
            __atomic_store_n(&slots[i].marked_ns, cpu_ns(clock_of(slots[i].tid)), __ATOMIC_RELAXED);
        __atomic_store_n(&slots[i].ended_ns, 0, __ATOMIC_RELAXED);
    }
}

static uint64_t beyond_mark(const struct slot *s, uint64_t now_ns)
{
    uint64_t marked_ns = __atomic_load_n(&s->marked_ns, __ATOMIC_RELAXED);
    return now_ns > marked_ns ? now_ns - marked_ns : 0;
}

static uint64_t since_mark(const struct slot *s)
{
    uint64_t ended_ns = __atomic_load_n(&s->ended_ns, __ATOMIC_RELAXED);
    uint64_t now_ns = computes(s) ? cpu_ns(clock_of(s->tid)) : 0;
    return ended_ns + beyond_mark(s, now_ns);
}

bool sca_threads_busiest(uint64_t *ns)
{
    unsigned end = __atomic_load_n(&used, __ATOMIC_RELAXED);
    double all_ns = 0, lately_ns = 0, most_ns = 0;
    for (unsigned i = 0; i < end; i++) {
        struct slot *s = &slots[i];
        double since_ns = (double)since_mark(s);
        s->lately_ns = s->lately_ns * REMEMBERED + since_ns;
        all_ns += since_ns;
        lately_ns += s->lately_ns;
        most_ns = s->lately_ns > most_ns ? s->lately_ns : most_ns;
    }
    *ns = all_ns > 0 ? (uint64_t)(all_ns * most_ns / lately_ns) : 0;
    return all_ns > 0;
}

static void book_end(struct slot *s)
{
    uint64_t since_ns = beyond_mark(s, cpu_ns(CLOCK_THREAD_CPUTIME_ID));
    __atomic_fetch_add(&s->ended_ns, since_ns, __ATOMIC_RELAXED);
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
    sca_blocked_thread_stop();
    mine = NULL;
    if (!s->foreign)
        book_end(s);
    give_back(s);
}

/* The slot is this thread's from here on, until finish(). */
static void arrive(struct slot *s)
{
    mine = s;
    sca_stack_announce(s->stack_bytes);
    s->tid = (int)syscall(SYS_gettid);
    __atomic_store_n(&s->marked_ns, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&s->state, RUNNING, __ATOMIC_RELEASE);
    if (!s->foreign)
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
    if (!s->foreign)
        use((unsigned)(s - slots));
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
