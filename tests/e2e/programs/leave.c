/* Ends in the way its argument names, in the middle of 100 exchanges round a ring. */
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;
static const char *way;

static int is(const char *name)
{
    return !strcmp(way, name);
}

static void work(int n)
{
    volatile double x = 0;
    for (int i = 0; i < n * 1000; i++)
        x += i * 0.5;
}

static void exchange(void)
{
    double sent = rank, received = 0, sum = 0;
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % size, 0, &received, 1, MPI_DOUBLE,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&received, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void child(void)
{
    pid_t pid = fork();
    if (!pid)
        exit(0); /* with destructors and all: the parent's run must not notice */
    waitpid(pid, NULL, 0);
}

/* Of the kernel's, open in this process. */
static int perf_events(void)
{
    int n = 0;
    DIR *all = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(all));) {
        char path[300], target[64] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        n += readlink(path, target, sizeof target - 1) > 0 && strstr(target, "perf_event");
    }
    closedir(all);
    return n;
}

static void halfway(void)
{
    if (is("events"))
        printf("perf events %s\n", perf_events() ? "open" : "none");
    if (is("fork"))
        child();
    if (is("limit"))
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    if (is("stderr"))
        freopen("app.log", "w", stderr);
    if (rank != 1)
        return;
    if (is("abort"))
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (is("exit"))
        exit(4);
    if (is("kill"))
        raise(SIGKILL);
    if (is("term"))
        raise(SIGTERM);
    if (is("segv"))
        *(volatile int *)8 = 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    way = argc > 1 ? argv[1] : "";
    for (int i = 0; i < 100; i++) {
        if (i == 50)
            halfway();
        work(100);
        exchange();
    }
    if (is("dead")) {
        MPI_Barrier(MPI_COMM_WORLD);
        usleep(300000);
        if (rank == 1)
            raise(SIGKILL);
    }
    if (is("late") && rank == 0)
        sleep(2);
    if (rank == 0)
        printf("done\n");
    if (is("forget"))
        return 5;
    MPI_Finalize();
    return is("status") ? 6 : 0;
}
