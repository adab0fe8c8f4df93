/* Events of the kernel are counted in the kernel, where that is allowed. */
#include "sampling/papi_event.h"
#include "sampling/papi_library.h"
#include "check_main.h"

#include <string.h>

enum { CODE = 7 };

static char asked[128];
static int may_start, started;

static int name_to_code(const char *name, int *code)
{
    strcpy(asked, name);
    *code = CODE;
    return PAPI_OK;
}

static int create(int *set)
{
    *set = 1;
    return PAPI_OK;
}

static int take(int set, int code)
{
    ck_assert_int_eq(set, 1);
    ck_assert_int_eq(code, CODE);
    return PAPI_OK;
}

static int start(int set)
{
    ck_assert_int_eq(set, 1);
    started++;
    return may_start;
}

static int stop(int set, long long *values)
{
    *values = set;
    return PAPI_OK;
}

static int cleanup(int set)
{
    return set > 0 ? PAPI_OK : PAPI_EINVAL;
}

static int destroy(int *set)
{
    *set = PAPI_NULL;
    return PAPI_OK;
}

static int ask(const char *name, int allowed)
{
    int code;
    sca_papi = (struct sca_papi){.event_name_to_code = name_to_code,
                                 .create_eventset = create,
                                 .add_event = take,
                                 .start = start,
                                 .stop = stop,
                                 .cleanup_eventset = cleanup,
                                 .destroy_eventset = destroy};
    may_start = allowed;
    started = 0;
    return sca_papi_event_code(name, &code);
}

START_TEST(switches_are_counted_in_the_kernel)
{
    ck_assert_int_eq(ask("perf::CONTEXT-SWITCHES", PAPI_OK), PAPI_OK);
    ck_assert_str_eq(asked, "perf::CONTEXT-SWITCHES:u=1:k=1");
    ck_assert_int_eq(ask("perf::CPU-MIGRATIONS", PAPI_OK), PAPI_OK);
    ck_assert_str_eq(asked, "perf::CPU-MIGRATIONS:u=1:k=1");
}
END_TEST

/* A count of 0 would say that there were none. */
START_TEST(where_the_kernel_may_not_be_counted_there_is_no_count)
{
    ck_assert_int_eq(ask("perf::CONTEXT-SWITCHES", PAPI_EPERM), PAPI_EPERM);
    ck_assert_int_eq(started, 1);
}
END_TEST

START_TEST(other_events_and_chosen_modes_stay_as_they_are)
{
    static const char *const names[] = {"perf::PAGE-FAULTS", "perf::CONTEXT-SWITCHES:u=1",
                                        "PAPI_TOT_INS", "CONTEXT-SWITCHES"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_int_eq(ask(names[i], PAPI_EPERM), PAPI_OK);
        ck_assert_str_eq(asked, names[i]);
        ck_assert_int_eq(started, 0);
    }
}
END_TEST

SCA_SUITE("papi event", switches_are_counted_in_the_kernel,
          where_the_kernel_may_not_be_counted_there_is_no_count,
          other_events_and_chosen_modes_stay_as_they_are)
