#include "machine/cores.h"
#include "machine/system_file.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 4096 };

/* Is it the first that may be used of its core's hardware threads? "0,64" or "0-1". */
static bool is_first_of_core(const char *root, int cpu, const cpu_set_t *allowed)
{
    char path[96], list[256];
    int from, to, length;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    if (!sca_system_file_read(root, path, list, sizeof list))
        return true;
    for (const char *at = list; sscanf(at, "%d%n", &from, &length) == 1;) {
        at += length;
        to = from;
        if (sscanf(at, "-%d%n", &to, &length) == 1)
            at += length;
        for (int i = from; i <= to && i < cpu; i++)
            if (i >= 0 && i < CPU_SETSIZE && CPU_ISSET(i, allowed))
                return false;
        at += *at == ',';
    }
    return true;
}

/* "max 100000" or "150000 100000": microseconds of every so many. */
static unsigned limit_in(const char *root, const char *group)
{
    char path[TEXT + 32], text[64];
    long quota, period;
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    if (!sca_system_file_read(root, path, text, sizeof text) ||
        sscanf(text, "%ld %ld", &quota, &period) != 2 || quota <= 0 || period <= 0)
        return 0;
    return (unsigned)((quota + period - 1) / period);
}

/* The tightest limit on the way to the root of control groups. */
static unsigned quota_of(const char *root)
{
    char text[TEXT];
    unsigned least = 0;
    sca_system_file_read(root, "/proc/self/cgroup", text, sizeof text);
    char *group = strstr(text, "0::/");
    if (!group)
        return 0;
    group += 3;
    group[strcspn(group, "\n")] = '\0';
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        *end = '\0';
        unsigned limit = limit_in(root, group);
        if (limit && (!least || limit < least))
            least = limit;
    }
    return least;
}

struct sca_cores sca_cores_of(const char *root)
{
    struct sca_cores found = {.quota = quota_of(root)};
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t allowed;
    found.online = online > 0 ? (unsigned)online : 1;
    if (sched_getaffinity(0, sizeof allowed, &allowed)) { /* more than the set holds */
        found.cpus = found.cores = found.online;
    } else {
        found.cpus = (unsigned)CPU_COUNT(&allowed);
        for (int i = 0; i < CPU_SETSIZE; i++)
            found.cores += CPU_ISSET(i, &allowed) && is_first_of_core(root, i, &allowed);
    }
    if (found.quota && found.quota < found.cores)
        found.cores = found.quota;
    found.cores += !found.cores;
    return found;
}
