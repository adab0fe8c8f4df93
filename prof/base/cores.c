#include "base/cores.h"
#include "base/small_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 4096 };

uint32_t sca_cores_wanted(void)
{
    const char *value = getenv("OMP_NUM_THREADS");
    long threads = value ? strtol(value, NULL, 10) : 1;
    return threads > 0 && threads <= MOST_THREADS ? (uint32_t)threads : 1;
}

/* "max 100000" or "150000 100000": microseconds of every so many. */
static uint32_t limit_in(const char *group)
{
    char path[PATH_MAX + 32], text[64];
    long quota, period;
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    if (!sca_small_file_read(path, text, sizeof text) ||
        sscanf(text, "%ld %ld", &quota, &period) != 2 || quota <= 0 || period <= 0)
        return 0;
    return (uint32_t)((quota + period - 1) / period);
}

uint32_t sca_cores_quota(void)
{
    char text[PATH_MAX];
    uint32_t least = 0;
    if (!sca_small_file_read("/proc/self/cgroup", text, sizeof text))
        return 0;
    char *group = strstr(text, "0::/");
    if (!group)
        return 0;
    group += 3;
    group[strcspn(group, "\n")] = '\0';
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        *end = '\0';
        uint32_t limit = limit_in(group);
        if (limit && (!least || limit < least))
            least = limit;
    }
    return least;
}
