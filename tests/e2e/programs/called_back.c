/* MPI calls functions of the program back, in every way there is; each computes for a while. What
 * they are given and what comes of it is printed; how long they computed, to stderr. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BUSY_NS 60000000u
#define APART   __attribute__((noinline, noclone))

static int rank, size;
static uint64_t busy_ns;
static volatile unsigned ticks;

static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#define WORK                                                                                       \
    do {                                                                                           \
        uint64_t begin = cpu_ns();                                                                 \
        while (cpu_ns() - begin < BUSY_NS)                                                         \
            for (int k = 0; k < 100000; k++)                                                       \
                ticks = ticks + 1;                                                                 \
        busy_ns += cpu_ns() - begin;                                                               \
    } while (0)

APART static void in_operator(void *in, void *out, int *n, MPI_Datatype *type)
{
    int asked = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &asked);
    if (asked != rank || *type != MPI_INT)
        printf("wrong: rank %d\n", asked);
    WORK;
    for (int i = 0; i < *n; i++)
        ((int *)out)[i] = 2 * ((int *)in)[i] + ((int *)out)[i];
}

static void operators(void)
{
    MPI_Op op;
    int in[3] = {rank + 1, 10, 100}, out[3] = {0}, sum = 0;
    MPI_Op_create(in_operator, 0, &op);
    MPI_Allreduce(in, out, 3, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d: %d %d %d, sum %d\n", rank, out[0], out[1], out[2], sum);
    MPI_Reduce_local(in, out, 3, MPI_INT, op);
    printf("rank %d: %d %d %d\n", rank, out[0], out[1], out[2]);
    MPI_Op_free(&op);
}

APART static int in_copy(MPI_Comm comm, int keyval, void *extra, void *value, void *out, int *flag)
{
    int asked = -1;
    MPI_Comm_rank(comm, &asked);
    WORK;
    *(void **)out = (char *)value + 1;
    *flag = keyval != MPI_KEYVAL_INVALID && asked == rank && !strcmp(extra, "extra");
    return MPI_SUCCESS;
}

APART static int in_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    WORK;
    printf("rank %d: delete %d %s %d\n", rank, (int)(intptr_t)value, (char *)extra,
           comm == MPI_COMM_NULL || keyval == MPI_KEYVAL_INVALID);
    return MPI_SUCCESS;
}

APART static int in_type_delete(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type;
    (void)keyval;
    (void)extra;
    WORK;
    printf("rank %d: delete %d of a type\n", rank, (int)(intptr_t)value);
    return MPI_SUCCESS;
}

APART static int in_win_delete(MPI_Win win, int keyval, void *value, void *extra)
{
    (void)win;
    (void)keyval;
    (void)extra;
    WORK;
    printf("rank %d: delete %d of a window\n", rank, (int)(intptr_t)value);
    return MPI_SUCCESS;
}

static void of_communicators(void)
{
    int own, plain, flag[2];
    intptr_t value[2] = {0};
    MPI_Comm comm, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(in_copy, in_delete, &own, "extra");
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &plain, NULL);
    MPI_Comm_set_attr(comm, own, (void *)7);
    MPI_Comm_set_attr(comm, plain, (void *)9);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_get_attr(copy, own, &value[0], &flag[0]);
    MPI_Comm_get_attr(copy, plain, &value[1], &flag[1]);
    printf("rank %d: attributes %d %d %d %d\n", rank, flag[0], (int)value[0], flag[1],
           (int)value[1]);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&own);
    MPI_Comm_free_keyval(&plain);
}

static void attributes(void)
{
    int of_type, of_win, memory[4];
    MPI_Datatype type;
    MPI_Win win;
    of_communicators();
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, in_type_delete, &of_type, NULL);
    MPI_Type_set_attr(type, of_type, (void *)11);
    MPI_Type_free(&type);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, in_win_delete, &of_win, NULL);
    MPI_Win_set_attr(win, of_win, (void *)13);
    MPI_Win_free(&win);
}

APART static int in_query(void *extra, MPI_Status *status)
{
    WORK;
    MPI_Status_set_elements(status, MPI_INT, 5);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 2;
    status->MPI_TAG = *(int *)extra;
    return MPI_SUCCESS;
}

APART static int in_free(void *extra)
{
    WORK;
    printf("rank %d: free %d\n", rank, *(int *)extra);
    return MPI_SUCCESS;
}

static int in_cancel(void *extra, int complete)
{
    printf("rank %d: cancel %d %d\n", rank, *(int *)extra, complete);
    return MPI_SUCCESS;
}

static void requests(void)
{
    int extra = 77, count = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Grequest_start(in_query, in_free, in_cancel, &extra, &request);
    MPI_Cancel(&request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    printf("rank %d: tag %d count %d\n", rank, status.MPI_TAG, count);
}

APART static void in_handler(MPI_Comm *comm, int *error, ...)
{
    int class = 0;
    WORK;
    MPI_Error_class(*error, &class);
    printf("rank %d: comm %d class %d\n", rank, *comm == MPI_COMM_SELF, class == MPI_ERR_RANK);
}

APART static void in_file_handler(MPI_File *file, int *error, ...)
{
    (void)error;
    WORK;
    printf("rank %d: file %d\n", rank, *file == MPI_FILE_NULL);
}

static void errors(void)
{
    MPI_Errhandler handler, of_file;
    MPI_File file;
    MPI_Comm_create_errhandler(in_handler, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Send(NULL, 0, MPI_INT, 12345, 0, MPI_COMM_SELF);
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_RANK);
    MPI_Errhandler_free(&handler);
    MPI_File_create_errhandler(in_file_handler, &of_file);
    MPI_File_set_errhandler(MPI_FILE_NULL, of_file);
    MPI_File_open(MPI_COMM_SELF, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_Errhandler_free(&of_file);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {{"operators", operators},
            {"attributes", attributes},
            {"requests", requests},
            {"errors", errors}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank) /* launchers mix what ranks print */
        freopen("/dev/null", "w", stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && !strcmp(argv[1], ways[i].name))
            ways[i].run();
    MPI_Barrier(MPI_COMM_WORLD);
    fprintf(stderr, "rank %d: busy %llu\n", rank, (unsigned long long)busy_ns);
    fflush(NULL);
    MPI_Finalize();
    return 0;
}
