/* annotations: regions of Caliper and TALP become phases, by functions of those names in a library
 * of its own; and the functions are called as often, in the order, and with the arguments that the
 * program gave. */
#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20, NAMES = 3 };

void cali_begin_region(const char *name);
void cali_end_region(const char *name);
void cali_begin_phase(const char *name) __attribute__((weak)); /* the library has none */
void *DLB_MonitoringRegionRegister(const char *name);
int DLB_MonitoringRegionStart(void *region);
int DLB_MonitoringRegionStop(void *region);
const char *annotations_seen(void);

static volatile double sink;

static void work(void)
{
    for (int i = 0; i < 20000; i++)
        sink = sink * 0.9999999 + 1e-8;
}

int main(int argc, char **argv)
{
    double one = 1, sum;
    void *solve = DLB_MonitoringRegionRegister("solve");
    MPI_Init(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        cali_begin_region("round");
        int bad = DLB_MonitoringRegionStart(solve) != 0;
        work();
        bad += DLB_MonitoringRegionStop(i % 2 ? solve : (void *)1) != 0;
        bad += DLB_MonitoringRegionStart(NULL) != -1; /* the global one, here an error */
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        cali_end_region("round");
        if (bad || cali_begin_phase)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const char *seen = annotations_seen();
    if (strlen(seen) != 5 * ROUNDS || strncmp(seen, "(sS!)(st!)", 10) != 0)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return MPI_Finalize();
}
