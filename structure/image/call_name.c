#include "image/call_name.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool starts(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

static bool starts_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (starts(name, *list))
            return true;
    return false;
}

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(name, *list))
            return true;
    return false;
}

bool sca_call_name_is_mpi(const char *name)
{
    name += *name == 'P' || *name == 'p';
    if (!strncasecmp(name, "mpi_wtime", 9) || !strncasecmp(name, "mpi_wtick", 9))
        return false;
    if (starts(name, "MPI_"))
        return name[4] >= 'A' && name[4] <= 'Z';
    return starts(name, "mpi_") && name[strlen(name) - 1] == '_';
}

bool sca_call_name_is_runtime(const char *name)
{
    static const char *const prefixes[] = {
        "_Fortran", "_gfortran_", "__cxa_",  "_Unwind_", "__gxx_",  "__clang_", "__kmpc_",
        "omp_",     "kmp_",       "GOMP_",   "_ZNSt",    "_ZNKSt",  "_ZSt",     "_ZNSo",
        "_ZNSi",    "_ZNSs",      "_ZNKSs",  "__assert", "__stack", "__errno",  "__ctype",
        "_Zn",      "_Zd",        "__gmon_", "mcount",   NULL};
    return starts_one_of(name, prefixes);
}

bool sca_call_name_never_returns(const char *name)
{
    static const char *const prefixes[] = {"_gfortran_runtime_error", "_gfortran_os_error",
                                           "_gfortran_stop_",         "_gfortran_error_stop_",
                                           "_FortranAStopStatement",  NULL};
    static const char *const names[] = {
        "exit",
        "_exit",
        "_Exit",
        "quick_exit",
        "abort",
        "pthread_exit",
        "longjmp",
        "_longjmp",
        "siglongjmp",
        "__longjmp_chk",
        "__assert_fail",
        "__assert_perror_fail",
        "__assert",
        "__stack_chk_fail",
        "__fortify_fail",
        "__chk_fail",
        "err",
        "errx",
        "verr",
        "verrx",
        "__cxa_throw",
        "__cxa_rethrow",
        "__cxa_bad_cast",
        "__cxa_bad_typeid",
        "__cxa_throw_bad_array_new_length",
        "__cxa_call_unexpected",
        "__cxa_call_terminate",
        "__cxa_pure_virtual",
        "__clang_call_terminate",
        "_Unwind_Resume",
        "_Unwind_Resume_or_Rethrow",
        "_ZSt9terminatev",
        "_ZSt10unexpectedv",
        "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
        "_gfortran_exit_i4",
        "_gfortran_exit_i8",
        "_gfortran_abort",
        "_FortranAProgramEndStatement",
        "_FortranAReportFatalUserError",
        "__ubsan_handle_builtin_unreachable",
        "__libc_start_main",
        NULL};
    bool throws = starts(name, "_ZSt") && strstr(name, "__throw_"); /* std::__throw_length_error */
    return throws || starts_one_of(name, prefixes) || is_one_of(name, names);
}

bool sca_call_name_starts_threads(const char *name, unsigned *argument)
{
    static const char *const second[] = {"__kmpc_fork_call", NULL}; /* third argument */
    *argument = starts_one_of(name, second) ? 2 : 0;
    return *argument || starts(name, "GOMP_parallel") || !strcmp(name, "GOMP_task") ||
           !strcmp(name, "GOMP_teams_reg");
}
