// Each rank's three threads go through the same code, each with a communicator of its own; the last
// thread of one rank computes for longer.
// TRUTH: category=imbalance ranks=last waits=none cost=? flags=-pthread
#include "truth.h"
#include <cstdio>
#include <mpi.h>
#include <thread>
#include <vector>

namespace
{
constexpr int kSteps = 80, kWork = 1200000, kThreads = 3, kMore = 4;

struct Column {
    int rank, size;
    bool more;
    MPI_Comm comm;
    double sum;
};

double advance(double x, int count)
{
    for (int i = 0; i < count; i++) // CAUSE
        x = x * 0.9999999 + 1e-8;
    return x;
}

double exchange(const Column &column, double out)
{
    double in = 0;
    int next = (column.rank + 1) % column.size;
    int before = (column.rank + column.size - 1) % column.size;
    MPI_Request sent;
    MPI_Isend(&out, 1, MPI_DOUBLE, next, 0, column.comm, &sent);
    MPI_Recv(&in, 1, MPI_DOUBLE, before, 0, column.comm, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return in;
}

void run(Column *column)
{
    for (int step = 0; step < kSteps; step++) {
        double times = truth_times(column->more, kMore, step, kSteps);
        if (column->more)
            truth_begin();
        double x = advance(step, static_cast<int>(times * kWork / column->size));
        if (column->more)
            truth_end(0, 1 - 1 / times);
        column->sum += exchange(*column, x);
    }
}
} // namespace

int main(int argc, char **argv)
{
    int level, rank, size;
    double sum = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const bool more = truth_defect(rank) && rank == size - 1;
    std::vector<Column> columns(kThreads);
    for (int i = 0; i < kThreads; i++) {
        columns[i] = {rank, size, more && i == kThreads - 1, MPI_COMM_NULL, 0};
        MPI_Comm_dup(MPI_COMM_WORLD, &columns[i].comm);
    }
    std::vector<std::thread> pool;
    for (auto &column : columns)
        pool.emplace_back(run, &column);
    for (auto &thread : pool)
        thread.join();
    for (const auto &column : columns)
        sum += column.sum;
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
