/*
 * What a program sees of signals: what it blocks, waits for, reads, handles and hands on. It prints
 * the same with the runtime and without.
 */
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { STEPS = 12, FIBERS = 4, FIBER_BYTES = 8192, PIECES = 20 };

static volatile double sink = 1;
static volatile int stop, came[65];
static int rank;

__attribute__((noinline)) void compute(long n)
{
    for (long i = 0; i < n; i++)
        sink = sink * 1.0000001 + 1e-9;
}

static void steps(void)
{
    for (int i = 0; i < STEPS; i++) {
        compute(3000000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static sigset_t block_all(void)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    return old;
}

static void print_set(const char *name, const sigset_t *set)
{
    printf("%s:", name);
    for (int i = 1; i <= SIGRTMAX; i++)
        if (sigismember(set, i) == 1)
            printf(" %d", i);
    puts("");
}

static void note(int number)
{
    came[number]++;
}

static void print_came(void)
{
    for (int i = 1; i < 65; i++)
        if (came[i])
            printf("came: %d, %d times\n", i, came[i]);
}

/* ---- a thread takes all signals ---- */

static void *take(void *unused)
{
    const struct timespec soon = {0, 20000000};
    sigset_t all;
    siginfo_t info;
    sigfillset(&all);
    do { /* once at least, however late a core is had */
        compute(1000000);
        int number = sigtimedwait(&all, &info, &soon);
        if (number > 0 && number != SIGCHLD)
            came[number]++;
    } while (!stop);
    return unused;
}

static void waits(void)
{
    pthread_t thread;
    block_all();
    pthread_create(&thread, NULL, take, NULL);
    pthread_kill(thread, SIGUSR1);
    steps();
    stop = 1;
    pthread_join(thread, NULL);
    print_came();
}

/* ---- a loop of events reads them ---- */

static void reads(void)
{
    sigset_t all, pending;
    struct signalfd_siginfo info;
    struct epoll_event event = {.events = EPOLLIN};
    block_all();
    sigfillset(&all);
    int from = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC), loop = epoll_create1(EPOLL_CLOEXEC);
    epoll_ctl(loop, EPOLL_CTL_ADD, from, &event);
    for (int i = 0; i < STEPS; i++) {
        compute(3000000);
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == STEPS / 2)
            raise(SIGUSR2);
        while (epoll_pwait(loop, &event, 1, 0, &all) > 0 && read(from, &info, sizeof info) > 0)
            if (info.ssi_signo != SIGCHLD)
                came[info.ssi_signo]++;
    }
    sigpending(&pending);
    sigdelset(&pending, SIGCHLD);
    print_set("pending", &pending);
    print_came();
}

/* ---- a reporter of crashes handles them ---- */

static void handles(void)
{
    struct sigaction own = {.sa_handler = note}, old;
    sigset_t now;
    sigfillset(&own.sa_mask);
    for (int i = 1; i <= SIGRTMAX; i++)
        if (i != SIGIO && i != SIGCHLD && !sigaction(i, &own, &old) && !rank)
            printf("%d: %s\n", i, old.sa_handler == SIG_DFL ? "default" : "set");
    raise(SIGRTMAX - 1);
    steps();
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    print_set("blocked", &now);
    print_came();
}

/* ---- calls that a signal would interrupt ---- */

static int interrupted(void)
{
    const struct timespec ms = {0, 1000000};
    sigset_t none;
    int n = 0;
    sigemptyset(&none);
    n += ppoll(NULL, 0, &ms, &none) < 0;
    n += pselect(0, NULL, NULL, NULL, &ms, &none) < 0;
    n += nanosleep(&ms, NULL) < 0;
    n += poll(NULL, 0, 1) < 0;
    return n;
}

static void *sleep_and_compute(void *unused)
{
    int n = 0;
    for (int i = 0; i < PIECES; i++) {
        compute(200000);
        n += interrupted();
    }
    return n ? &stop : unused;
}

static void sleeps(void)
{
    pthread_t thread;
    void *how;
    pthread_create(&thread, NULL, sleep_and_compute, NULL);
    int n = sleep_and_compute(NULL) != NULL;
    pthread_join(thread, &how);
    steps();
    printf("interrupted: %d %d\n", n, how != NULL);
}

/* ---- threads that change the user, and that are cancelled ---- */

static void *until_cancelled(void *unused)
{
    for (;;) {
        compute(100000);
        pthread_testcancel();
    }
    return unused;
}

static void threads(void)
{
    pthread_t thread;
    void *how;
    pthread_create(&thread, NULL, until_cancelled, NULL);
    steps();
    for (int i = 0; i < PIECES; i++)
        if (setuid(getuid()) || setgid(getgid()))
            puts("no");
    pthread_cancel(thread);
    pthread_join(thread, &how);
    printf("cancelled: %d\n", how == PTHREAD_CANCELED);
}

/* ---- coroutines that take turns ---- */

static ucontext_t home, fiber[FIBERS];
static char room[FIBERS][FIBER_BYTES] __attribute__((aligned(64)));

static void turn(int i)
{
    for (int k = 0; k < PIECES; k++) {
        compute(300000);
        swapcontext(&fiber[i], i + 1 < FIBERS ? &fiber[i + 1] : &home);
    }
}

static void fibers(void)
{
    for (int i = 0; i < FIBERS; i++) {
        getcontext(&fiber[i]);
        fiber[i].uc_stack = (stack_t){.ss_sp = room[i], .ss_size = FIBER_BYTES};
        makecontext(&fiber[i], (void (*)(void))turn, 1, i);
    }
    for (int k = 0; k < PIECES; k++) {
        swapcontext(&home, &fiber[0]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* ---- small stacks, in many threads ---- */

static void *small(void *unused)
{
    compute(3000000);
    return unused;
}

static void stacks(void)
{
    pthread_attr_t smallest;
    pthread_t thread[FIBERS];
    stack_t alternate;
    pthread_attr_init(&smallest);
    pthread_attr_setstacksize(&smallest, PTHREAD_STACK_MIN);
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < FIBERS; i++)
            if (pthread_create(&thread[i], &smallest, small, NULL))
                exit(1);
        for (int i = 0; i < FIBERS; i++)
            pthread_join(thread[i], NULL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    sigaltstack(NULL, &alternate);
    printf("alternate: %d %d %zu\n", alternate.ss_sp != NULL, alternate.ss_flags,
           alternate.ss_size);
}

/* ---- a thread that goes past the C library ---- */

static void *hide(void *unused)
{
    const unsigned long all = -1;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof all);
    compute(30000000);
    return unused;
}

static void hides(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, hide, NULL);
    steps();
    pthread_join(thread, NULL);
}

/* ---- what a child begins with ---- */

static void inherits(void)
{
    const char *const script = "grep -E '^Sig(Blk|Ign|Cgt|Pnd)' /proc/self/status";
    fflush(stdout);
    steps();
    for (int i = 0; i < 3 && !rank; i++)
        if (system(script))
            exit(1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"waits", waits},   {"reads", reads},     {"handles", handles},
                {"sleeps", sleeps}, {"threads", threads}, {"fibers", fibers},
                {"stacks", stacks}, {"hides", hides},     {"inherits", inherits}};
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && !strcmp(argv[1], ways[i].name))
            ways[i].run();
    MPI_Finalize();
    puts("done");
    return 0;
}
