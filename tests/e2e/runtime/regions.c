/* regions: phases by name, in every order that programs may come to. Prints what it would without
 * the tool. */
#include <mpi.h>
#include <scalana/region.h>

#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 60, MANY = 200000 };

static volatile double sink;

static void work(void)
{
    for (int i = 0; i < 20000; i++)
        sink = sink * 0.9999999 + 1e-8;
}

static void *beside(void *nothing)
{
    for (int i = 0; i < 1000; i++) {
        scalana_region_begin("of another thread");
        scalana_region_end("of another thread");
    }
    return nothing;
}

static void go_round(int i)
{
    double one = 1, sum;
    scalana_region_begin("inner");
    work();
    scalana_region_end("inner");
    if (i % 10 == 9) {
        MPI_Pcontrol(3);
        work();
        MPI_Pcontrol(1);
    }
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    scalana_region_begin("whole");
    scalana_region_end("never begun");
    MPI_Init(&argc, &argv);
    scalana_region_begin("first");
    for (int i = 0; i < ROUNDS; i++) {
        if (i == ROUNDS / 2) {
            scalana_region_begin("left open"); /* ends with what is around it */
            scalana_region_end("first");
            scalana_region_begin("second");
        }
        go_round(i);
    }
    pthread_create(&thread, NULL, beside, NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < MANY; i++) {
        scalana_region_begin("tiny");
        scalana_region_end("tiny");
    }
    scalana_region_begin(NULL);
    scalana_region_end("");
    MPI_Finalize();
    scalana_region_end("second");
    scalana_region_begin("late");
    return 0;
}
