/*
 * GCC's OpenMP (libgomp), whose programs call these. A region's function is run by way of one of
 * ours on each thread, so that it is known who computes and who waits (team.h). LLVM's libomp has
 * the same entries for programs of GCC's.
 */
#include "base/guard.h"
#include "calls/activity.h"
#include "mpi_functions.h"
#include "threads/openmp_entry.h"
#include "threads/pieces.h"
#include "threads/team.h"

#include <string.h>

#define INTERPOSED __attribute__((visibility("default")))

typedef void region_function(void *);

/* ---- regions ---- */

#ifdef __x86_64__
enum {
    CALL = 0xe8,
    CALL_LENGTH = 5,
    INDIRECT = 0xff,
    INDIRECT_LENGTH = 6,
    OF_SLOT = 0x15,
    JUMP_TO_SLOT = 0x25
};

static const unsigned char *displaced(const unsigned char *end)
{
    int32_t displacement;
    memcpy(&displacement, end - sizeof displacement, sizeof displacement);
    return end + displacement;
}

/* A stub of the linker's: perhaps after a mark for indirect jumps, it jumps to what a slot has. */
static bool leads_to(const unsigned char *stub, const void *function)
{
    static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const void *target;
    stub += memcmp(stub, endbr, sizeof endbr) ? 0 : sizeof endbr;
    stub += *stub == 0xf2;
    if (stub[0] != INDIRECT || stub[1] != JUMP_TO_SLOT)
        return false;
    memcpy(&target, displaced(stub + INDIRECT_LENGTH), sizeof target);
    return target == function;
}

/* Whether the call that returns there is one of this function. If not, it was of one that ended by
 * a jump to it, as compilers write a region that is a function's last statement. */
static bool is_call_of(const void *return_address, const void *function)
{
    const unsigned char *end = return_address;
    const void *target;
    if (end[-CALL_LENGTH] == CALL && leads_to(displaced(end), function))
        return true;
    if (end[-INDIRECT_LENGTH] != INDIRECT || end[1 - INDIRECT_LENGTH] != OF_SLOT)
        return false;
    memcpy(&target, displaced(end), sizeof target);
    return target == function;
}
#else
static bool is_call_of(const void *return_address, const void *function)
{
    (void)return_address, (void)function;
    return true;
}
#endif

struct region {
    region_function *function;
    void *data;
    struct sca_team_region *team;
};

/* On each thread of the team. The region is gone when the first of them has come back from it. */
static void run_region(void *argument)
{
    struct region region = *(const struct region *)argument;
    sca_team_begin(region.team);
    region.function(region.data);
    sca_team_end();
}

/* Parameters in front of `fn` and `data` there are none; `rest` are those behind them. */
#define REGION(result_type, name, keeps, gives, rest, arguments)                                   \
    result_type name rest;                                                                         \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED result_type name rest                                                               \
    {                                                                                              \
        struct region region = {fn, data, NULL};                                                   \
        bool wraps = sca_recording;                                                                \
        if (wraps) {                                                                               \
            bool called = is_call_of(__builtin_return_address(0), (const void *)name);             \
            region.team = sca_team_fork(SCA_CALLER, called ? NULL : (const void *)fn);             \
            fn = run_region;                                                                       \
            data = &region;                                                                        \
        }                                                                                          \
        keeps next_##name(SCA_RETURNS_TO) arguments;                                               \
        if (wraps)                                                                                 \
            sca_team_join(region.team);                                                            \
        gives                                                                                      \
    }

#define NOTHING
REGION(void, GOMP_parallel, NOTHING, NOTHING,
       (region_function * fn, void *data, unsigned threads, unsigned flags),
       (fn, data, threads, flags))
REGION(unsigned, GOMP_parallel_reductions, unsigned result =, return result;
       , (region_function * fn, void *data, unsigned threads, unsigned flags),
       (fn, data, threads, flags))
REGION(void, GOMP_parallel_sections, NOTHING, NOTHING,
       (region_function * fn, void *data, unsigned threads, unsigned count, unsigned flags),
       (fn, data, threads, count, flags))

#define CHUNKED(name)                                                                              \
    REGION(void, GOMP_parallel_loop_##name, NOTHING, NOTHING,                                      \
           (region_function * fn, void *data, unsigned threads, long first, long end, long step,   \
            long chunk, unsigned flags),                                                           \
           (fn, data, threads, first, end, step, chunk, flags))
