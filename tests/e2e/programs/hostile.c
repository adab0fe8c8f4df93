/* Does what its argument names, in ways that are hard on whoever watches; says what it saw. */
#include <dlfcn.h>
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rank;
static int finish_late;

/* Every bit of `path` chooses one of two call sites: 2^depth call paths. */
__attribute__((noinline)) static void branch(unsigned path, int depth)
{
    if (!depth)
        MPI_Barrier(MPI_COMM_SELF);
    else if (path & 1)
        branch(path >> 1, depth - 1);
    else
        branch(path >> 1, depth - 1);
    __asm__ volatile("");
}

static void paths(void)
{
    for (unsigned i = 0; i < 3 * 10000; i++)
        branch(i % 10000, 14);
}

__attribute__((noinline)) static void recurse(int depth)
{
    if (depth)
        recurse(depth - 1);
    else
        for (int i = 0; i < 200; i++)
            MPI_Barrier(MPI_COMM_SELF);
    __asm__ volatile("");
}

static void deep(void)
{
    recurse(10000);
}

/* Posted in one order and waited for in another. */
static void outstanding(void)
{
    enum { MANY = 200000 };
    static MPI_Request requests[MANY];
    static int in[MANY];
    for (int i = 0; i < MANY; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i % 7, MPI_COMM_SELF, &requests[i * 7919LL % MANY]);
    for (int i = 0; i < MANY; i++)
        MPI_Send(&i, 1, MPI_INT, 0, i % 7, MPI_COMM_SELF);
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
        if (in[i] != i)
            printf("message %d says %d\n", i, in[i]);
}

static void tagged(int count)
{
    int in = -1;
    for (int i = 0; i < count; i++) {
        MPI_Request request;
        MPI_Irecv(&in, 1, MPI_INT, 0, i, MPI_COMM_SELF, &request);
        MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (in != i)
            printf("message %d says %d\n", i, in);
    }
}

static void tags(void)
{
    tagged(1000000);
}

static void few_tags(void)
{
    tagged(250000);
}

static void comms(void)
{
    for (int i = 0; i < 100000; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
}

/* The plugin adds up 1 .. n, slowly enough to be sampled. */
static void plugins(void)
{
    long sum = 0;
    for (int i = 0; i < 300; i++) {
        void *plugin = dlopen("./plugin.so", RTLD_NOW);
        long (*work)(long) = (long (*)(long))dlsym(plugin, "plugin_work");
        sum += work(100000);
        MPI_Barrier(MPI_COMM_SELF);
        dlclose(plugin);
    }
    printf("plugins: %ld\n", sum);
}

static volatile sig_atomic_t profiled, alarmed;

static void on_prof(int number)
{
    (void)number;
    profiled++;
}

static void on_timer(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    alarmed += info->si_value.sival_int == 42;
}

/* No signal finds room to wait: for a real-time one the kernel then sends SIGIO. */
static void fill_queue(void)
{
    clock_t begin = clock();
    setrlimit(RLIMIT_SIGPENDING, &(struct rlimit){0, 0});
    while (clock() - begin < CLOCKS_PER_SEC / 10)
        ;
    printf("queue: full\n");
}

static void timers(void)
{
    struct itimerval every = {{0, 2000}, {0, 2000}};
    struct itimerspec often = {{0, 2000000}, {0, 2000000}};
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 5};
    timer_t timer;
    event.sigev_value.sival_int = 42;
    sigaction(SIGRTMIN + 5, &action, NULL);
    signal(SIGPROF, on_prof);
    timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
    setitimer(ITIMER_PROF, &every, NULL);
    timer_settime(timer, 0, &often, NULL);
    while (profiled < 50 || alarmed < 50)
        MPI_Barrier(MPI_COMM_SELF);
    struct sigaction now;
    sigaction(SIGPROF, NULL, &now);
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
    timer_delete(timer);
    printf("timers: own handler %d\n", now.sa_handler == on_prof);
    fill_queue();
}

static sigset_t usual_mask;

/* As a program does whose signals go to a thread of their own. */
static void block_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &usual_mask);
}

/* What came since MPI_Init comes now. */
static void masked(void)
{
    volatile double x = 1;
    for (long i = 0; i < 50000000; i++)
        x = x * 1.0000001;
    sigprocmask(SIG_SETMASK, &usual_mask, NULL);
    MPI_Barrier(MPI_COMM_SELF);
    sigset_t now;
    sigprocmask(SIG_SETMASK, NULL, &now);
    printf("masked: %d\n", sigismember(&now, SIGRTMAX - 1));
}

static void children(void)
{
    int status = 0;
    for (int i = 0; i < 5; i++) {
        pid_t pid = fork();
        if (!pid)
            execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
        waitpid(pid, &status, 0);
        printf("child: %d, system: %d\n", WEXITSTATUS(status), WEXITSTATUS(system("exit 4")));
        MPI_Barrier(MPI_COMM_SELF);
    }
}

static jmp_buf out;

static void leave_mpi(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    (void)error;
    longjmp(out, 1);
}

/* An error handler that never returns: MPI does not promise that it works afterwards, but local
 * errors of arguments leave nothing behind in either library. */
static void jump(void)
{
    MPI_Errhandler handler;
    volatile int jumps = 0;
    MPI_Comm_create_errhandler(leave_mpi, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    while (jumps < 10)
        if (!setjmp(out))
            MPI_Send(NULL, 1, MPI_INT, 12345, 0, MPI_COMM_SELF);
        else
            jumps++;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    for (int i = 0; i < 100; i++)
        MPI_Barrier(MPI_COMM_SELF);
    printf("jumps: %d\n", jumps);
}

static void later(void)
{
    finish_late = 1;
}

__attribute__((destructor)) static void at_exit(void)
{
    int over = 0;
    if (!finish_late)
        return;
    MPI_Initialized(&over);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Finalized(&over);
    printf("over: %d\n", over);
    fflush(stdout);
}

/* As programs do that must not wait for a page: before MPI_Init, where memory to come is meant. */
static void lock_memory(int which)
{
    if (mlockall(which))
        perror("mlockall");
}

static long resident_kb(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        pages = -1;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void locked(void)
{
    for (int i = 0; i < 100; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    fprintf(stderr, "resident %ld\n", resident_kb());
}

static void locked_later(void)
{
    for (int i = 0; i < 100; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    lock_memory(MCL_CURRENT | MCL_FUTURE);
    locked();
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {{"paths", paths},     {"deep", deep},
            {"tags", tags},       {"few_tags", few_tags},
            {"comms", comms},     {"outstanding", outstanding},
            {"locked", locked},   {"locked_later", locked_later},
            {"plugins", plugins}, {"timers", timers},
            {"masked", masked},   {"children", children},
            {"jump", jump},       {"later", later}};

int main(int argc, char **argv)
{
    struct rusage usage;
    if (argc > 1 && !strcmp(argv[1], "masked"))
        block_signals();
    if (argc > 1 && !strcmp(argv[1], "locked"))
        lock_memory(MCL_CURRENT | MCL_FUTURE);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && !strcmp(argv[1], ways[i].name))
            ways[i].run();
    printf("done\n");
    fflush(stdout);
    if (!finish_late)
        MPI_Finalize();
    getrusage(RUSAGE_SELF, &usage); /* with what the end of a run takes */
    fprintf(stderr, "memory %ld\n", usage.ru_maxrss);
    return 0;
}
