/* Which files are the application, by where they lie and what they have to do with MPI. */
#include "symbols/application.h"
#include "check_main.h"

enum { PROGRAM, COMMUNICATES, SOLVES, BINDING, NAMES, MULTIPLIES, GONE, FILES };

static struct sca_code files[FILES];

/* The program's file is one of the libraries': only its path is looked at. */
static void set_up(void)
{
    static const char *const at[FILES] = {TEST_MULTIPLIES, TEST_COMMUNICATES, TEST_SOLVES,
                                          TEST_BINDING,    TEST_NAMES,        TEST_MULTIPLIES};
    for (int i = 0; i < FILES; i++) {
        files[i] = (struct sca_code){.program = i == PROGRAM};
        if (at[i])
            ck_assert_int_eq(sca_binary_open(at[i], "", &files[i].binary), 0);
    }
}

static void tear_down(void)
{
    for (int i = 0; i < FILES; i++)
        sca_binary_close(files[i].binary);
}

static void find(const char *program, const char *library)
{
    for (int i = 0; i < FILES; i++)
        files[i].path = i == PROGRAM ? program : library;
    sca_application_find(files, FILES);
    ck_assert(files[PROGRAM].application);
    ck_assert(!files[GONE].application);
}

START_TEST(what_libraries_have_to_do_with_mpi_their_symbols_say)
{
    ck_assert_int_eq(sca_binary_mpi_use(files[COMMUNICATES].binary), SCA_MPI_CALLED);
    ck_assert_int_eq(sca_binary_mpi_use(files[SOLVES].binary), SCA_MPI_UNUSED);
    ck_assert_int_eq(sca_binary_mpi_use(files[BINDING].binary), SCA_MPI_OFFERED);
    ck_assert_int_eq(sca_binary_mpi_use(files[NAMES].binary), SCA_MPI_CALLED);
    ck_assert_int_eq(sca_binary_mpi_use(files[MULTIPLIES].binary), SCA_MPI_UNUSED);
}
END_TEST

START_TEST(what_they_are_linked_with_their_dynamic_section_says)
{
    ck_assert_str_eq(sca_binary_library_name(files[COMMUNICATES].binary), "libcommunicates.so.7");
    ck_assert(sca_binary_needs(files[SOLVES].binary, "libcommunicates.so.7"));
    ck_assert(!sca_binary_needs(files[SOLVES].binary, "libcommunicates.so"));
    ck_assert(!sca_binary_needs(files[COMMUNICATES].binary, "libcommunicates.so.7"));
}
END_TEST

START_TEST(a_users_libraries_are_but_no_binding_of_mpi)
{
    find("/home/ann/solver", "/home/ann/lib/libx.so");
    ck_assert(files[COMMUNICATES].application);
    ck_assert(files[SOLVES].application);
    ck_assert(!files[BINDING].application);
    ck_assert(files[NAMES].application);
    ck_assert(files[MULTIPLIES].application);
}
END_TEST

START_TEST(of_a_users_program_the_distributions_libraries_are_not)
{
    find("/home/ann/solver", "/usr/lib/libx.so");
    for (int i = PROGRAM + 1; i < FILES; i++) {
        ck_assert(!files[i].application);
        ck_assert(!sca_application_is_system_library(&files[i], files, FILES));
    }
}
END_TEST

START_TEST(of_the_distributions_program_those_that_communicate_are)
{
    find("/usr/bin/solver", "/lib/x86_64-linux-gnu/libx.so");
    ck_assert(files[COMMUNICATES].application);
    ck_assert(files[SOLVES].application);
    ck_assert(!files[BINDING].application);
    ck_assert(files[NAMES].application);
    ck_assert(!files[MULTIPLIES].application);
    ck_assert(sca_application_is_system_library(&files[MULTIPLIES], files, FILES));
    ck_assert(!sca_application_is_system_library(&files[SOLVES], files, FILES));
    ck_assert(!sca_application_is_system_library(&files[GONE], files, FILES));
}
END_TEST

START_TEST(our_own_library_never_is)
{
    find("/home/ann/solver", "/opt/scalana/lib/libscalana-prof.so");
    ck_assert(!files[COMMUNICATES].application);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("application");
    TCase *tcase = tcase_create("application");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_libraries_have_to_do_with_mpi_their_symbols_say);
    tcase_add_test(tcase, what_they_are_linked_with_their_dynamic_section_says);
    tcase_add_test(tcase, a_users_libraries_are_but_no_binding_of_mpi);
    tcase_add_test(tcase, of_a_users_program_the_distributions_libraries_are_not);
    tcase_add_test(tcase, of_the_distributions_program_those_that_communicate_are);
    tcase_add_test(tcase, our_own_library_never_is);
    suite_add_tcase(suite, tcase);
    return suite;
}
