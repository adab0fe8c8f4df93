/*
 * Preloaded in front of a library that wraps MPI: passes a program's MPI calls through that library
 * and around it, in turns of so many calls, and says what CPU time each of the two took. Both are
 * of one run then, some ten milliseconds apart, so that what slows down the machine slows both.
 * While calls go around it, the library is told by MPI_Pcontrol that nothing is to be recorded.
 *
 *     BENCH_CALLS=N    calls of a turn (200)
 *     BENCH_ORDER=N    which of two turns comes first is drawn from N / 2; with an odd N all turns
 *                      are the other way round: of two such runs each turn was spent both ways
 *     BENCH_SPIN=NS    computes so long in each call that goes through (0): a known cost
 *
 * stderr, a line from each rank: "turns COUNT SECONDS through, COUNT SECONDS around". A turn ends
 * only where no request is open. Calls that are not named below go through the library. One thread;
 * Open MPI.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WARM_UP = 4 };
enum way { THROUGH, AROUND };

static struct {
    bool ready, second, inverted;
    enum way way;
    long calls, most, turns, spin_ns;
    int requests;
    unsigned dice;
    double began;
    struct {
        long turns;
        double seconds;
    } spent[2];
} state;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_seconds(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void spin(void)
{
    double until = seconds(CLOCK_MONOTONIC) + 1e-9 * (double)state.spin_ns;
    while (seconds(CLOCK_MONOTONIC) < until)
        continue;
}

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static void prepare(void)
{
    long order = setting("BENCH_ORDER", 0);
    state.most = setting("BENCH_CALLS", 200);
    state.dice = 1 + 7919 * (unsigned)(order / 2);
    state.inverted = order & 1;
    state.spin_ns = setting("BENCH_SPIN", 0);
    state.ready = true;
}

/* Of two turns the first is drawn, the same on all ranks, and the second is the other. */
static enum way next_way(void)
{
    state.second = !state.second;
    if (!state.second)
        return state.way == THROUGH ? AROUND : THROUGH;
    state.dice = state.dice * 1664525u + 1013904223u;
    return ((state.dice >> 16 & 1) != 0) != state.inverted ? AROUND : THROUGH;
}

static void tell_library(void)
{
    typedef int function(int level, ...);
    static function *control;
    if (!control)
        control = (function *)dlsym(RTLD_NEXT, "MPI_Pcontrol");
    control(state.way == THROUGH);
}

static void end_turn(void)
{
    if (state.turns++ >= WARM_UP) {
        state.spent[state.way].turns++;
        state.spent[state.way].seconds += cpu_seconds() - state.began;
    }
    state.calls = 0;
    state.way = next_way();
    tell_library();
    state.began = cpu_seconds();
}

static void count(void)
{
    if (!state.ready)
        prepare();
    if (++state.calls >= state.most && state.requests == 0)
        end_turn();
    if (state.way == THROUGH && state.spin_ns)
        spin();
}

static void *in_mpi(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD), *found = NULL;
    if (handle)
        found = dlsym(handle, name);
    if (!found) {
        fprintf(stderr, "in_turns: no %s in %s\n", name, library);
        exit(1);
    }
    return found;
}

/* `more`: requests that it opens. */
#define CALL(result, name, library, real, more, parameters, arguments)                             \
    result name parameters                                                                         \
    {                                                                                              \
        typedef result function parameters;                                                        \
        static function *ways[2];                                                                  \
        if (!ways[AROUND]) {                                                                       \
            ways[AROUND] = (function *)in_mpi(library, real);                                      \
            ways[THROUGH] = (function *)dlsym(RTLD_NEXT, #name);                                   \
        }                                                                                          \
        count();                                                                                   \
        state.requests += (more);                                                                  \
        return ways[state.way] arguments;                                                          \
    }
#define C(name, more, parameters, arguments)                                                       \
    CALL(int, MPI_##name, "libmpi.so.40", "PMPI_" #name, more, parameters, arguments)
#define FORTRAN(name, more, parameters, arguments)                                                 \
    CALL(void, mpi_##name##_, "libmpi_mpifh.so.40", "pmpi_" #name "_", more, parameters, arguments)

C(Send, 0, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c),
  (b, n, t, to, tag, c))
C(Irecv, 1, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r),
  (b, n, t, from, tag, c, r))
C(Wait, -1, (MPI_Request * r, MPI_Status *s), (r, s))
C(Allreduce, 0, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
  (a, b, n, t, o, c))
C(Alltoall, 0, (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c),
  (a, n, t, b, m, u, c))
C(Alltoallv, 0,
  (const void *a, const int *n, const int *d, MPI_Datatype t, void *b, const int *m, const int *e,
   MPI_Datatype u, MPI_Comm c),
  (a, n, d, t, b, m, e, u, c))

FORTRAN(send, 0, (void *b, int *n, int *t, int *to, int *tag, int *c, int *e),
        (b, n, t, to, tag, c, e))
FORTRAN(recv, 0, (void *b, int *n, int *t, int *from, int *tag, int *c, int *s, int *e),
        (b, n, t, from, tag, c, s, e))
FORTRAN(irecv, 1, (void *b, int *n, int *t, int *from, int *tag, int *c, int *r, int *e),
        (b, n, t, from, tag, c, r, e))
FORTRAN(wait, -1, (int *r, int *s, int *e), (r, s, e))

static void report(void)
{
    fprintf(stderr, "turns %ld %.9f through, %ld %.9f around\n", state.spent[THROUGH].turns,
            state.spent[THROUGH].seconds, state.spent[AROUND].turns, state.spent[AROUND].seconds);
}

int MPI_Finalize(void)
{
    report();
    return ((int (*)(void))dlsym(RTLD_NEXT, "MPI_Finalize"))();
}

void mpi_finalize_(int *error)
{
    report();
    ((void (*)(int *))dlsym(RTLD_NEXT, "mpi_finalize_"))(error);
}
