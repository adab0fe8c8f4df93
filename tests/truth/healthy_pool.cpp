// Threads of each rank take pieces from a queue behind a mutex and a condition variable, read a
// table that they share, and count what they did: short locks, and work that is shared out.
// TRUTH: none flags=-pthread
#include "truth.h"
#include <condition_variable>
#include <cstdio>
#include <mpi.h>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace
{
constexpr int kSteps = 30, kPieces = 32, kWork = 250000, kThreads = 2;

std::mutex mutex;
std::condition_variable changed;
std::shared_mutex table_lock;
double table[kPieces], sum;
int left, running, amount;
bool ended;

double compute(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999999 + 1e-8;
    return x;
}

double read(int piece)
{
    std::shared_lock<std::shared_mutex> lock(table_lock);
    return table[piece];
}

// -1: there are no more for good.
int take()
{
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return left || ended; });
    return left ? --left : -1;
}

void give(double x)
{
    std::lock_guard<std::mutex> lock(mutex);
    sum += x;
    if (!--running)
        changed.notify_all();
}

void serve()
{
    for (int piece = take(); piece >= 0; piece = take())
        give(compute(read(piece), amount));
}

void step()
{
    std::unique_lock<std::mutex> lock(mutex);
    left = running = kPieces;
    changed.notify_all();
    changed.wait(lock, [] { return !running; });
}

void end()
{
    std::lock_guard<std::mutex> lock(mutex);
    ended = true;
    changed.notify_all();
}
} // namespace

int main(int argc, char **argv)
{
    int rank, size, level;
    double all = 0;
    std::vector<std::thread> pool;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    amount = kWork / size;
    for (int i = 0; i < kThreads; i++)
        pool.emplace_back(serve);
    for (int i = 0; i < kSteps; i++) {
        step();
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    end();
    for (auto &thread : pool)
        thread.join();
    if (rank == 0)
        std::printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
