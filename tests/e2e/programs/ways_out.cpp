/*
 * Ways out of a process that hold for one process, without a launcher: with the library, each looks
 * as without it.
 *
 * ways_out WAY
 */
#include <mpi.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;

static void say(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        _exit(99);
}

struct Static {
    ~Static()
    {
        say("static destructor\n");
    }
};
static Static object;

static void at_exit()
{
    say("atexit\n");
}
static void finalize()
{
    MPI_Finalize();
}
static void jump(int)
{
    siglongjmp(back, 1);
}
static void leave_quickly(int)
{
    _exit(7);
}
static void leave_by_exit(MPI_Comm *, int *, ...)
{
    exit(9);
}
static void terminate_own()
{
    say("terminate\n");
    _exit(11);
}
static void *thread_exits(void *)
{
    exit(13);
}

static void on_small_stack()
{
    static char room[8192]; /* what the kernel's frame leaves of it is little */
    stack_t stack = {};
    stack.ss_sp = room;
    stack.ss_size = sizeof room;
    sigaltstack(&stack, nullptr);
    struct sigaction action = {};
    action.sa_handler = leave_quickly;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    raise(SIGSEGV);
}

static void child(bool shares_memory, const char *how)
{
    pid_t pid = shares_memory ? vfork() : fork();
    if (!pid) {
        if (!strcmp(how, "abort"))
            abort();
        _exit(5);
    }
    int status;
    waitpid(pid, &status, 0);
    printf("child %#x\n", status);
}

static void outlive_abort()
{
    signal(SIGABRT, jump);
    if (!sigsetjmp(back, 1))
        abort();
    say("on it goes\n");
}

static void within_mpi()
{
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(leave_by_exit, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    int one = 1;
    MPI_Bcast(&one, 1, MPI_INT, 99, MPI_COMM_WORLD);
}

static void from_thread()
{
    pthread_t other;
    pthread_create(&other, nullptr, thread_exits, nullptr);
    pause();
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    atexit(at_exit);
    at_quick_exit(at_exit);
    if (!strcmp(way, "before"))
        exit(3);
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(way, "finalize_at_exit")) {
        atexit(finalize);
        exit(4);
    }
    if (!strcmp(way, "quick"))
        quick_exit(6);
    if (!strcmp(way, "_Exit"))
        _Exit(8);
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "small_stack"))
        on_small_stack();
    if (!strcmp(way, "forked"))
        child(false, way);
    if (!strcmp(way, "vforked"))
        child(true, way);
    if (!strcmp(way, "outlived"))
        outlive_abort();
    if (!strcmp(way, "within_mpi"))
        within_mpi();
    if (!strcmp(way, "thread"))
        from_thread();
    if (!strcmp(way, "terminate"))
        std::set_terminate(terminate_own), throw 1;
    if (!strcmp(way, "noexcept"))
        []() noexcept { throw 1; }();
    if (!strcmp(way, "freed_twice"))
        free(static_cast<char *>(malloc(64)) + 8);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (!strcmp(way, "after"))
        exit(12);
    return 14;
}
