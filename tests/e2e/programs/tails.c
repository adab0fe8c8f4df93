/* MPI calls that are the last act of a function, which a compiler ends in a jump. */
#include <mpi.h>
#include <stdio.h>

static MPI_Request requests[2];

__attribute__((noinline)) static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD); /* TAIL meet MPI_Barrier */
}

__attribute__((noinline)) static void exchange(int *out, int *in, int other)
{
    MPI_Irecv(in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[0]); /* exchange MPI_Irecv */
    MPI_Isend(out, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* TAIL exchange MPI_Waitall */
}

/* Which of the two is the last, the path does not tell. */
__attribute__((noinline)) static void either(int which)
{
    if (which)
        MPI_Barrier(MPI_COMM_SELF);
    else
        MPI_Barrier(MPI_COMM_WORLD);
}

/* Ends in a call of another function of the program, which is on the stack below its caller. */
__attribute__((noinline)) static void turn(int value)
{
    int values[100];
    for (int i = 0; i < 100; i++)
        MPI_Sendrecv(&value, 1, MPI_INT, 0, 2, &values[i], 1, MPI_INT, 0, 2, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void pass_on(int value)
{
    turn(value + 1); /* THROUGH pass_on turn */
}

/* As above: which of the two? */
__attribute__((noinline)) static void pass_either(int value)
{
    if (value & 1)
        turn(value);
    else
        turn(value * 3);
}

int main(int argc, char **argv)
{
    int rank, in = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 100; step++) {
        meet();
        exchange(&rank, &in, !rank);
        pass_on(step);
        pass_either(step); /* THROUGH main turn */
        either(step % 2);  /* UNSURE main MPI_Barrier */
    }
    if (!rank)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
