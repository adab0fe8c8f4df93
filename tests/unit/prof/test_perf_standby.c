/* The event that keeps the kernel's hooks on belongs to nobody that runs, and is given back; what
 * the program made of the descriptor meanwhile stays the program's. */
#include "sampling/perf_clock.h"
#include "sampling/perf_standby.h"
#include "check_main.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_perf(const char *number)
{
    char path[300], target[64] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%s", number);
    return readlink(path, target, sizeof target - 1) > 0 && strstr(target, "perf_event");
}

/* -1: there is none. */
static int perf_descriptor(void)
{
    int found = -1;
    DIR *all = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(all));)
        if (is_perf(entry->d_name))
            found = atoi(entry->d_name);
    closedir(all);
    return found;
}

static int threads(void)
{
    int n = 0;
    DIR *all = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(all));)
        n += entry->d_name[0] != '.';
    closedir(all);
    return n;
}

static bool has_events(void)
{
    struct sca_perf_clock clock;
    bool can = sca_perf_clock_open(&clock, 1000000, SIGIO);
    sca_perf_clock_close(&clock);
    return can;
}

START_TEST(one_event_is_open_while_it_stands_by)
{
    bool has = has_events();
    ck_assert_int_eq(perf_descriptor(), -1);
    sca_perf_standby_begin();
    sca_perf_standby_join();
    ck_assert_int_eq(threads(), 1);
    ck_assert_int_eq(perf_descriptor() >= 0, has);
    sca_perf_standby_end();
    ck_assert_int_eq(perf_descriptor(), -1);
    sca_perf_standby_end();
}
END_TEST

START_TEST(it_may_end_before_it_was_joined)
{
    sca_perf_standby_begin();
    sca_perf_standby_end();
    ck_assert_int_eq(threads(), 1);
    ck_assert_int_eq(perf_descriptor(), -1);
}
END_TEST

START_TEST(a_descriptor_that_the_program_took_over_stays_open)
{
    sca_perf_standby_begin();
    sca_perf_standby_join();
    int descriptor = perf_descriptor(), own = open("/dev/null", O_RDONLY);
    if (descriptor >= 0) {
        ck_assert_int_eq(dup2(own, descriptor), descriptor);
        sca_perf_standby_end();
        ck_assert_int_ge(fcntl(descriptor, F_GETFD), 0);
    }
    close(own);
}
END_TEST

SCA_SUITE("perf_standby", one_event_is_open_while_it_stands_by, it_may_end_before_it_was_joined,
          a_descriptor_that_the_program_took_over_stays_open)
