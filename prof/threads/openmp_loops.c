/*
 * Loops of OpenMP that are handed out by chunks, and sections, of GCC's runtime and of LLVM's:
 * which thread takes one is chance (pieces.h). Loops with an ordered section, or whose iterations
 * wait for each other, take turns, and are left to these.
 */
#include "threads/openmp_loops.h"
#include "threads/openmp_entry.h"
#include "threads/team.h"

#include <limits.h>
#include <stdint.h>

#define INTERPOSED __attribute__((visibility("default")))

/* ---- which loops are handed out: what schedule(runtime) means ---- */

enum { SET_DYNAMIC = 2, SET_GUIDED = 3, SET_AUTO = 4 };

void omp_get_schedule(int *kind, int *chunk);
SCA_OPENMP_NEXT(omp_get_schedule)

/* By OMP_SCHEDULE or omp_set_schedule(); 0: not known. Without the mark of monotonic loops. */
static int set_schedule(const void *caller)
{
    int kind = 0, chunk;
    __typeof__(omp_get_schedule) *get = next_omp_get_schedule(caller);
    if (get)
        get(&kind, &chunk);
    return kind & INT_MAX;
}

static bool is_dynamic(int kind)
{
    return kind == SET_DYNAMIC || kind == SET_GUIDED;
}

/* ---- GCC's ---- */

static _Thread_local unsigned dimensions __attribute__((tls_model("initial-exec")));

unsigned sca_openmp_loops_dimensions(void)
{
    return dimensions;
}

#define CHUNK_IF(handed_out, name, parameters, arguments, of)                                      \
    bool name parameters;                                                                          \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED bool name parameters                                                                \
    {                                                                                              \
        dimensions = of;                                                                           \
        bool any = next_##name(SCA_RETURNS_TO) arguments;                                          \
        if (!dimensions && (handed_out))                                                           \
            sca_team_next_piece(any);                                                              \
        return any;                                                                                \
    }
#define CHUNK(name, parameters, arguments, of) CHUNK_IF(true, name, parameters, arguments, of)
#define LOOP(kind)                                                                                 \
    CHUNK(GOMP_loop_##kind##_start,                                                                \
          (long first, long end, long step, long chunk, long *from, long *to),                     \
          (first, end, step, chunk, from, to), 0)                                                  \
    CHUNK(GOMP_loop_##kind##_next, (long *from, long *to), (from, to), dimensions)                 \
    CHUNK(GOMP_loop_ull_##kind##_start,                                                            \
          (bool up, unsigned long long first, unsigned long long end, unsigned long long step,     \
           unsigned long long chunk, unsigned long long *from, unsigned long long *to),            \
          (up, first, end, step, chunk, from, to), 0)                                              \
    CHUNK(GOMP_loop_ull_##kind##_next, (unsigned long long *from, unsigned long long *to),         \
          (from, to), dimensions)
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)

#define IS_SET_DYNAMIC is_dynamic(set_schedule(SCA_RETURNS_TO))
#define RUNTIME_LOOP(name)                                                                         \
    CHUNK_IF(IS_SET_DYNAMIC, GOMP_loop_##name##_start,                                             \
             (long first, long end, long step, long *from, long *to),                              \
             (first, end, step, from, to), 0)                                                      \
    CHUNK_IF(IS_SET_DYNAMIC, GOMP_loop_##name##_next, (long *from, long *to), (from, to),          \
             dimensions)                                                                           \
    CHUNK_IF(IS_SET_DYNAMIC, GOMP_loop_ull_##name##_start,                                         \
             (bool up, unsigned long long first, unsigned long long end, unsigned long long step,  \
              unsigned long long *from, unsigned long long *to),                                   \
             (up, first, end, step, from, to), 0)                                                  \
    CHUNK_IF(IS_SET_DYNAMIC, GOMP_loop_ull_##name##_next,                                          \
             (unsigned long long *from, unsigned long long *to), (from, to), dimensions)
RUNTIME_LOOP(runtime)
RUNTIME_LOOP(nonmonotonic_runtime)
RUNTIME_LOOP(maybe_nonmonotonic_runtime)

