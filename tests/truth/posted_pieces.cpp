// Each rank's first thread works on pieces that another one makes, and waits at a semaphore
// until the next is there: to make one takes three times as long as to work on it.
// TRUTH: category=imbalance ranks=all waits=none cost=? gain=P*worst/2 flags=-pthread
#include "truth.h"
#include <cstdio>
#include <mpi.h>
#include <semaphore.h>
#include <thread>

namespace
{
constexpr int kSteps = 40, kPieces = 16, kWork = 300000, kMore = 3;

sem_t ready;
double pieces[kPieces];

double make(double x, int count)
{
    for (int i = 0; i < count; i++) // CAUSE
        x = x * 0.9999999 + 1e-8;
    return x;
}

double use(double x, int count)
{
    for (int i = 0; i < count; i++)
        x = x * 0.9999998 + 2e-8;
    return x;
}

void produce(int amount, int times)
{
    for (double &piece : pieces) {
        truth_begin();
        piece = make(1, times * amount);
        truth_end(0, 1 - 1.0 / times);
        sem_post(&ready);
    }
}

double step(int amount, int times)
{
    double sum = 0;
    std::thread producer(produce, amount, times);
    for (double piece : pieces) {
        sem_wait(&ready);
        sum += use(1 + piece * 1e-9, amount);
    }
    producer.join();
    return sum;
}
} // namespace

int main(int argc, char **argv)
{
    int rank, size, level;
    double all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sem_init(&ready, 0, 0);
    int times = truth_defect(rank) ? kMore : 1;
    for (int i = 0; i < kSteps; i++) {
        double sum = step(kWork / size, times);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        std::printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