#define UNCHUNKED(name)                                                                            \
    REGION(void, GOMP_parallel_loop_##name, NOTHING, NOTHING,                                      \
           (region_function * fn, void *data, unsigned threads, long first, long end, long step,   \
            unsigned flags),                                                                       \
           (fn, data, threads, first, end, step, flags))
CHUNKED(static)
CHUNKED(dynamic)
CHUNKED(guided)
CHUNKED(nonmonotonic_dynamic)
CHUNKED(nonmonotonic_guided)
UNCHUNKED(runtime)
UNCHUNKED(nonmonotonic_runtime)
UNCHUNKED(maybe_nonmonotonic_runtime)

/* ---- barriers, also those at a construct's end ---- */

#define BARRIER(name)                                                                              \
    void name(void);                                                                               \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED void name(void)                                                                     \
    {                                                                                              \
        bool waits = sca_team_arrive();                                                            \
        next_##name(SCA_RETURNS_TO)();                                                             \
        if (waits)                                                                                 \
            sca_team_depart();                                                                     \
    }
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)

/* ---- waits for tasks ---- */

#define TASK_WAIT(name, parameters, arguments)                                                     \
    void name parameters;                                                                          \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED void name parameters                                                                \
    {                                                                                              \
        enum sca_team_state before = sca_team_turn_to(SCA_TEAM_WAITS);                             \
        next_##name(SCA_RETURNS_TO) arguments;                                                     \
        (void)sca_team_turn_to(before);                                                            \
    }
TASK_WAIT(GOMP_taskwait, (void), ())
TASK_WAIT(GOMP_taskwait_depend, (void **depend), (depend))
TASK_WAIT(GOMP_taskgroup_end, (void), ())

/* ---- tasks ---- */

/* A detached task is told an event by way of its data; a task's data lie on the stack once more. */
enum { DEPENDS = 1 << 3, DETACHED = 1 << 13, ALIGN = 16, HEAD = 32, MOST = 65536 };

/* In front of a task's data. */
struct task {
    region_function *function;
    void (*copy)(void *, void *);
    uint32_t number; /* team.h; 0: it depends on nothing that is known */
};
_Static_assert(sizeof(struct task) <= HEAD, "the head has room");

static void run_task(void *argument)
{
    const struct task *task = argument;
    uint32_t around = sca_team_set_task(task->number);
    enum sca_team_state before = sca_team_turn_to(SCA_TEAM_PIECE);
    task->function((char *)argument + HEAD);
    (void)sca_team_set_task(around);
    (void)sca_team_turn_to(before);
}

/* The source has the head, and behind it where the program's data are. */
static void copy_task(void *to, void *from)
{
    void *data;
    memcpy(to, from, HEAD);
    memcpy(&data, (char *)from + HEAD, sizeof data);
    ((const struct task *)from)->copy((char *)to + HEAD, data);
}

/* Of a loop of tasks the runtime writes each one's bounds at the beginning of its data, so a head
 * has no place there. A function of ours stands for each of the program's that come first. */
enum { TASK_LOOPS = 16 };
static region_function *task_loops[TASK_LOOPS];

static void run_piece(region_function *function, void *argument)
{
    enum sca_team_state before = sca_team_turn_to(SCA_TEAM_PIECE);
    function(argument);
    (void)sca_team_turn_to(before);
}

#define TASK_LOOP(n)                                                                               \
    static void task_loop_##n(void *argument)                                                      \
    {                                                                                              \
        run_piece(__atomic_load_n(&task_loops[n], __ATOMIC_RELAXED), argument);                    \
    }
TASK_LOOP(0)
TASK_LOOP(1)
TASK_LOOP(2)
TASK_LOOP(3)
TASK_LOOP(4)
TASK_LOOP(5)
TASK_LOOP(6)
TASK_LOOP(7)
TASK_LOOP(8)
TASK_LOOP(9)
TASK_LOOP(10)
TASK_LOOP(11)
TASK_LOOP(12)
TASK_LOOP(13)
TASK_LOOP(14)
TASK_LOOP(15)

