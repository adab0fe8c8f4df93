/* Which cores a process counts as its own, where GCC's OpenMP has bound the first thread to one.
 * The environment asks for two threads, each on a core of its own (stack.cmake). */
#include "base/allowed_cores.h"
#include "check_main.h"

int omp_get_num_places(void);

enum { TEAM = 2 };

START_TEST(cores_of_a_bound_team_are_all_of_its_places)
{
    cpu_set_t own, allowed;
    CPU_ZERO(&own);
    ck_assert_int_eq(sched_getaffinity(0, sizeof own, &own), 0);
    ck_assert_int_eq(CPU_COUNT(&own), 1);
    ck_assert(sca_allowed_cores(&allowed));
    int places = omp_get_num_places();
    ck_assert_int_eq(CPU_COUNT(&allowed), places < TEAM ? places : TEAM);
    CPU_AND(&own, &own, &allowed);
    ck_assert_int_eq(CPU_COUNT(&own), 1);
}
END_TEST

SCA_SUITE("allowed_cores", cores_of_a_bound_team_are_all_of_its_places)
