#include "sampling/threads.h"
#include "clock/blocked.h"
#include "clock/clock.h"
#include "clock/core_use.h"
#include "sampling/sampler_backend.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SLOTS = 1024,
    STALL_NS = 100000 /* so much more wall than CPU time: a thread may have waited for a core */
};

enum state { FREE, STARTING, RUNNING };

static struct sca_thread_slot slots[SLOTS];
static unsigned used; /* slots that a thread of the program ever had are below */
static _Thread_local struct sca_thread_slot *mine __attribute__((tls_model("initial-exec")));

static void use(unsigned slot)
{
    unsigned now = __atomic_load_n(&used, __ATOMIC_RELAXED);
    while (now <= slot && !__atomic_compare_exchange_n(&used, &now, slot + 1, true,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* The lowest that is free, so that few are ever used and threads of the program count from 1; the
 * MPI library's begin at the other end. */
static struct sca_thread_slot *take_free(bool foreign)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        struct sca_thread_slot *s = &slots[foreign ? SLOTS - 1 - i : i];
        int expected = FREE;
        if (__atomic_load_n(&s->state, __ATOMIC_RELAXED) == FREE &&
            __atomic_compare_exchange_n(&s->state, &expected, STARTING, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
            return s;
        }
    }
    return NULL;
}

struct sca_thread_slot *sca_threads_take(bool foreign)
{
    foreign = foreign || (mine && mine->foreign);
    struct sca_thread_slot *s = take_free(foreign);
    if (!s)
        return NULL;
    s->foreign = foreign;
    s->taken_ns = sca_clock_now();
    if (!foreign)
        use((unsigned)(s - slots));
    return s;
}

void sca_threads_give_back(struct sca_thread_slot *s)
{
    if (s->adopted)
        sca_sampler_timer_drop(s->handle);
    s->adopted = false;
    __atomic_store_n(&s->state, FREE, __ATOMIC_RELEASE);
}

void sca_threads_arrive(struct sca_thread_slot *s)
{
    mine = s;
    s->tid = (int)syscall(SYS_gettid);
    __atomic_store_n(&s->marked_ns, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&s->queued_ns, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&s->state, RUNNING, __ATOMIC_RELEASE);
}

static uint64_t cpu_ns(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now))
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t beyond_mark(const struct sca_thread_slot *s, uint64_t now_ns)
{
    uint64_t marked_ns = __atomic_load_n(&s->marked_ns, __ATOMIC_RELAXED);
    return now_ns > marked_ns ? now_ns - marked_ns : 0;
}

static uint32_t number_of(const struct sca_thread_slot *s)
{
    return (uint32_t)(s - slots) + 1;
}

/* Since the last look, when it has waited so long in all. */
static uint64_t queued_since(struct sca_thread_slot *s, uint64_t now_ns)
{
    uint64_t before_ns = __atomic_exchange_n(&s->queued_ns, now_ns, __ATOMIC_RELAXED);
    return now_ns > before_ns ? now_ns - before_ns : 0;
}

/* Of the calling thread, which was off its core for so long since it was created. Who never gave it
 * up waited for it all the time; to ask the kernel's account takes as long as to make a thread. */
static uint64_t queued_of(uint64_t off_ns)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) || usage.ru_nvcsw ? sca_blocked_queued_ns(0) : off_ns;
}

static void book_end(struct sca_thread_slot *s)
{
    uint64_t ran_ns = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    __atomic_fetch_add(&s->ended_ns, beyond_mark(s, ran_ns), __ATOMIC_RELAXED);
    uint64_t wall_ns = sca_clock_now() - s->taken_ns;
    if (wall_ns <= ran_ns + STALL_NS)
        return;
    uint64_t queued_ns = queued_of(wall_ns - ran_ns);
    sca_core_use_waited(number_of(s), queued_ns);
    __atomic_fetch_add(&s->ended_queued_ns, queued_since(s, queued_ns), __ATOMIC_RELAXED);
}

void sca_threads_leave(struct sca_thread_slot *s)
{
    mine = NULL;
    if (!s->foreign)
        book_end(s);
    sca_threads_give_back(s);
}

/* The kernel's way to name the clock of a thread by its number, as pthread_getcpuclockid() does. */
static clockid_t clock_of(int tid)
{
    enum { PER_THREAD = 4, SCHEDULED = 2 };
    return (clockid_t)(~(unsigned)tid << 3 | PER_THREAD | SCHEDULED);
}

static bool computes(const struct sca_thread_slot *s)
{
    return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == RUNNING && !s->foreign;
}

unsigned sca_threads_count(bool (*is_so)(int tid))
{
    unsigned end = __atomic_load_n(&used, __ATOMIC_RELAXED), n = 0;
    for (unsigned i = 0; i < end; i++)
        n += computes(&slots[i]) && is_so(slots[i].tid);
    return n;
}

bool sca_threads_is_foreign(void)
{
    return mine && mine->foreign;
}

bool sca_threads_is_first(void)
{
    return !mine;
}

uint32_t sca_threads_number(void)
{
    return mine ? number_of(mine) : 0;
}

void sca_threads_note_waits(void)
{
    unsigned end = __atomic_load_n(&used, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < end; i++)
        if (computes(&slots[i]) && sca_core_use_is_sampled(number_of(&slots[i])))
            sca_core_use_waited(number_of(&slots[i]), sca_blocked_queued_ns(slots[i].tid));
}

