#include "sampling/papi_set.h"
#include "base/descriptor.h"
#include "sampling/papi_library.h"
#include "sca_part.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DESCRIPTORS = 64, MOST_EVENTS = 1 + SCA_MAX_METRICS };

static _Thread_local int set __attribute__((tls_model("initial-exec"))) = PAPI_NULL;
static _Thread_local int first; /* descriptor that the set may have */

static bool is_perf_event(int fd)
{
    char name[32], target[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(name, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    return strstr(target, "[perf_event]") != NULL;
}

/* They must not survive an exec, for an overflow's signal would kill the new program. */
static void close_on_exec(unsigned events)
{
    for (int fd = first; events && fd < first + DESCRIPTORS; fd++) {
        int flags = sca_descriptor_control(fd, F_GETFD, 0);
        if (flags < 0 || flags & FD_CLOEXEC || !is_perf_event(fd))
            continue;
        sca_descriptor_control(fd, F_SETFD, (uintptr_t)(flags | FD_CLOEXEC));
        events--;
    }
}

int sca_papi_set_overflowing(void)
{
    for (int fd = first; fd < first + DESCRIPTORS; fd++)
        if (sca_descriptor_control(fd, F_GETSIG, 0) > 0 && is_perf_event(fd))
            return fd;
    return -1;
}

/* The lowest free descriptor, from which on PAPI will open its own. */
static int first_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    close(fd);
    return fd;
}

int sca_papi_set(void)
{
    return set;
}

int sca_papi_set_open(void)
{
    first = first_descriptor();
    return sca_papi.create_eventset(&set);
}

static void drop(void)
{
    sca_papi.cleanup_eventset(set);
    sca_papi.destroy_eventset(&set);
    set = PAPI_NULL;
}

int sca_papi_set_keep(int status, unsigned events)
{
    if (status == PAPI_OK)
        close_on_exec(events);
    else
        drop();
    return status;
}

void sca_papi_set_stop(void)
{
    long long values[MOST_EVENTS];
    if (set == PAPI_NULL)
        return;
    sca_papi.stop(set, values);
    drop();
}
