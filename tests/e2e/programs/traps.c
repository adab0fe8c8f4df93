/* A program that has its own use for SIGTRAP: says what reaches its handlers, and with what signals
 * blocked. usage: traps handlers|once|ignored|quiet|raised|breakpoint|ignored_breakpoint */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t first, second, blocked_user, blocked_trap;
static volatile double sink;

static void on_first(int number, siginfo_t *info, void *ucontext)
{
    sigset_t blocked;
    (void)ucontext;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    blocked_user = sigismember(&blocked, SIGUSR1);
    blocked_trap = sigismember(&blocked, SIGTRAP);
    first += number == SIGTRAP && info->si_signo == SIGTRAP;
}

static void on_second(int number)
{
    second += number == SIGTRAP;
}

/* Long enough for a few hundred samples. */
static void compute(void)
{
    double end = MPI_Wtime() + 0.6;
    while (MPI_Wtime() < end)
        for (int i = 0; i < 100000; i++)
            sink += i * 0.5;
}

static void breakpoint(void)
{
    __asm__ volatile("int3");
}

static void set_first(void)
{
    struct sigaction mine = {.sa_flags = SA_SIGINFO};
    mine.sa_sigaction = on_first;
    sigaddset(&mine.sa_mask, SIGUSR1);
    sigaction(SIGTRAP, &mine, NULL);
}

/* Of a handler that was there before MPI_Init, and one set after it. */
static void handlers(void)
{
    struct sigaction found;
    compute();
    raise(SIGTRAP);
    breakpoint();
    printf("first %d, blocks SIGUSR1 %d, SIGTRAP %d\n", first, blocked_user, blocked_trap);
    sigaction(SIGTRAP, NULL, &found);
    printf("found %d flags %d mask %d\n", found.sa_sigaction == on_first,
           !!(found.sa_flags & SA_SIGINFO), sigismember(&found.sa_mask, SIGUSR1));
    printf("before %d\n", signal(SIGTRAP, on_second) == (sighandler_t)(void *)on_first);
    compute();
    raise(SIGTRAP);
    breakpoint();
    printf("first %d, second %d\n", first, second);
}

static void once(void)
{
    struct sigaction found;
    sysv_signal(SIGTRAP, on_second);
    compute();
    raise(SIGTRAP);
    sigaction(SIGTRAP, NULL, &found);
    printf("second %d, default again %d\n", second, found.sa_handler == SIG_DFL);
}

static void ignored(void)
{
    signal(SIGTRAP, SIG_IGN);
    compute();
    raise(SIGTRAP);
    printf("ignored\n");
}

static void quiet(void)
{
    signal(SIGTRAP, on_second);
    compute();
    printf("second %d\n", second);
}

static void raised(void)
{
    signal(SIGTRAP, SIG_DFL);
    compute();
    raise(SIGTRAP);
}

static void ignored_breakpoint(void)
{
    signal(SIGTRAP, SIG_IGN);
    breakpoint();
}

static void default_breakpoint(void)
{
    signal(SIGTRAP, SIG_DFL);
    breakpoint();
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {{"handlers", handlers},
            {"once", once},
            {"ignored", ignored},
            {"quiet", quiet},
            {"raised", raised},
            {"breakpoint", default_breakpoint},
            {"ignored_breakpoint", ignored_breakpoint}};

int main(int argc, char **argv)
{
    set_first();
    MPI_Init(&argc, &argv);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && !strcmp(argv[1], ways[i].name))
            ways[i].run();
    printf("done\n");
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
