/* MPI without MPI_Init: two sessions, a communicator of each process alone, then one of all, in
 * reverse order; 100 exchanges round the ring. */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm communicator(MPI_Session session, const char *set, int reverse)
{
    MPI_Group group, turned;
    MPI_Comm comm;
    int size;
    MPI_Group_from_session_pset(session, set, &group);
    MPI_Group_size(group, &size);
    MPI_Group_range_incl(
        group, 1,
        &(int[1][3]){{reverse ? size - 1 : 0, reverse ? 0 : size - 1, reverse ? -1 : 1}}[0],
        &turned);
    MPI_Comm_create_from_group(turned, set, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&turned);
    return comm;
}

int main(void)
{
    MPI_Session first, second;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
    MPI_Comm self = communicator(second, "mpi://SELF", 0);
    MPI_Comm all = communicator(first, "mpi://WORLD", 1);
    int rank, size, sum = 0;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    for (int i = 0; i < 100; i++) {
        int in;
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, i, &in, 1, MPI_INT,
                     (rank + size - 1) % size, i, all, MPI_STATUS_IGNORE);
        MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, all);
    }
    MPI_Comm_free(&self);
    MPI_Session_finalize(&second);
    if (!rank)
        printf("%d\n", sum);
    MPI_Comm_free(&all);
    MPI_Session_finalize(&first);
    return 0;
}
