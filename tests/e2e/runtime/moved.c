/* Bytes whose number the program knows: one-sided, files, partitioned messages; two ranks. */
#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, WORDS = 100 };

static int me, other;
static int64_t memory[WORDS], mine[WORDS], fetched[WORDS];

static void put_and_get(MPI_Win window)
{
    MPI_Request request;
    int pairs = WORDS / 4;
    MPI_Datatype two_of_four;
    MPI_Type_vector(pairs, 2, 4, MPI_INT64_T, &two_of_four);
    MPI_Type_commit(&two_of_four);
    for (int i = 1; i <= ROUNDS; i++) {
        MPI_Put(mine, i, MPI_INT64_T, other, 0, i, MPI_INT64_T, window);
        MPI_Put(mine, i, MPI_INT64_T, MPI_PROC_NULL, 0, i, MPI_INT64_T, window);
        MPI_Get(mine, 1, two_of_four, other, 0, 2 * pairs, MPI_INT64_T, window);
        MPI_Rput(mine, i, MPI_INT64_T, other, 0, i, MPI_INT64_T, window, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_flush(other, window);
    }
    MPI_Type_free(&two_of_four);
}

static void accumulate(MPI_Win window)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Accumulate(mine, 10, MPI_INT64_T, other, 0, 10, MPI_INT64_T, MPI_SUM, window);
        MPI_Get_accumulate(NULL, 0, MPI_INT64_T, fetched, 7, MPI_INT64_T, other, 0, 7, MPI_INT64_T,
                           MPI_NO_OP, window);
        MPI_Fetch_and_op(mine, fetched, MPI_INT64_T, other, 0, MPI_SUM, window);
        MPI_Compare_and_swap(mine, mine + 1, fetched, MPI_INT64_T, other, 0, window);
        MPI_Win_flush(other, window);
    }
}

static void one_sided(void)
{
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    put_and_get(window);
    accumulate(window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

/* Its communicator is known although the program has given it back. */
static void fences(void)
{
    MPI_Comm twin;
    MPI_Win window;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, twin, &window);
    MPI_Comm_free(&twin);
    for (int i = 0; i < 3; i++)
        MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

/* The last read asks for more than there is: 50 words of 100. */
static void files(const char *path)
{
    MPI_File file;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, me * WORDS * 8, mine, WORDS, MPI_INT64_T, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, me * WORDS * 8, mine, WORDS, MPI_INT64_T, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, me * WORDS * 8, mine, 3, MPI_INT64_T, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, WORDS * 8 + WORDS * 4, mine, WORDS, MPI_INT64_T, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 0, mine, 9, MPI_INT64_T);
    MPI_File_read_at_all_end(file, mine, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* Both directions at once; the second pair has the name of the first, but is larger. */
static void partitioned(void)
{
#if MPI_VERSION >= 4
    MPI_Request requests[4];
    double out[2][44] = {{0}}, in[2][44];
    int arrived = 0, last[] = {3};
    for (int i = 0; i < 2; i++) {
        MPI_Psend_init(out[i], 4, 10 + i, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[i]);
        MPI_Precv_init(in[i], 2, 20 + 2 * i, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &requests[2 + i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Startall(4, requests);
        for (int i = 1; i >= 0; i--) {
            MPI_Pready(0, requests[i]);
            MPI_Pready_range(1, 2, requests[i]);
            MPI_Pready_list(1, last, requests[i]);
        }
        while (!arrived)
            MPI_Parrived(requests[2], 1, &arrived);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&requests[i]);
#endif
}

/* What is switched off is not there, and the next MPI_Pcontrol ends it. */
static void switched(void)
{
    for (int i = 0; i < 6; i++) {
        MPI_Pcontrol(i % 2);
        MPI_Allreduce(MPI_IN_PLACE, mine, 1 + i, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* Under the name that the library has for them. */
#if MPI_VERSION >= 4
#define PERSISTENT(name) MPI_##name
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define PERSISTENT(name) MPIX_##name
#endif

static void persistent_collectives(void)
{
#ifdef PERSISTENT
    MPI_Request requests[2];
    PERSISTENT(Barrier_init)(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    PERSISTENT(Bcast_init)(mine, 10, MPI_INT64_T, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Start(&requests[0]);
        MPI_Start(&requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
#endif
}

int main(int argc, char **argv)
{
    char path[256];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = !me;
    snprintf(path, sizeof path, "%s.bytes", getenv("SCALANA_OUTPUT"));
    one_sided();
    fences();
    files(path);
    partitioned();
    persistent_collectives();
    switched();
    MPI_Finalize();
    return 0;
}
