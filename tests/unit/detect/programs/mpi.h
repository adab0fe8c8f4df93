/* Just enough of MPI to compile; the programs are linked without it and never run. */
#ifndef FAKE_MPI_H
#define FAKE_MPI_H
int MPI_Init(void *argc, void *argv);
int MPI_Comm_rank(int comm, int *rank);
int MPI_Send(const double *data, int count, int peer);
int MPI_Recv(double *data, int count, int peer);
int MPI_Allreduce(const double *in, double *out, int count);
int MPI_Finalize(void);
#endif
