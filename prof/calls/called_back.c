#include "calls/called_back.h"
#include "base/guard.h"
#include "calls/stubs.h"

#include <dlfcn.h>

enum { PAGE = 4096 }; /* below are no functions, but constants of MPI's */

static unsigned taken; /* stubs */

static bool is_stub(sca_word function)
{
    return function - (sca_word)sca_stubs < sizeof sca_stubs;
}

static sca_word stub(unsigned i)
{
    return (sca_word)sca_stubs[i];
}

/* Functions that the standard names are looked for by their addresses: in a program that is not
 * relocatable those are its own. */
static bool is_predefined(sca_word function)
{
    static const char *const names[] = {"mpi_conversion_fn_null_",
                                        "mpi_conversion_fn_null_c_",
                                        "mpi_null_copy_fn_",
                                        "mpi_null_delete_fn_",
                                        "mpi_dup_fn_",
                                        "mpi_comm_null_copy_fn_",
                                        "mpi_comm_null_delete_fn_",
                                        "mpi_comm_dup_fn_",
                                        "mpi_type_null_copy_fn_",
                                        "mpi_type_null_delete_fn_",
                                        "mpi_type_dup_fn_",
                                        "mpi_win_null_copy_fn_",
                                        "mpi_win_null_delete_fn_",
                                        "mpi_win_dup_fn_",
                                        "MPIR_Dup_fn",
                                        "OMPI_C_MPI_COMM_DUP_FN",
                                        "OMPI_C_MPI_TYPE_DUP_FN",
                                        "OMPI_C_MPI_WIN_DUP_FN",
                                        "OMPI_C_MPI_NULL_DELETE_FN",
                                        "OMPI_C_MPI_NULL_COPY_FN",
                                        "OMPI_C_MPI_DUP_FN"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        sca_word found = (sca_word)dlsym(RTLD_DEFAULT, names[i]);
        if (found == function)
            return true;
    }
    dlerror();
    return false;
}

/* State lock held. Read by other threads without it: what is there never changes. */
static sca_word take(sca_word function)
{
    unsigned n = taken;
    for (unsigned i = 0; i < n; i++)
        if ((sca_word)sca_stub_functions[i] == function)
            return stub(i);
    if (n == SCA_STUBS)
        return function;
    sca_stub_functions[n] = (sca_code)function;
    taken = n + 1;
    return stub(n);
}

sca_word sca_called_back(sca_word function)
{
    if (!sca_recording || sca_thread.in_tool || function < PAGE || is_stub(function))
        return function;
    sca_thread.in_tool++;
    sca_word given = function;
    if (!sca_symbols_is_mpi((const void *)function) && !is_predefined(function)) {
        sca_guard_lock();
        given = take(function);
        sca_guard_unlock();
    }
    sca_thread.in_tool--;
    return given;
}