/* Of as many nested loops as there are counts. */
#define DOACROSS(type, name)                                                                       \
    CHUNK(name##_static_start, (unsigned n, type *counts, type chunk, type *from, type *to),       \
          (n, counts, chunk, from, to), n)                                                         \
    CHUNK(name##_dynamic_start, (unsigned n, type *counts, type chunk, type *from, type *to),      \
          (n, counts, chunk, from, to), n)                                                         \
    CHUNK(name##_guided_start, (unsigned n, type *counts, type chunk, type *from, type *to),       \
          (n, counts, chunk, from, to), n)                                                         \
    CHUNK(name##_runtime_start, (unsigned n, type *counts, type *from, type *to),                  \
          (n, counts, from, to), n)                                                                \
    CHUNK(name##_start,                                                                            \
          (unsigned n, type *counts, long schedule, type chunk, type *from, type *to,              \
           uintptr_t *reductions, void **memory),                                                  \
          (n, counts, schedule, chunk, from, to, reductions, memory), n)
DOACROSS(long, GOMP_loop_doacross)
DOACROSS(unsigned long long, GOMP_loop_ull_doacross)

/* ---- GCC's sections: LLVM's are a static loop ---- */

/* The number of the one that is to be run next; 0: there is none left. */
#define SECTION(name, parameters, arguments)                                                       \
    unsigned name parameters;                                                                      \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED unsigned name parameters                                                            \
    {                                                                                              \
        unsigned number = next_##name(SCA_RETURNS_TO) arguments;                                   \
        sca_team_next_piece(number != 0);                                                          \
        return number;                                                                             \
    }
SECTION(GOMP_sections_start, (unsigned count), (count))
SECTION(GOMP_sections2_start, (unsigned count, uintptr_t *reductions, void **memory),
        (count, reductions, memory))
SECTION(GOMP_sections_next, (void), ())

/* ---- LLVM's: the first call says how the loop is scheduled ---- */

enum { MODIFIERS = 3 << 29, DYNAMIC = 35, GUIDED = 36, RUNTIME = 37, AUTO = 38 };

static _Thread_local bool handed_out __attribute__((tls_model("initial-exec")));

/* This runtime hands out what it is to schedule as it likes. */
static void begin(int schedule, const void *caller)
{
    int kind = schedule & ~MODIFIERS;
    int set = kind == RUNTIME ? set_schedule(caller) : 0;
    handed_out =
        kind == DYNAMIC || kind == GUIDED || kind == AUTO || is_dynamic(set) || set == SET_AUTO;
}

static void take(bool any)
{
    if (handed_out)
        sca_team_next_piece(any);
}

#define DISPATCH(suffix, type, step_type)                                                          \
    void __kmpc_dispatch_init_##suffix(void *place, int thread, int schedule, type first,          \
                                       type last, step_type step, step_type chunk);                \
    SCA_OPENMP_NEXT(__kmpc_dispatch_init_##suffix)                                                 \
    INTERPOSED void __kmpc_dispatch_init_##suffix(void *place, int thread, int schedule,           \
                                                  type first, type last, step_type step,           \
                                                  step_type chunk)                                 \
    {                                                                                              \
        begin(schedule, SCA_RETURNS_TO);                                                           \
        next___kmpc_dispatch_init_##suffix(SCA_RETURNS_TO)(place, thread, schedule, first, last,   \
                                                           step, chunk);                           \
    }                                                                                              \
    int __kmpc_dispatch_next_##suffix(void *place, int thread, int *is_last, type *from, type *to, \
                                      step_type *step);                                            \
    SCA_OPENMP_NEXT(__kmpc_dispatch_next_##suffix)                                                 \
    INTERPOSED int __kmpc_dispatch_next_##suffix(void *place, int thread, int *is_last,            \
                                                 type *from, type *to, step_type *step)            \
    {                                                                                              \
        int any = next___kmpc_dispatch_next_##suffix(SCA_RETURNS_TO)(place, thread, is_last, from, \
                                                                     to, step);                    \
        take(any);                                                                                 \
        return any;                                                                                \
    }
DISPATCH(4, int32_t, int32_t)
DISPATCH(4u, uint32_t, int32_t)
DISPATCH(8, int64_t, int64_t)
DISPATCH(8u, uint64_t, int64_t)
