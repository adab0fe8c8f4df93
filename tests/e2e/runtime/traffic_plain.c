/* Patterns without wildcards. */
#include "traffic.h"

void ring(void)
{
    for (int i = 0; i < 100; i++) {
        MPI_Request request;
        MPI_Irecv(buffer(), MOST, MPI_BYTE, (me + size - 1) % size, i % 3, MPI_COMM_WORLD,
                  &request);
        MPI_Send(buffer(), fresh(), MPI_BYTE, (me + 1) % size, i % 3, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, (me + 1) % size, 7, buffer(), MOST, MPI_BYTE,
                     (me + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void halo(void)
{
    MPI_Comm grid;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, peer[4];
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Cart_shift(grid, 0, 1, &peer[0], &peer[1]);
    MPI_Cart_shift(grid, 1, 1, &peer[2], &peer[3]);
    for (int i = 0; i < 60; i++) {
        MPI_Request requests[8];
        for (int d = 0; d < 4; d++)
            MPI_Irecv(buffer(), MOST, MPI_BYTE, peer[d], d ^ 1, grid, &requests[d]);
        for (int d = 0; d < 4; d++)
            MPI_Isend(buffer(), fresh(), MPI_BYTE, peer[d], d, grid, &requests[4 + d]);
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        if (i % 10 == 9)
            MPI_Barrier(grid);
    }
    MPI_Comm_free(&grid);
}

void persistent(void)
{
    MPI_Request requests[20];
    int left = (me + size - 1) % size, right = (me + 1) % size, n = 0;
    for (int k = 0; k < 10; k++) {
        MPI_Recv_init(buffer(), MOST, MPI_BYTE, k == 3 ? MPI_ANY_SOURCE : left, k % 4,
                      MPI_COMM_WORLD, &requests[n++]);
        MPI_Send_init(buffer(), fresh(), MPI_BYTE, right, k % 4, MPI_COMM_WORLD, &requests[n++]);
    }
    for (int i = 0; i < 20; i++) {
        if (i % 2)
            MPI_Startall(n, requests);
        else
            for (int k = 0; k < n; k++)
                MPI_Start(&requests[k]);
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    }
    for (int k = 0; k < n; k++)
        MPI_Request_free(&requests[k]);
}

/* More channels, and more requests under way, than most programs have. */
void many_tags(void)
{
    enum { TAGS = 150 };
    for (int i = 0; i < 6; i++) {
        MPI_Request requests[2 * TAGS];
        for (int k = 0; k < TAGS; k++)
            MPI_Irecv(buffer(), MOST, MPI_BYTE, (me + size - 1) % size, TAGS - k, MPI_COMM_WORLD,
                      &requests[k]);
        for (int k = 0; k < TAGS; k++)
            MPI_Isend(buffer(), fresh(), MPI_BYTE, (me + 1) % size, k + 1, MPI_COMM_WORLD,
                      &requests[TAGS + k]);
        for (int k = 2 * TAGS; k-- > 0;)
            MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
}

void self(void)
{
    for (int i = 0; i < 50; i++) {
        MPI_Request requests[3];
        MPI_Irecv(buffer(), MOST, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &requests[0]);
        MPI_Irecv(buffer(), MOST, MPI_BYTE, me, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(buffer(), fresh(), MPI_BYTE, me, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Send(buffer(), fresh(), MPI_BYTE, 0, 1, MPI_COMM_SELF);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
}

/* A receive that is cancelled takes no message; what comes on its channel later has no name. */
void cancel(void)
{
    int left = (me + size - 1) % size, right = (me + 1) % size;
    for (int i = 0; i < 30; i++) {
        MPI_Request early, late;
        MPI_Irecv(buffer(), MOST, MPI_BYTE, left, 5, MPI_COMM_WORLD, &early);
        MPI_Barrier(MPI_COMM_WORLD);
        if (i % 10 == 9) {
            MPI_Cancel(&early);
            MPI_Wait(&early, MPI_STATUS_IGNORE);
            MPI_Irecv(buffer(), MOST, MPI_BYTE, left, 5, MPI_COMM_WORLD, &late);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(buffer(), fresh(), MPI_BYTE, right, 5, MPI_COMM_WORLD);
        MPI_Wait(i % 10 == 9 ? &late : &early, MPI_STATUS_IGNORE);
        MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, right, 6, buffer(), MOST, MPI_BYTE, left, 6,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

void proc_null(void)
{
    for (int i = 0; i < 20; i++) {
        int right = me + 1 < size ? me + 1 : MPI_PROC_NULL, left = me ? me - 1 : MPI_PROC_NULL;
        MPI_Request requests[2];
        MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, right, 1, buffer(), MOST, MPI_BYTE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(buffer(), MOST, MPI_BYTE, left, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(buffer(), fresh(), MPI_BYTE, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

/* More iterations, and more calls in one of them, than a sample has room for. Each rank by itself:
 * on a busy machine any exchange with another one may last as long as a time slice. */
void marathon(void)
{
    for (int i = 0; i < 33000; i++)
        MPI_Sendrecv(buffer(), 4, MPI_BYTE, me, 7, buffer(), MOST, MPI_BYTE, me, 7, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < 4200; i++)
        MPI_Barrier(MPI_COMM_SELF);
}

/* Many iterations, so that windows come and go. */
void steps(void)
{
    for (int i = 0; i < 4000; i++) {
        MPI_Sendrecv(buffer(), 4 * (i + 1) % 4000, MPI_BYTE, (me + 1) % size, 7, buffer(), MOST,
                     MPI_BYTE, (me + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}
