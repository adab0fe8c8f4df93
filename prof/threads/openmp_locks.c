/*
 * Critical and ordered sections and locks of OpenMP, of GCC's runtime and of LLVM's: who has one,
 * and who waits for it (outside/holders.h). A lock is tried first. A section cannot be: who comes
 * says so himself. In ordered sections threads wait for each other's turns (team.h).
 */
#include "base/guard.h"
#include "calls/activity.h"
#include "mpi_functions.h"
#include "outside/holders.h"
#include "outside/lock_places.h"
#include "threads/openmp_entry.h"
#include "threads/team.h"

#define INTERPOSED __attribute__((visibility("default")))

/* ---- critical sections ---- */

struct entering {
    bool follows, is_free;
    struct sca_holders_wait wait;
};

static struct entering come_to(const void *lock)
{
    struct entering e = {.follows = sca_holders_follow()};
    struct sca_holder *h = sca_holder_of(lock);
    if (!e.follows)
        return e;
    e.is_free = h->lock != lock || sca_holders_try(h);
    if (!e.is_free)
        e.wait = sca_holders_wait_begin(lock);
    return e;
}

static void enter(const void *lock, const struct entering *e, const void *return_address,
                  const void *cfa)
{
    struct sca_holder *h = sca_holder_of(lock);
    if (!e->follows)
        return;
    if (e->is_free)
        sca_holders_taken(lock, return_address, cfa);
    else
        sca_holders_wait_end(lock, &e->wait, SCA_OUTSIDE_OpenMP_critical, return_address, cfa);
    if (h->lock == lock)
        __atomic_store_n(&h->taken, true, __ATOMIC_RELAXED);
}

static void leave(const void *lock, const void *return_address, const void *cfa)
{
    struct sca_holder *h = sca_holder_of(lock);
    if (sca_holders_follow())
        sca_holders_leave(lock, SCA_OUTSIDE_OpenMP_critical, return_address, cfa);
    if (h->lock == lock)
        __atomic_store_n(&h->taken, false, __ATOMIC_RELEASE);
}

static const char unnamed; /* the section without a name */

#define CRITICAL(name, parameters, arguments, lock)                                                \
    void name parameters;                                                                          \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED void name parameters                                                                \
    {                                                                                              \
        struct entering e = come_to(lock);                                                         \
        next_##name(SCA_RETURNS_TO) arguments;                                                     \
        enter(lock, &e, SCA_CALLER);                                                               \
    }
#define CRITICAL_END(name, parameters, arguments, lock)                                            \
    void name parameters;                                                                          \
    SCA_OPENMP_NEXT(name)                                                                          \
    INTERPOSED void name parameters                                                                \
    {                                                                                              \
        leave(lock, SCA_CALLER);                                                                   \
        next_##name(SCA_RETURNS_TO) arguments;                                                     \
    }

CRITICAL(GOMP_critical_start, (void), (), &unnamed)
CRITICAL_END(GOMP_critical_end, (void), (), &unnamed)
CRITICAL(GOMP_critical_name_start, (void **name), (name), name)
CRITICAL_END(GOMP_critical_name_end, (void **name), (name), name)
CRITICAL(__kmpc_critical, (void *place, int thread, void *name), (place, thread, name), name)
CRITICAL(__kmpc_critical_with_hint, (void *place, int thread, void *name, unsigned hint),
         (place, thread, name, hint), name)
CRITICAL_END(__kmpc_end_critical, (void *place, int thread, void *name), (place, thread, name),
             name)

/* ---- ordered sections: one at a time of a process is followed ---- */

static const char turns;

#define ORDERED(name, end, parameters, arguments)                                                  \
    void name parameters;                                                                          \
    void end parameters;                                                                           \
    SCA_OPENMP_NEXT(name)                                                                          \
    SCA_OPENMP_NEXT(end)                                                                           \
    INTERPOSED void name parameters                                                                \
    {                                                                                              \
        uint64_t began_ns = sca_holders_follow() ? sca_team_turn_begin() : 0;                      \
        next_##name(SCA_RETURNS_TO) arguments;                                                     \
        uint32_t before = 0;                                                                       \
        uint64_t ns = sca_team_turn_come(began_ns, 0, &before);                                    \
        if (began_ns)                                                                              \
            sca_holders_taken(&turns, SCA_CALLER);                                                 \
        if (ns)                                                                                    \
            sca_holders_waited(&turns, ns, before, SCA_OUTSIDE_OpenMP_ordered, SCA_CALLER);        \
    }                                                                                              \
    INTERPOSED void end parameters                                                                 \
    {                                                                                              \
        if (sca_holders_follow()) {                                                                \
            sca_team_turn_over(0);                                                                 \
            sca_holders_leave(&turns, SCA_OUTSIDE_OpenMP_ordered, SCA_CALLER);                     \
        }                                                                                          \
        next_##end(SCA_RETURNS_TO) arguments;                                                      \
    }
ORDERED(GOMP_ordered_start, GOMP_ordered_end, (void), ())
ORDERED(__kmpc_ordered, __kmpc_end_ordered, (void *place, int thread), (place, thread))

/* ---- locks; Fortran has names of its own for them ---- */

typedef void lock_function(void *lock);

