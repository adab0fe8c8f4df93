/* What linkage names say. */
#include "image/call_name.h"
#include "check_main.h"

#define EACH(function, expected, ...)                                                              \
    do {                                                                                           \
        const char *const names[] = {__VA_ARGS__};                                                 \
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)                                  \
            ck_assert_msg(function(names[i]) == (expected), "%s", names[i]);                       \
    } while (0)

START_TEST(calls_to_mpi_are_told)
{
    EACH(sca_call_name_is_mpi, true, "MPI_Send", "PMPI_Send", "MPI_T_init_thread", "mpi_send_",
         "pmpi_send_", "mpi_send__", "mpi_send_f08_", "MPI_Init");
    EACH(sca_call_name_is_mpi, false, "MPI", "MPI_", "MPI_send", "mpi_send", "MPIX_Send", "PSend",
         "my_MPI_Send", "p", "", "P", "_Z8MPI_Sendv");
}
END_TEST

/* To read the clock is computation. */
START_TEST(the_clock_is_no_communication)
{
    EACH(sca_call_name_is_mpi, false, "MPI_Wtime", "PMPI_Wtime", "MPI_Wtick", "mpi_wtime_",
         "mpi_wtick_", "pmpi_wtime_");
}
END_TEST

START_TEST(run_time_systems_are_computation)
{
    EACH(sca_call_name_is_runtime, true, "_gfortran_st_write", "_FortranAioBeginExternalListOutput",
         "__cxa_begin_catch", "_Unwind_Resume", "__kmpc_barrier", "omp_get_thread_num",
         "GOMP_barrier", "_ZNSt6vectorIiE9push_backEv", "_ZSt4cout", "_Znwm", "_ZdlPv",
         "__stack_chk_fail", "__errno_location", "__assert_fail", "mcount");
    EACH(sca_call_name_is_runtime, false, "main", "solve_", "_ZN3app5solveEv", "MPI_Send", "", "Z",
         "gfortran_", "__my_function");
}
END_TEST

START_TEST(what_ends_the_program_never_returns)
{
    EACH(sca_call_name_never_returns, true, "exit", "_exit", "abort", "longjmp", "__assert_fail",
         "__stack_chk_fail", "__cxa_throw", "__cxa_rethrow", "_Unwind_Resume", "_ZSt9terminatev",
         "_ZSt20__throw_length_errorPKc", "_gfortran_stop_string", "_gfortran_error_stop_numeric",
         "_gfortran_runtime_error_at", "_FortranAStopStatement", "_FortranAStopStatementText",
         "pthread_exit");
    EACH(sca_call_name_never_returns, false, "exit_group_is_mine", "atexit", "aborting", "abort_",
         "setjmp", "_setjmp", "error", "_ZSt4sortv", "__throw_mine", "__cxa_begin_catch", "main",
         "", "MPI_Finalize", "_gfortran_st_write");
}
END_TEST

static unsigned argument_of(const char *name)
{
    unsigned argument = 99;
    ck_assert_msg(sca_call_name_starts_threads(name, &argument), "%s", name);
    return argument;
}

START_TEST(threads_start_with_an_argument)
{
    unsigned argument;
    ck_assert_uint_eq(argument_of("GOMP_parallel"), 0);
    ck_assert_uint_eq(argument_of("GOMP_parallel_loop_dynamic"), 0);
    ck_assert_uint_eq(argument_of("GOMP_task"), 0);
    ck_assert_uint_eq(argument_of("__kmpc_fork_call"), 2);
    ck_assert(!sca_call_name_starts_threads("GOMP_taskwait", &argument));
    ck_assert(!sca_call_name_starts_threads("GOMP_barrier", &argument));
    ck_assert(!sca_call_name_starts_threads("__kmpc_for_static_init_4", &argument));
    ck_assert(!sca_call_name_starts_threads("", &argument));
}
END_TEST

SCA_SUITE("call_name", calls_to_mpi_are_told, the_clock_is_no_communication,
          run_time_systems_are_computation, what_ends_the_program_never_returns,
          threads_start_with_an_argument)
