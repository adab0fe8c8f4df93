/* Libraries with and without MPI, one for each KIND; MPI itself is not linked with them. */
extern int MPI_Send(void), PMPI_Send(void), communicate(void);

#if defined KIND_COMMUNICATES
int communicate(void)
{
    return MPI_Send();
}
#elif defined KIND_SOLVES /* linked with the one that communicates */
int solve(void)
{
    return communicate();
}
#elif defined KIND_BINDING
int mpi_send_(void)
{
    return PMPI_Send();
}
#elif defined KIND_NAMES /* a function of the user's, though its name begins like MPI's */
int mpi_sends_(void)
{
    return MPI_Send();
}
#else
int multiply(void)
{
    return 7;
}
#endif
