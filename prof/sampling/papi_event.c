#include "sampling/papi_event.h"
#include "sampling/papi_library.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAME = 128 };

/* As the kernel's headers call them, for PAPI's perf events. */
static bool is_of_kernel(const char *name)
{
    static const char *const names[] = {"CONTEXT-SWITCHES",
                                        "CS",
                                        "CPU-MIGRATIONS",
                                        "MIGRATIONS",
                                        "PERF_COUNT_SW_CONTEXT_SWITCHES",
                                        "PERF_COUNT_SW_CPU_MIGRATIONS"};
    static const char prefix[] = "perf::";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name + sizeof prefix - 1, names[i]))
            return true;
    return false;
}

/* Permission shows only when it is started. */
static int try_once(int code)
{
    int set = PAPI_NULL, status = sca_papi.create_eventset(&set);
    long long value;
    if (status == PAPI_OK)
        status = sca_papi.add_event(set, code);
    if (status == PAPI_OK)
        status = sca_papi.start(set);
    if (status == PAPI_OK)
        sca_papi.stop(set, &value);
    sca_papi.cleanup_eventset(set);
    sca_papi.destroy_eventset(&set);
    return status;
}

int sca_papi_event_code(const char *name, int *code)
{
    char everywhere[MOST_NAME];
    if (!is_of_kernel(name))
        return sca_papi.event_name_to_code((char *)name, code);
    snprintf(everywhere, sizeof everywhere, "%s:u=1:k=1", name);
    int status = sca_papi.event_name_to_code(everywhere, code);
    return status == PAPI_OK ? try_once(*code) : status;
}
