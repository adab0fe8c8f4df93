/* Two threads of a rank hand a lock of the standard library over, once a step: the first has it
 * until the other comes, and computes on. At the end it waits in the standard library for the
 * other. */
#include <atomic>
#include <cstdio>
#include <mpi.h>
#include <mutex>
#include <thread>

namespace
{

const int steps = 20, had = 3000000;
std::mutex table_lock;
std::atomic<int> taken, comes, had_by_other;
double table;

double work(double x, int n)
{
    for (int i = 0; i < n; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

void have(int step)
{
    while (had_by_other < step - 1)
        std::this_thread::yield();
    std::lock_guard<std::mutex> guard(table_lock); // HOLDER
    taken = step;
    while (comes < step)
        std::this_thread::yield();
    table += work(table, had);
}

void ask(int step)
{
    while (taken < step)
        std::this_thread::yield();
    comes = step;
    std::lock_guard<std::mutex> guard(table_lock); // WAITER
    table += 1;
    had_by_other = step;
}

void other()
{
    for (int step = 1; step <= steps; step++)
        ask(step);
}

} // namespace

int main(int argc, char **argv)
{
    int level;
    double all;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    std::thread thread(other);
    for (int step = 1; step <= steps; step++)
        have(step);
    thread.join();
    MPI_Allreduce(&table, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    std::printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
