/* runtimes PART... : loads each, a library with an OpenMP runtime of its own (runtimes_part.c), and
 * lets them work by turns; with TOOL defined it has an OMPT tool, which counts regions. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 20, PARTS = 4 };

#ifdef TOOL
#include <omp-tools.h>

static long regions;

static void begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                  unsigned threads, int flags, const void *at)
{
    (void)task, (void)frame, (void)parallel, (void)threads, (void)flags, (void)at;
    regions++;
}

static int initialize(ompt_function_lookup_t look_up, int device, ompt_data_t *data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)look_up("ompt_set_callback");
    (void)device, (void)data;
    set(ompt_callback_parallel_begin, (ompt_callback_t)begin);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &tool;
}
#else
static const long regions = 0;
#endif

typedef long part_function(void);

static part_function *load(const char *path)
{
    void *part = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    part_function *work = part ? (part_function *)dlsym(part, "part_work") : NULL;
    if (!work) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return work;
}

int main(int argc, char **argv)
{
    part_function *work[PARTS];
    int rank, level;
    long sum = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < argc; i++)
        work[i % PARTS] = load(argv[i]);
    for (int i = 0; i < TIMES; i++) {
        for (int k = 1; k < argc; k++)
            sum += work[k % PARTS]();
        MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%ld, %ld regions\n", all, regions);
    MPI_Finalize();
    return 7;
}
