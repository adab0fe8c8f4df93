/*
 * Names that compilers and run-time libraries give to functions, as a programmer knows them.
 * Buffers are the caller's and have SCA_FUNCTION_NAME bytes; what does not fit is cut.
 */
#ifndef SCA_FUNCTION_NAME_H
#define SCA_FUNCTION_NAME_H

#include <stdbool.h>

enum { SCA_FUNCTION_NAME = 512 };

/* Whether it is the body of an OpenMP region, which the compiler made a function of:
 * "relax.omp_outlined" (clang, flang), "relax._omp_fn.0" (gcc, gfortran). */
bool sca_function_name_is_region(const char *name);
/* Whether it is the body of an OpenMP task, by a name that does not say where it stands in:
 * ".omp_task_entry..2" (clang). */
bool sca_function_name_is_task(const char *name);
/* Where in the name it says that it is a region; NULL: it is none. */
const char *sca_function_name_region_mark(const char *name);
/* The function that the user wrote, where it stands in: "relax"; or "OpenMP task". */
const char *sca_function_name_written(char *buffer, const char *name);
/* Of a function of a library: "formatted or unformatted write (libgfortran)" for
 * _gfortran_transfer_real_write; "internal function of libgfortran" for
 * "libgfortran.so.5+0x26a030", which has no name; "exp" for "__exp_fma", which glibc has for some
 * processors; else as it is. */
const char *sca_function_name_of_library(char *buffer, const char *name);

#endif