static void wait_for(void *lock, lock_function *set, const void *return_address, const void *cfa)
{
    struct sca_holders_wait wait = sca_holders_wait_begin(lock);
    set(lock);
    sca_holders_wait_end(lock, &wait, SCA_OUTSIDE_OpenMP_lock, return_address, cfa);
}

#define LOCK_ENTRIES(set, test, unset)                                                             \
    void set(void *lock);                                                                          \
    int test(void *lock);                                                                          \
    void unset(void *lock);                                                                        \
    SCA_OPENMP_NEXT(set)                                                                           \
    SCA_OPENMP_NEXT(test)                                                                          \
    SCA_OPENMP_NEXT(unset)

#define LOCK(set, test, unset)                                                                     \
    LOCK_ENTRIES(set, test, unset)                                                                 \
    INTERPOSED void set(void *lock)                                                                \
    {                                                                                              \
        if (!sca_holders_follow())                                                                 \
            next_##set(SCA_RETURNS_TO)(lock);                                                      \
        else if (__builtin_expect(next_##test(SCA_RETURNS_TO)(lock), 1))                           \
            sca_holders_taken(lock, SCA_CALLER);                                                   \
        else                                                                                       \
            wait_for(lock, next_##set(SCA_RETURNS_TO), SCA_CALLER);                                \
    }                                                                                              \
    INTERPOSED int test(void *lock)                                                                \
    {                                                                                              \
        int taken = next_##test(SCA_RETURNS_TO)(lock);                                             \
        if (taken && sca_holders_follow())                                                         \
            sca_holders_taken(lock, SCA_CALLER);                                                   \
        return taken;                                                                              \
    }                                                                                              \
    INTERPOSED void unset(void *lock)                                                              \
    {                                                                                              \
        if (sca_holders_follow())                                                                  \
            sca_holders_leave(lock, SCA_OUTSIDE_OpenMP_lock, SCA_CALLER);                          \
        next_##unset(SCA_RETURNS_TO)(lock);                                                        \
    }
LOCK(omp_set_lock, omp_test_lock, omp_unset_lock)
LOCK(omp_set_lock_, omp_test_lock_, omp_unset_lock_)

/* ---- locks that who has one may take again: what counts is the first time and the last ---- */

/* To let it go once less than it was taken: to ask how often that is takes it once more. */
#define NEST_LOCK(set, test, unset)                                                                \
    LOCK_ENTRIES(set, test, unset)                                                                 \
    INTERPOSED void set(void *lock)                                                                \
    {                                                                                              \
        int times = sca_holders_follow() ? next_##test(SCA_RETURNS_TO)(lock) : -1;                 \
        if (times < 0)                                                                             \
            next_##set(SCA_RETURNS_TO)(lock);                                                      \
        else if (times == 1)                                                                       \
            sca_holders_taken(lock, SCA_CALLER);                                                   \
        else if (!times)                                                                           \
            wait_for(lock, next_##set(SCA_RETURNS_TO), SCA_CALLER);                                \
    }                                                                                              \
    INTERPOSED int test(void *lock)                                                                \
    {                                                                                              \
        int times = next_##test(SCA_RETURNS_TO)(lock);                                             \
        if (times == 1 && sca_holders_follow())                                                    \
            sca_holders_taken(lock, SCA_CALLER);                                                   \
        return times;                                                                              \
    }                                                                                              \
    INTERPOSED void unset(void *lock)                                                              \
    {                                                                                              \
        if (sca_holders_follow()) {                                                                \
            bool last = next_##test(SCA_RETURNS_TO)(lock) == 2;                                    \
            next_##unset(SCA_RETURNS_TO)(lock);                                                    \
            if (last)                                                                              \
                sca_holders_leave(lock, SCA_OUTSIDE_OpenMP_lock, SCA_CALLER);                      \
        }                                                                                          \
        next_##unset(SCA_RETURNS_TO)(lock);                                                        \
    }
NEST_LOCK(omp_set_nest_lock, omp_test_nest_lock, omp_unset_nest_lock)
NEST_LOCK(omp_set_nest_lock_, omp_test_nest_lock_, omp_unset_nest_lock_)

/* ---- the calls that make locks ---- */

#define MAKE(make, end)                                                                            \
    void make(void *lock);                                                                         \
    void end(void *lock);                                                                          \
    SCA_OPENMP_NEXT(make)                                                                          \
    SCA_OPENMP_NEXT(end)                                                                           \
    INTERPOSED void make(void *lock)                                                               \
    {                                                                                              \
        next_##make(SCA_RETURNS_TO)(lock);                                                         \
        sca_lock_places_made(lock, SCA_RETURNS_TO);                                                \
    }                                                                                              \
    INTERPOSED void end(void *lock)                                                                \
    {                                                                                              \
        next_##end(SCA_RETURNS_TO)(lock);                                                          \
        sca_lock_places_made(lock, NULL);                                                          \
    }
MAKE(omp_init_lock, omp_destroy_lock)
MAKE(omp_init_lock_, omp_destroy_lock_)
MAKE(omp_init_nest_lock, omp_destroy_nest_lock)
MAKE(omp_init_nest_lock_, omp_destroy_nest_lock_)
