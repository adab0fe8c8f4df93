/* What MPI is given in the place of functions of the program's, and how often they are looked for.
 */
#include "base/guard.h"
#include "calls/called_back.h"
#include "calls/stubs.h"
#include "check_main.h"

enum { OFTEN = 100000 };

static unsigned asked; /* whether a function is MPI's own */

bool __wrap_sca_symbols_is_mpi(const void *function);
bool __wrap_sca_symbols_is_mpi(const void *function)
{
    (void)function;
    asked++;
    return false;
}

/* As MPI's Fortran library has it, found by its name. */
__attribute__((visibility("default"))) void mpi_comm_dup_fn_(void);
void mpi_comm_dup_fn_(void)
{
}

static void of_the_program(void)
{
}

static sca_word word(void (*function)(void))
{
    return (sca_word)function;
}

static void begin(void)
{
    sca_recording = true;
    asked = 0;
}

START_TEST(a_function_has_one_stub_and_is_looked_for_once)
{
    begin();
    sca_word given = sca_called_back(word(of_the_program));
    ck_assert(given - (sca_word)sca_stubs < sizeof sca_stubs);
    for (int i = 0; i < OFTEN; i++)
        if (sca_called_back(word(of_the_program)) != given)
            ck_abort_msg("another stub");
    ck_assert_uint_eq(asked, 1);
}
END_TEST

START_TEST(what_the_standard_names_stays_and_is_looked_for_once)
{
    begin();
    for (int i = 0; i < OFTEN; i++)
        if (sca_called_back(word(mpi_comm_dup_fn_)) != word(mpi_comm_dup_fn_))
            ck_abort_msg("it was replaced");
    ck_assert_uint_eq(asked, 1);
}
END_TEST

START_TEST(beyond_the_last_stub_functions_stay_as_they_are)
{
    const sca_word first = 1 << 20, last = first + SCA_STUBS;
    begin();
    for (sca_word f = first; f < last; f++)
        ck_assert_uint_ne(sca_called_back(f), f);
    ck_assert_uint_eq(sca_called_back(last), last);
    ck_assert_uint_ne(sca_called_back(first), first);
}
END_TEST

START_TEST(constants_and_stubs_stay_as_they_are)
{
    begin();
    ck_assert_uint_eq(sca_called_back(0), 0);
    ck_assert_uint_eq(sca_called_back(0xd0), 0xd0);
    ck_assert_uint_eq(sca_called_back((sca_word)sca_stubs[3]), (sca_word)sca_stubs[3]);
    ck_assert_uint_eq(asked, 0);
}
END_TEST

SCA_SUITE("called back", a_function_has_one_stub_and_is_looked_for_once,
          what_the_standard_names_stays_and_is_looked_for_once,
          beyond_the_last_stub_functions_stay_as_they_are, constants_and_stubs_stay_as_they_are)
