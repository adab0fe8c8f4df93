/* Communicators of every origin, some with the same members, some short-lived. */
#include "traffic.h"

/* Everyone talks to the next on the communicator, on one and the same tag. */
static void around(MPI_Comm comm)
{
    int rank, n;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    for (int i = 0; i < 10; i++)
        MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, (rank + 1) % n, 1, buffer(), MOST, MPI_BYTE,
                     MPI_ANY_SOURCE, 1, comm, MPI_STATUS_IGNORE);
}

static void around_and_free(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return;
    around(comm);
    MPI_Comm_free(&comm);
}

static void of_some(void)
{
    MPI_Group world, some;
    MPI_Comm comm = MPI_COMM_NULL;
    int range[1][3] = {{0, size - 2, 1}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, range, &some);
    if (me < size - 1)
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 4, &comm);
    around_and_free(comm);
    MPI_Comm_create(MPI_COMM_WORLD, some, &comm);
    around_and_free(comm);
    MPI_Group_free(&some);
    MPI_Group_free(&world);
}

/* Under way together, and complete in another order on every other rank. */
static void later_ones(void)
{
    enum { N = 3 };
    MPI_Comm comm[N];
    MPI_Request request[N];
    for (int i = 0; i < N; i++)
        MPI_Comm_idup(MPI_COMM_WORLD, &comm[i], &request[i]);
    for (int i = 0; i < N; i++)
        MPI_Wait(&request[me % 2 ? i : N - 1 - i], MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        around_and_free(comm[i]);
}

void comms(void)
{
    for (int round = 0; round < 3; round++) {
        MPI_Comm half, twin, later, reversed, grid, row;
        MPI_Request request;
        int dims[1] = {0}, periods[1] = {1}, remain[1] = {1};
        MPI_Comm_split(MPI_COMM_WORLD,
                       me % 2                  ? 1
                       : me == 0 && round == 1 ? MPI_UNDEFINED
                                               : 0,
                       me, &half);
        MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
        MPI_Comm_dup(reversed, &twin);
        MPI_Comm_idup(twin, &later, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Dims_create(size, 1, dims);
        MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
        MPI_Cart_sub(grid, remain, &row);
        of_some();
        later_ones();
        around(MPI_COMM_WORLD);
        around_and_free(row);
        around_and_free(half);
        around_and_free(grid);
        around_and_free(later);
        around_and_free(twin);
        around_and_free(reversed);
    }
}

static void across(MPI_Comm between)
{
    int n, rank;
    MPI_Comm_remote_size(between, &n);
    MPI_Comm_rank(between, &rank);
    for (int i = 0; i < 20; i++)
        MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, rank % n, 1, buffer(), MOST, MPI_BYTE, rank % n,
                     1, between, MPI_STATUS_IGNORE);
}

#if MPI_VERSION >= 4
static void of_groups(int low)
{
    MPI_Comm between[2];
    MPI_Group world, lower, upper;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[1][3]){{0, size / 2 - 1, 1}}, &lower);
    MPI_Group_range_incl(world, 1, (int[1][3]){{size / 2, size - 1, 1}}, &upper);
    for (int i = 0; i < 2; i++)
        MPI_Intercomm_create_from_groups(low ? lower : upper, 0, low ? upper : lower, 0, "halves",
                                         MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &between[i]);
    for (int i = 0; i < 2; i++) {
        across(between[i]);
        MPI_Comm_free(&between[i]);
    }
    MPI_Group_free(&lower);
    MPI_Group_free(&upper);
    MPI_Group_free(&world);
}
#else
static void of_groups(int low)
{
    (void)low;
}
#endif

/* One rank on this side, all others on that one. */
static void uneven(void)
{
    MPI_Comm part, between;
    int n;
    MPI_Comm_split(MPI_COMM_WORLD, me == 0, me, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, me == 0, 12, &between);
    MPI_Comm_remote_size(between, &n);
    for (int peer = 0; peer < n; peer++)
        for (int i = 0; i < 20; i++)
            MPI_Sendrecv(buffer(), fresh(), MPI_BYTE, peer, 1, buffer(), MOST, MPI_BYTE, peer, 1,
                         between, MPI_STATUS_IGNORE);
    MPI_Comm_free(&between);
    MPI_Comm_free(&part);
}

void intercomm(void)
{
    MPI_Comm half, between, merged;
    int low = me < size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, low, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? size / 2 : 0, 11, &between);
    across(between);
    MPI_Intercomm_merge(between, low, &merged);
    around(merged);
    around_and_free(merged);
    MPI_Comm_free(&between);
    around_and_free(half);
    of_groups(low);
    uneven();
}
