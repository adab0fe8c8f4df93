/*
 * A tracer of the tests' own, which shares no code with the runtime: preloaded beneath it
 * (LD_PRELOAD="libscalana-prof.so libreference_tracer.so"), a tool of the profiling interface
 * behind another one, it sees the same calls of the same run.
 *
 * At exit each rank writes $REFERENCE_TRACE/<rank>, a line per call in order:
 *     function number peer enter exit cpu_enter cpu_exit
 * number: the tag, or for collectives the count of elements (the program under test numbers its
 * call sites that way); peer: the other rank, the root, or -1; times in ns: CLOCK_MONOTONIC of the
 * host, and the thread's CPU clock. Only MPI_COMM_WORLD, one thread, and the functions below.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 1 << 16 };

struct call {
    const char *function;
    int number, peer;
    int64_t enter, exit, cpu_enter, cpu_exit;
};

static struct call calls[MOST];
static int ncalls;

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

static struct call enter(const char *function, int number, int peer)
{
    struct call call = {.function = function, .number = number, .peer = peer};
    call.cpu_enter = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    call.enter = clock_ns(CLOCK_MONOTONIC);
    return call;
}

static int leave(struct call call, int result)
{
    call.exit = clock_ns(CLOCK_MONOTONIC);
    call.cpu_exit = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    if (ncalls < MOST)
        calls[ncalls++] = call;
    return result;
}

/* `name` with this signature: calls the profiling name, between two looks at the clocks. */
#define TRACED(name, number, peer, parameters, arguments)                                          \
    int name parameters                                                                            \
    {                                                                                              \
        static int(*next) parameters;                                                              \
        if (!next)                                                                                 \
            *(void **)&next = real("P" #name);                                                     \
        struct call call = enter(#name, number, peer);                                             \
        return leave(call, next arguments);                                                        \
    }

TRACED(MPI_Send, tag, peer,
       (const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm),
       (buffer, count, type, peer, tag, comm))
TRACED(MPI_Ssend, tag, peer,
       (const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm),
       (buffer, count, type, peer, tag, comm))
TRACED(MPI_Recv, tag, peer,
       (void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
        MPI_Status *status),
       (buffer, count, type, peer, tag, comm, status))
TRACED(MPI_Barrier, 0, -1, (MPI_Comm comm), (comm))
TRACED(MPI_Bcast, count, root,
       (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
       (buffer, count, type, root, comm))
TRACED(MPI_Reduce, count, root,
       (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root,
        MPI_Comm comm),
       (in, out, count, type, op, root, comm))
TRACED(MPI_Allreduce, count, -1,
       (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
       (in, out, count, type, op, comm))

static void write_trace(int rank)
{
    const char *folder = getenv("REFERENCE_TRACE");
    char path[4096];
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/%d", folder, rank);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    for (int i = 0; i < ncalls; i++)
        fprintf(file, "%s %d %d %lld %lld %lld %lld\n", calls[i].function, calls[i].number,
                calls[i].peer, (long long)calls[i].enter, (long long)calls[i].exit,
                (long long)calls[i].cpu_enter, (long long)calls[i].cpu_exit);
    fclose(file);
}

int MPI_Finalize(void)
{
    static int (*next)(void);
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    write_trace(rank);
    *(void **)&next = real("PMPI_Finalize");
    return next();
}
