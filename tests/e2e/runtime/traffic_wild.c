/* Wildcards, probes, and completion in whatever order it comes. */
#include "traffic.h"

void master(void)
{
    int tasks = 60 * (size - 1), stop = 0;
    if (me) {
        MPI_Status status;
        do {
            pause_a_little();
            MPI_Send(buffer(), fresh(), MPI_BYTE, 0, 1 + (int)dice(2), MPI_COMM_WORLD);
            MPI_Recv(buffer(), MOST, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        } while (status.MPI_TAG != 9);
        return;
    }
    while (stop < size - 1) {
        MPI_Status status;
        MPI_Recv(buffer(), MOST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        stop += tasks-- <= 0;
        MPI_Send(buffer(), fresh(), MPI_BYTE, status.MPI_SOURCE, tasks < 0 ? 9 : 3, MPI_COMM_WORLD);
    }
}

/* Receives of three kinds are under way together and complete in another order. */
void mixed(void)
{
    int left = (me + size - 1) % size, right = (me + 1) % size;
    for (int i = 0; i < 80; i++) {
        MPI_Request in[5];
        MPI_Irecv(buffer(), MOST, MPI_BYTE, left, 1, MPI_COMM_WORLD, &in[0]);
        MPI_Irecv(buffer(), MOST, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &in[1]);
        MPI_Irecv(buffer(), MOST, MPI_BYTE, left, 1, MPI_COMM_WORLD, &in[2]);
        MPI_Irecv(buffer(), MOST, MPI_BYTE, left, MPI_ANY_TAG, MPI_COMM_WORLD, &in[3]);
        MPI_Irecv(buffer(), MOST, MPI_BYTE, left, 2, MPI_COMM_WORLD, &in[4]);
        for (int k = 0; k < 5; k++) {
            pause_a_little();
            MPI_Send(buffer(), fresh(), MPI_BYTE, right, k < 3 ? 1 : 2, MPI_COMM_WORLD);
        }
        for (int k = 4; k >= 0; k--)
            MPI_Wait(&in[k], MPI_STATUS_IGNORE);
    }
}

void mprobe(void)
{
    MPI_Request in[3];
    MPI_Message message;
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 3; k++)
            MPI_Isend(buffer(), fresh(), MPI_BYTE, (me + 1 + (int)dice(2) * 0) % size, k % 2,
                      MPI_COMM_WORLD, &in[k]);
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Recv(buffer(), MOST, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Mrecv(buffer(), MOST, MPI_BYTE, &message, MPI_STATUS_IGNORE);
        int there = 0;
        while (!there)
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message,
                        MPI_STATUS_IGNORE);
        MPI_Request last;
        MPI_Imrecv(buffer(), MOST, MPI_BYTE, &message, &last);
        MPI_Wait(&last, MPI_STATUS_IGNORE);
        MPI_Waitall(3, in, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

enum { PER_PEER = 4 };

/* Receives from all, sends to all; returns how many requests. */
static int exchange(MPI_Request *requests)
{
    int n = 0;
    for (int p = 0; p < size; p++)
        for (int k = 0; k < PER_PEER && p != me; k++)
            MPI_Irecv(buffer(), MOST, MPI_BYTE, k == 1 ? MPI_ANY_SOURCE : p, k == 1 ? 1 : 0,
                      MPI_COMM_WORLD, &requests[n++]);
    for (int p = 0; p < size; p++)
        for (int k = 0; k < PER_PEER && p != me; k++) {
            pause_a_little();
            MPI_Isend(buffer(), fresh(), MPI_BYTE, p, k == 1 ? 1 : 0, MPI_COMM_WORLD,
                      &requests[n++]);
        }
    return n;
}

void testsome(void)
{
    MPI_Request requests[256];
    int indices[256], done, left;
    for (int i = 0; i < 30; i++) {
        int n = exchange(requests);
        for (left = n; left > 0; left -= done)
            if (i % 2)
                MPI_Testsome(n, requests, &done, indices, MPI_STATUSES_IGNORE);
            else
                MPI_Waitsome(n, requests, &done, indices, MPI_STATUSES_IGNORE);
    }
}

void waitany(void)
{
    MPI_Request requests[256];
    for (int i = 0; i < 30; i++) {
        int n = exchange(requests), index, flag = 1;
        for (int left = n; left > 0; left -= flag != 0)
            if (i % 3 == 0)
                MPI_Testany(n, requests, &index, &flag, MPI_STATUS_IGNORE);
            else if (i % 3 == 1)
                MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
            else
                MPI_Test(&requests[left - 1], &flag, MPI_STATUS_IGNORE);
    }
}