static region_function *stand_in(region_function *fn)
{
    static region_function *const ours[TASK_LOOPS] = {
        task_loop_0,  task_loop_1,  task_loop_2,  task_loop_3, task_loop_4,  task_loop_5,
        task_loop_6,  task_loop_7,  task_loop_8,  task_loop_9, task_loop_10, task_loop_11,
        task_loop_12, task_loop_13, task_loop_14, task_loop_15};
    for (unsigned i = 0; sca_recording && i < TASK_LOOPS; i++) {
        region_function *known = NULL;
        if (__atomic_compare_exchange_n(&task_loops[i], &known, fn, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            known == fn)
            return ours[i];
    }
    return fn;
}

#define LOOP_OF_TASKS(name, type)                                                                  \
    void name(region_function *fn, void *data, void (*copy)(void *, void *), long size,            \
              long align, unsigned flags, unsigned long tasks, int priority, type start, type end, \
              type step);                                                                          \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED void name(region_function *fn, void *data, void (*copy)(void *, void *), long size, \
                         long align, unsigned flags, unsigned long tasks, int priority,            \
                         type start, type end, type step)                                          \
    {                                                                                              \
        next_##name(SCA_RETURNS_TO)(stand_in(fn), data, copy, size, align, flags, tasks, priority, \
                                    start, end, step);                                             \
    }
LOOP_OF_TASKS(GOMP_taskloop, long)
LOOP_OF_TASKS(GOMP_taskloop_ull, unsigned long long)

/* What a task depends on, as GCC's programs say it: the number of objects; how many are written;
 * and these, before those that are read. Or 0; the number; how many are written, written by one
 * task at a time, and read; these; and objects of the program's that have an address and what it is
 * for. */
enum { OBJECT_IN = 1, OBJECT_SET = 5 };

static enum sca_depend_kind kind_of_object(const void *for_what)
{
    return (uintptr_t)for_what == OBJECT_IN    ? SCA_DEPEND_IN
           : (uintptr_t)for_what == OBJECT_SET ? SCA_DEPEND_SET
                                               : SCA_DEPEND_OUT;
}

static uint32_t list_depends(void **depend, struct sca_depend to[SCA_TASK_DEPENDS])
{
    if (!depend)
        return 0;
    bool counts_kinds = !depend[0];
    uintptr_t all = (uintptr_t)depend[counts_kinds];
    uintptr_t written = (uintptr_t)depend[1 + counts_kinds];
    uintptr_t plain = all;
    uint32_t n = 0;
    if (counts_kinds) {
        written += (uintptr_t)depend[3];
        plain = written + (uintptr_t)depend[4];
    }
    void **objects = depend + (counts_kinds ? 5 : 2);
    for (uintptr_t i = 0; i < all && n < SCA_TASK_DEPENDS; i++) {
        void **object = i < plain ? NULL : objects[i];
        to[n++] =
            object ? (struct sca_depend){object[0], kind_of_object(object[1])}
                   : (struct sca_depend){objects[i], i < written ? SCA_DEPEND_OUT : SCA_DEPEND_IN};
    }
    return n;
}

/* The call itself has the line of what the compiler put in front of it. */
static uint32_t make_task(region_function *fn, void **depend, const void *return_address,
                          const void *cfa)
{
    struct sca_depend depends[SCA_TASK_DEPENDS];
    return sca_team_make_task(depends, list_depends(depend, depends), return_address, cfa,
                              (const void *)fn);
}

void GOMP_task(region_function *fn, void *data, void (*copy)(void *, void *), long size, long align,
               bool defer, unsigned flags, void **depend, int priority, void *detach);
SCA_OPENMP_NEXT(GOMP_task)
INTERPOSED void GOMP_task(region_function *fn, void *data, void (*copy)(void *, void *), long size,
                          long align, bool defer, unsigned flags, void **depend, int priority,
                          void *detach)
{
    if (!sca_recording || !fn || !defer || align > ALIGN || size < 0 || size > MOST ||
        flags & DETACHED) {
        next_GOMP_task(SCA_RETURNS_TO)(fn, data, copy, size, align, defer, flags, depend, priority,
                                       detach);
        return;
    }
    _Alignas(ALIGN) char block[HEAD + (copy ? sizeof data : (size_t)size)];
    uint32_t number = make_task(fn, flags & DEPENDS ? depend : NULL, SCA_CALLER);
    *(struct task *)block = (struct task){fn, copy, number};
    memcpy(block + HEAD, copy ? (void *)&data : data, sizeof block - HEAD);
    next_GOMP_task(SCA_RETURNS_TO)(run_task, block, copy ? copy_task : NULL, HEAD + size, ALIGN,
                                   defer, flags, depend, priority, detach);
}