uint64_t sca_threads_cpu_ns(int tid)
{
    return cpu_ns(clock_of(tid));
}

void sca_threads_waited(uint64_t ns, uint64_t wall_ns)
{
    if (!mine)
        return;
    __atomic_fetch_add(&mine->locked_ns, ns, __ATOMIC_RELAXED);
    __atomic_fetch_add(&mine->stood_ns, wall_ns, __ATOMIC_RELAXED);
}

void sca_threads_in_mpi(uint64_t ns)
{
    if (mine)
        __atomic_fetch_add(&mine->mpi_ns, ns, __ATOMIC_RELAXED);
}

void sca_threads_mark(void)
{
    unsigned end = __atomic_load_n(&used, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < end; i++) {
        if (computes(&slots[i]))
            __atomic_store_n(&slots[i].marked_ns, cpu_ns(clock_of(slots[i].tid)), __ATOMIC_RELAXED);
        __atomic_store_n(&slots[i].ended_ns, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&slots[i].locked_ns, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&slots[i].stood_ns, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&slots[i].mpi_ns, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&slots[i].ended_queued_ns, 0, __ATOMIC_RELAXED);
    }
}

static uint64_t without_mpi(const struct sca_thread_slot *s, uint64_t ns)
{
    uint64_t mpi_ns = __atomic_load_n(&s->mpi_ns, __ATOMIC_RELAXED);
    return ns > mpi_ns ? ns - mpi_ns : 0;
}

static uint64_t since_mark(const struct sca_thread_slot *s)
{
    uint64_t ended_ns = __atomic_load_n(&s->ended_ns, __ATOMIC_RELAXED);
    uint64_t now_ns = computes(s) ? cpu_ns(clock_of(s->tid)) : 0;
    return without_mpi(s, ended_ns + beyond_mark(s, now_ns)) +
           __atomic_load_n(&s->locked_ns, __ATOMIC_RELAXED);
}

uint64_t sca_threads_locked_since_mark(void)
{
    return mine ? __atomic_load_n(&mine->locked_ns, __ATOMIC_RELAXED) : 0;
}

uint64_t sca_threads_own_since_mark(void)
{
    if (!mine)
        return 0;
    return without_mpi(mine, beyond_mark(mine, cpu_ns(CLOCK_THREAD_CPUTIME_ID))) +
           sca_threads_locked_since_mark();
}

struct sca_threads_work sca_threads_since_mark(void)
{
    unsigned end = __atomic_load_n(&used, __ATOMIC_RELAXED);
    struct sca_threads_work work = {0};
    double lately_ns = 0, most_ns = 0;
    for (unsigned i = 0; i < end; i++) {
        struct sca_thread_slot *s = &slots[i];
        uint64_t since_ns = since_mark(s);
        s->lately_ns = s->lately_ns * SCA_THREADS_REMEMBERED + (double)since_ns;
        work.all_ns += since_ns;
        work.locked_ns += __atomic_load_n(&s->locked_ns, __ATOMIC_RELAXED);
        lately_ns += s->lately_ns;
        most_ns = s->lately_ns > most_ns ? s->lately_ns : most_ns;
    }
    work.busiest = lately_ns > 0 ? most_ns / lately_ns : 0;
    return work;
}

static uint64_t most_of(uint64_t a_ns, uint64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

/* Who waits for a lock longer than its holders computed waits for a core with them, or else for
 * what they sleep for: that is no more than all threads waited for cores. */
uint64_t sca_threads_longest_since_mark(uint64_t most_stood_ns)
{
    unsigned end = __atomic_load_n(&used, __ATOMIC_RELAXED);
    uint64_t longest_ns = 0, with_locks_ns = 0, all_queued_ns = 0;
    for (unsigned i = 0; i < end; i++) {
        struct sca_thread_slot *s = &slots[i];
        uint64_t locked_ns = __atomic_load_n(&s->locked_ns, __ATOMIC_RELAXED);
        uint64_t stood_ns = __atomic_load_n(&s->stood_ns, __ATOMIC_RELAXED);
        stood_ns = stood_ns > locked_ns ? stood_ns - locked_ns : 0;
        uint64_t queued_ns = __atomic_load_n(&s->ended_queued_ns, __ATOMIC_RELAXED);
        uint64_t ns = since_mark(s);
        if (computes(s))
            queued_ns += queued_since(s, sca_blocked_queued_ns(s->tid));
        all_queued_ns += queued_ns;
        longest_ns = most_of(longest_ns, ns ? ns + queued_ns : 0);
        stood_ns = stood_ns < most_stood_ns ? stood_ns : most_stood_ns;
        with_locks_ns = most_of(with_locks_ns, ns ? ns + queued_ns + stood_ns : 0);
    }
    uint64_t most_ns = longest_ns + all_queued_ns;
    return with_locks_ns < most_ns ? with_locks_ns : most_ns;
}

void sca_threads_adopt(unsigned frequency)
{
    for (int i = 0; i < SLOTS; i++) {
        struct sca_thread_slot *s = &slots[i];
        if (s != mine && !s->foreign && __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == RUNNING)
            s->adopted = sca_sampler_timer_adopt(s->tid, &s->handle, frequency);
    }
}

bool sca_threads_adopted(void)
{
    return mine && mine->adopted;
}
