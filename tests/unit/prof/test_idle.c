/* What lies between two looks that found nothing: waiting, or work. */
#include "sampling/idle.h"
#include "base/guard.h"
#include "mpi_functions.h"
#include "check_main.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { US = 1000 };

static unsigned number_of(const char *name)
{
    for (unsigned i = 0; i < SCA_FN_COUNT; i++)
        if (!strcmp(sca_function_name(i), name))
            return i;
    ck_abort_msg("no %s", name);
}

static uint64_t between(const char *function, uint64_t cpu_ns, uint64_t wall_ns,
                        struct sca_interval *interval)
{
    *interval = (struct sca_interval){.wall_ns = wall_ns, .cpu_ns = cpu_ns};
    return sca_idle_between(number_of(function), interval);
}

static void expect_idle(const char *function, uint64_t cpu_ns, uint64_t wall_ns)
{
    struct sca_interval interval;
    ck_assert_uint_eq(between(function, cpu_ns, wall_ns, &interval), wall_ns);
    ck_assert_uint_eq(interval.wall_ns + interval.cpu_ns + interval.blocked_ns, 0);
}

static void expect_work(const char *function, uint64_t cpu_ns, uint64_t wall_ns)
{
    struct sca_interval interval;
    ck_assert_uint_eq(between(function, cpu_ns, wall_ns, &interval), 0);
    ck_assert_uint_eq(interval.wall_ns, wall_ns);
    ck_assert_uint_eq(interval.cpu_ns, cpu_ns);
}

START_TEST(next_to_nothing_is_waiting)
{
    expect_idle("MPI_Test", 100, 100);
    expect_idle("MPI_Iprobe", 3 * US, 3 * US);
    expect_idle("MPI_Comm_rank", 100, 100);
    expect_idle("MPI_Testall", 100, 4000 * US); /* others had the core */
}
END_TEST

START_TEST(a_nap_is_waiting)
{
    expect_idle("MPI_Test", 10 * US, 100 * US);
    expect_idle("MPI_Test", 30 * US, 3000 * US);
}
END_TEST

/* Where nobody else wants the core, a yield is over at once. */
START_TEST(a_yield_is_waiting)
{
    expect_work("MPI_Test", 10 * US, 12 * US);
    sched_yield();
    expect_idle("MPI_Test", 10 * US, 12 * US);
    sca_idle_exit(number_of("MPI_Test"), true, 12 * US);
    expect_work("MPI_Test", 10 * US, 12 * US);
}
END_TEST

/* However long it takes to fall asleep and wake up; what else there is must be brief. Naps are told
 * from naps at other times, which take nothing from the work around them. */
START_TEST(what_a_nap_takes_is_no_work)
{
    sca_thread.looks = 1;
    usleep(20);
    uint64_t nap_ns = sca_thread.nap_cpu_ns;
    ck_assert_uint_gt(nap_ns, 0);
    nanosleep(&(struct timespec){0, 20000}, NULL);
    ck_assert_uint_gt(sca_thread.nap_cpu_ns, nap_ns);
    sca_thread.nap_cpu_ns = 900 * US;
    expect_idle("MPI_Test", 903 * US, 950 * US);
    expect_work("MPI_Test", 2000 * US, 2050 * US);
    sca_idle_exit(number_of("MPI_Test"), false, 0);
    ck_assert_uint_eq(sca_thread.nap_cpu_ns, 0);
    usleep(20);
    ck_assert_uint_eq(sca_thread.nap_cpu_ns, 0);
    expect_work("MPI_Test", 903 * US, 950 * US);
}
END_TEST

/* Results and errors are those of the functions themselves. */
START_TEST(a_nap_answers_as_ever)
{
    const struct timespec none = {0, 0}, bad = {0, -1};
    sca_thread.looks = 1;
    ck_assert_int_eq(clock_nanosleep(CLOCK_MONOTONIC, 0, &none, NULL), 0);
    errno = 0;
    ck_assert_int_eq(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL), EINVAL);
    ck_assert_int_eq(errno, 0);
    ck_assert_int_eq(nanosleep(&bad, NULL), -1);
    ck_assert_int_eq(errno, EINVAL);
    ck_assert_int_eq(usleep(1), 0);
    sca_thread.looks = 0;
}
END_TEST

START_TEST(work_is_work)
{
    expect_work("MPI_Test", 5 * US, 5 * US);
    expect_work("MPI_Test", 20 * US, 30 * US);
    expect_work("MPI_Test", 100 * US, 4000 * US);
    expect_work("MPI_Send", 100, 100);
}
END_TEST

static void leave(const char *function, bool found_nothing, uint64_t idle_ns, bool in_vain,
                  unsigned looks)
{
    ck_assert_int_eq(sca_idle_exit(number_of(function), found_nothing, idle_ns), in_vain);
    ck_assert_uint_eq(sca_thread.looks, looks);
}

/* As many as lie between two pieces of work: these come after the same number each time. */
START_TEST(looks_in_a_row_are_counted)
{
    for (int i = 0; i < 3; i++) {
        leave("MPI_Test", true, 0, true, 1);
        leave("MPI_Test", true, 100, true, 2);
        leave("MPI_Comm_rank", false, 100, true, 3);
    }
    leave("MPI_Comm_rank", false, 0, false, 0);
    for (unsigned i = 1; i < 2 * SCA_MOST_LOOKS; i++)
        leave("MPI_Test", true, 100, true, i < SCA_MOST_LOOKS ? i : SCA_MOST_LOOKS);
    leave("MPI_Test", false, 100, false, 0);
}
END_TEST

SCA_SUITE("idle", next_to_nothing_is_waiting, a_nap_is_waiting, a_yield_is_waiting,
          what_a_nap_takes_is_no_work, a_nap_answers_as_ever, work_is_work,
          looks_in_a_row_are_counted)
