// MPI is left by jumps of every kind; what is computed from there to the next MPI call is
// computation. The next call may be made by a deeper frame, on another stack, or never.
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mpi.h>
#include <stdexcept>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static volatile unsigned ticks;
static jmp_buf out;
static sigjmp_buf late;
static int rank;

static std::uint64_t cpu_ns()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u +
           static_cast<std::uint64_t>(t.tv_nsec);
}

static std::uint64_t busy_ns;

APART static void work()
{
    std::uint64_t begin = cpu_ns();
    while (cpu_ns() - begin < 60000000)
        for (int k = 0; k < 100000; k++)
            ticks = ticks + 1;
    busy_ns += cpu_ns() - begin;
}

static void by_exception(MPI_Comm *, int *error, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(*error, text, &length);
    throw std::runtime_error(text);
}

static void by_longjmp(MPI_Comm *, int *, ...)
{
    std::longjmp(out, 1);
}

static void set(void (*handler)(MPI_Comm *, int *, ...))
{
    MPI_Errhandler made;
    MPI_Comm_create_errhandler(handler, &made);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, made);
    MPI_Errhandler_free(&made);
}

static void fail()
{
    MPI_Send(nullptr, 0, MPI_INT, 12345, 0, MPI_COMM_SELF);
}

static void exceptions()
{
    set(by_exception);
    for (int i = 0; i < 3; i++) {
        try {
            fail();
        } catch (std::runtime_error &) {
            if (!rank)
                std::printf("caught\n");
        }
        work();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

// The next call's frames lie where those of the one that was left had been.
APART static int deeper(int levels)
{
    volatile char room[600];
    std::memset(const_cast<char *>(room), levels, sizeof room);
    if (levels)
        return deeper(levels - 1) + room[5];
    work();
    MPI_Barrier(MPI_COMM_WORLD);
    return room[7];
}

static void deep()
{
    set(by_longjmp);
    for (volatile int i = 0; i < 3; i++) {
        if (!setjmp(out))
            fail();
        if (deeper(40) && !rank)
            std::printf("deeper\n");
    }
}

static ucontext_t main_stack, fiber_stack;
static char fiber_room[1 << 18];

static void in_fiber()
{
    if (!setjmp(out))
        fail();
    work();
    MPI_Barrier(MPI_COMM_WORLD);
    if (!setjmp(out))
        fail();
}

// Left on one stack, called on the next.
static void fibers()
{
    set(by_longjmp);
    for (int i = 0; i < 3; i++) {
        getcontext(&fiber_stack);
        fiber_stack.uc_stack.ss_sp = fiber_room;
        fiber_stack.uc_stack.ss_size = sizeof fiber_room;
        fiber_stack.uc_link = &main_stack;
        makecontext(&fiber_stack, in_fiber, 0);
        swapcontext(&main_stack, &fiber_stack);
        std::memset(fiber_room, 0, sizeof fiber_room);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!rank)
        std::printf("fibers\n");
}

static void too_late(int)
{
    siglongjmp(late, 1);
}

// A time limit of the program's own: nothing ever comes. The signal is this thread's: MPI has
// others.
static void limit()
{
    int word = 0;
    std::signal(SIGALRM, too_late);
    if (!sigsetjmp(late, 1)) {
        timer_t timer;
        sigevent to_me = {};
        to_me.sigev_notify = SIGEV_THREAD_ID;
        to_me.sigev_signo = SIGALRM;
        to_me._sigev_un._tid = gettid();
        itimerspec soon = {{0, 0}, {0, 100000000}};
        timer_create(CLOCK_MONOTONIC, &to_me, &timer);
        timer_settime(timer, 0, &soon, nullptr);
        for (;;)
            MPI_Probe(0, 99, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    work();
    work();
    MPI_Comm_rank(MPI_COMM_WORLD, &word);
    if (!rank)
        std::printf("limit %d\n", word == rank);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *way = argc > 1 ? argv[1] : "";
    if (!std::strcmp(way, "exceptions"))
        exceptions();
    else if (!std::strcmp(way, "deep"))
        deep();
    else if (!std::strcmp(way, "fibers"))
        fibers();
    else if (!std::strcmp(way, "limit"))
        limit();
    MPI_Barrier(MPI_COMM_WORLD);
    std::fprintf(stderr, "rank %d: busy %llu\n", rank, static_cast<unsigned long long>(busy_ns));
    std::fflush(nullptr);
    MPI_Finalize();
    return 0;
}
