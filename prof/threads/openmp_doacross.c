/*
 * Iterations that wait for others of their loop (doacross), of GCC's runtime and of LLVM's: one
 * that another depends on has its turn, whose key its counters are (team.h). Who is late is charged
 * at the call that waits.
 */
#include "calls/activity.h"
#include "mpi_functions.h"
#include "outside/holders.h"
#include "threads/openmp_entry.h"
#include "threads/openmp_loops.h"
#include "threads/team.h"

#include <stdarg.h>

#define INTERPOSED __attribute__((visibility("default")))

enum { DIMENSIONS = 16 /* as many counters are passed on */ };

/* All waits count as for one object: which iterations depend on which is their turns' business. */
static const char waits;

/* Iterations that follow each other have different places (team.c); 0 is `ordered`'s. */
static uint64_t key_of(const long long *counters, unsigned n)
{
    uint64_t key = 0;
    for (unsigned i = 0; i < n; i++)
        key = key * 0x9e3779b97f4a7c15u + (uint64_t)counters[i] + 1;
    return key ? key : 1;
}

static uint64_t begin(void)
{
    return sca_holders_follow() ? sca_team_turn_begin() : 0;
}

static void end(uint64_t began_ns, uint64_t key, const void *return_address, const void *cfa)
{
    uint32_t before = 0;
    uint64_t ns = sca_team_turn_come(began_ns, key, &before);
    struct sca_holder *h = sca_holder_of(&waits);
    if (ns && (h->lock == &waits || sca_holders_begin(h, &waits)))
        sca_holders_waited(&waits, ns, before, SCA_OUTSIDE_OpenMP_doacross, return_address, cfa);
}

static void post(uint64_t key)
{
    if (sca_holders_follow())
        sca_team_turn_over(key);
}

/* ---- GCC's: how many counters there are the loop's begin has said ---- */

#define GNU(suffix, type)                                                                          \
    void GOMP_doacross_##suffix##post(type *counters);                                             \
    void GOMP_doacross_##suffix##wait(type first, ...);                                            \
    SCA_OPENMP_NEXT(GOMP_doacross_##suffix##post)                                                  \
    SCA_OPENMP_NEXT(GOMP_doacross_##suffix##wait)                                                  \
    INTERPOSED void GOMP_doacross_##suffix##post(type *counters)                                   \
    {                                                                                              \
        long long c[DIMENSIONS];                                                                   \
        unsigned n = sca_openmp_loops_dimensions();                                                \
        for (unsigned i = 0; i < n && i < DIMENSIONS; i++)                                         \
            c[i] = (long long)counters[i];                                                         \
        if (n && n <= DIMENSIONS)                                                                  \
            post(key_of(c, n));                                                                    \
        next_GOMP_doacross_##suffix##post(SCA_RETURNS_TO)(counters);                               \
    }                                                                                              \
    INTERPOSED void GOMP_doacross_##suffix##wait(type first, ...)                                  \
    {                                                                                              \
        type c[DIMENSIONS] = {first};                                                              \
        long long key[DIMENSIONS] = {(long long)first};                                            \
        unsigned n = sca_openmp_loops_dimensions();                                                \
        va_list more;                                                                              \
        va_start(more, first);                                                                     \
        for (unsigned i = 1; i < n && i < DIMENSIONS; i++)                                         \
            key[i] = (long long)(c[i] = va_arg(more, type));                                       \
        va_end(more);                                                                              \
        uint64_t began_ns = n && n <= DIMENSIONS ? begin() : 0;                                    \
        next_GOMP_doacross_##suffix##wait(SCA_RETURNS_TO)(c[0], c[1], c[2], c[3], c[4], c[5],      \
                                                          c[6], c[7], c[8], c[9], c[10], c[11],    \
                                                          c[12], c[13], c[14], c[15]);             \
        end(began_ns, key_of(key, n), SCA_CALLER);                                                 \
    }
GNU(, long)
GNU(ull_, unsigned long long)

/* ---- LLVM's ---- */

static _Thread_local unsigned dimensions __attribute__((tls_model("initial-exec")));

void __kmpc_doacross_init(void *place, int thread, int count, const void *bounds);
void __kmpc_doacross_post(void *place, int thread, const long long *counters);
void __kmpc_doacross_wait(void *place, int thread, const long long *counters);
SCA_OPENMP_NEXT(__kmpc_doacross_init)
SCA_OPENMP_NEXT(__kmpc_doacross_post)
SCA_OPENMP_NEXT(__kmpc_doacross_wait)

INTERPOSED void __kmpc_doacross_init(void *place, int thread, int count, const void *bounds)
{
    dimensions = count > 0 && count <= DIMENSIONS ? (unsigned)count : 0;
    next___kmpc_doacross_init(SCA_RETURNS_TO)(place, thread, count, bounds);
}

INTERPOSED void __kmpc_doacross_post(void *place, int thread, const long long *counters)
{
    if (dimensions)
        post(key_of(counters, dimensions));
    next___kmpc_doacross_post(SCA_RETURNS_TO)(place, thread, counters);
}

INTERPOSED void __kmpc_doacross_wait(void *place, int thread, const long long *counters)
{
    uint64_t began_ns = dimensions ? begin() : 0;
    uint64_t key = dimensions ? key_of(counters, dimensions) : 0;
    next___kmpc_doacross_wait(SCA_RETURNS_TO)(place, thread, counters);
    end(began_ns, key, SCA_CALLER);
}
