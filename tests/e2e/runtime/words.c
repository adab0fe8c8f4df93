/* Two ranks wait for each other by words of a window: a flag, and a lock made of swaps. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 24, FLAG = 0, LOCK = 1, TABLE = 2 };

static int me;
static MPI_Win window;

static void pause_a_little(void)
{
    usleep(3000);
}

static void set(long value, int word)
{
    long before;
    MPI_Fetch_and_op(&value, &before, MPI_LONG, 1, word, MPI_REPLACE, window);
    MPI_Win_flush(1, window);
}

static void await(long value, int word)
{
    long nothing = 0, found;
    do {
        MPI_Fetch_and_op(&nothing, &found, MPI_LONG, 1, word, MPI_NO_OP, window);
        MPI_Win_flush(1, window);
    } while (found < value);
}

static void take(void)
{
    long mine = me + 1, free = 0, found;
    do {
        MPI_Compare_and_swap(&mine, &free, &found, MPI_LONG, 1, LOCK, window);
        MPI_Win_flush_all(window);
    } while (found != free);
}

static void let_go(void)
{
    long free = 0;
    MPI_Accumulate(&free, 1, MPI_LONG, 1, LOCK, 1, MPI_LONG, MPI_REPLACE, window);
    MPI_Win_flush(1, window);
}

/* No lock: nobody puts back what was there. */
static void count(void)
{
    long found = 0, next;
    for (;;) {
        long before = found;
        next = before + 1;
        MPI_Compare_and_swap(&next, &before, &found, MPI_LONG, 1, TABLE, window);
        MPI_Win_flush(1, window);
        if (found == before)
            return;
    }
}

int main(int argc, char **argv)
{
    long *words;
    double sum = 0;
    setenv("OMPI_MCA_osc", "sm", 0); /* Open MPI 4.1's "rdma" crashes in swaps with oneself */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(3 * sizeof *words, sizeof *words, MPI_INFO_NULL, MPI_COMM_WORLD, &words,
                     &window);
    words[FLAG] = words[LOCK] = words[TABLE] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (int i = 1; i <= ROUNDS; i++) {
        if (!me)
            pause_a_little();
        if (me)
            await(i, FLAG);
        else
            set(i, FLAG);
        take();
        pause_a_little();
        let_go();
        count();
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
