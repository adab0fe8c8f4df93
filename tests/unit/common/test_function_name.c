/* Names that compilers and libraries give, as a programmer knows them. */
#include "sca_function_name.h"
#include "sca_phrase.h"
#include "check_main.h"

#include <stdint.h>

START_TEST(bodies_of_openmp_regions_have_the_function_that_was_written)
{
    char text[SCA_FUNCTION_NAME];
    ck_assert(sca_function_name_is_region("relax.omp_outlined"));
    ck_assert(sca_function_name_is_region("Solver::relax(int) [._omp_fn.0]"));
    ck_assert(!sca_function_name_is_region("relax"));
    ck_assert_str_eq(sca_function_name_written(text, "relax.omp_outlined.3"), "relax");
    ck_assert_str_eq(sca_function_name_written(text, "relax._omp_fn.0"), "relax");
    ck_assert_str_eq(sca_function_name_written(text, "relax(int) [._omp_fn.0]"), "relax(int)");
    ck_assert_str_eq(sca_function_name_written(text, "relax"), "relax");
    ck_assert_str_eq(sca_function_name_written(text, "_QQmain.omp_outlined"), "main");
    ck_assert_str_eq(sca_function_name_written(text, "MAIN__._omp_fn.0"), "main");
}
END_TEST

START_TEST(statements_of_fortran_and_what_has_no_name)
{
    char text[SCA_FUNCTION_NAME];
    ck_assert_str_eq(sca_function_name_of_library(text, "_gfortran_st_write_done"),
                     "write statement (libgfortran)");
    ck_assert_str_eq(sca_function_name_of_library(text, "_gfortran_transfer_real_write"),
                     "formatted or unformatted write (libgfortran)");
    ck_assert_str_eq(sca_function_name_of_library(text, "libgfortran.so.5+0x26a030"),
                     "internal function of libgfortran");
    ck_assert_str_eq(sca_function_name_of_library(text, "exp"), "exp");
    ck_assert_str_eq(sca_function_name_of_library(text, "__log1p_fma"), "log1p");
    ck_assert_str_eq(sca_function_name_of_library(text, "__memcpy_avx_unaligned_erms"), "memcpy");
    ck_assert_str_eq(sca_function_name_of_library(text, "__kmpc_fork_call"), "__kmpc_fork_call");
    ck_assert_str_eq(sca_function_name_of_library(text, "cg+0x1a0"), "cg+0x1a0");
}
END_TEST

START_TEST(phrases_say_region_and_place)
{
    char text[SCA_PHRASE];
    struct sca_report_vertex call = {.kind = "call",
                                     .name = "Solver::relax.omp_outlined",
                                     .function = "Solver::relax.omp_outlined",
                                     .file = "/src/solver.cpp",
                                     .line = 13};
    struct sca_report_vertex loop = call;
    loop.kind = "loop";
    loop.name = "";
    loop.line = 15;
    ck_assert_str_eq(sca_phrase_vertex(text, &call),
                     "OpenMP region at solver.cpp:13 in Solver::relax");
    ck_assert_str_eq(sca_phrase_vertex(text, &loop), "solver.cpp:15 loop in Solver::relax");
}
END_TEST

START_TEST(a_task_has_its_line_alone)
{
    char text[SCA_PHRASE];
    const struct sca_report_vertex task = {.kind = "call",
                                           .name = "OpenMP task",
                                           .function = ".omp_task_entry..2",
                                           .file = "/src/solver.cpp",
                                           .line = 13};
    ck_assert_str_eq(sca_phrase_vertex(text, &task), "solver.cpp:13 OpenMP task");
    ck_assert_str_eq(sca_function_name_written(text, task.function), "OpenMP task");
}
END_TEST

START_TEST(the_call_of_a_region_is_in_the_function_that_was_written)
{
    char text[SCA_PHRASE];
    struct sca_report_vertex vertices[] = {
        {.kind = "root", .name = "", .function = "main", .file = ""},
        {.kind = "call",
         .name = "relax.omp_outlined",
         .function = "relax.omp_outlined",
         .file = "solver.cpp",
         .line = 13},
        {.kind = "comp", .name = "", .function = "relax", .file = "solver.cpp", .line = 15}};
    const struct sca_report report = {.vertices = vertices, .nvertices = 3};
    const struct sca_report_cause cause = {.vertex = 2, .site = 1, .at_site = true};
    ck_assert_str_eq(sca_phrase_between(text, &report, &cause), "called at solver.cpp:13 in relax");
}
END_TEST

SCA_SUITE("function_name", a_task_has_its_line_alone,
          the_call_of_a_region_is_in_the_function_that_was_written,
          bodies_of_openmp_regions_have_the_function_that_was_written,
          statements_of_fortran_and_what_has_no_name, phrases_say_region_and_place)
