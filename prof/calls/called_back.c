#include "calls/called_back.h"
#include "base/guard.h"
#include "calls/stubs.h"

#include <dlfcn.h>

enum {
    PAGE = 4096, /* below are no functions, but constants of MPI's */
    KEPT = 32    /* of MPI's functions, remembered: the standard names fewer */
};

static unsigned taken; /* stubs */
static sca_word kept[KEPT];
static unsigned nkept;

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

/* What MPI was given for this function before, 0: nothing yet. What is there never changes, so no
 * lock is needed. */
static sca_word known(sca_word function)
{
    unsigned n = __atomic_load_n(&nkept, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < n; i++)
        if (kept[i] == function)
            return function;
    n = __atomic_load_n(&taken, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < n; i++)
        if ((sca_word)sca_stub_functions[i] == function)
            return stub(i);
    return 0;
}

static bool is_of_mpi(sca_word function)
{
    return sca_symbols_is_mpi((const void *)function) || is_predefined(function);
}

/* State lock held: another thread may have been first. */
static sca_word take(sca_word function, bool of_mpi)
{
    sca_word given = known(function);
    if (given)
        return given;
    if (of_mpi && nkept < KEPT) {
        kept[nkept] = function;
        __atomic_store_n(&nkept, nkept + 1, __ATOMIC_RELEASE);
    }
    if (of_mpi || taken == SCA_STUBS)
        return function;
    sca_stub_functions[taken] = (sca_code)function;
    __atomic_store_n(&taken, taken + 1, __ATOMIC_RELEASE);
    return stub(taken - 1);
}

sca_word sca_called_back(sca_word function)
{
    if (!sca_recording || sca_thread.in_tool || function < PAGE || is_stub(function))
        return function;
    sca_thread.in_tool++;
    sca_word given = known(function);
    if (!given) {
        bool of_mpi = is_of_mpi(function);
        sca_guard_lock();
        given = take(function, of_mpi);
        sca_guard_unlock();
    }
    sca_thread.in_tool--;
    return given;
}
