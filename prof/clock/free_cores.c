#include "clock/free_cores.h"
#include "base/allowed_cores.h"
#include "base/cores.h"
#include "base/small_file.h"
#include "clock/clock.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CORES = 1024,     /* as cpu_set_t has */
    TEXT = 128 << 10, /* of CORES lines */
    IDLE = 4,
    WAITS = 5, /* columns: idle, and idle while something waits for a disk */
    HUNDRED = 100
};

static cpu_set_t outside; /* cores that the launcher may use and the process may not */
static uint64_t begin_ns, idle_begin[CORES];
static bool any;

static bool find_outside(void)
{
    cpu_set_t own, launchers, both;
    CPU_ZERO(&launchers);
    if (!sca_allowed_cores(&own) || getppid() <= 0 ||
        sched_getaffinity(getppid(), sizeof launchers, &launchers))
        return false;
    CPU_AND(&both, &own, &launchers);
    CPU_XOR(&outside, &launchers, &both);
    return CPU_COUNT(&outside) > 0 && !sca_cores_quota();
}

/* "cpu3 11885 0 4561 27384 44 ...": clock ticks since the host began. Returns the next line. */
static const char *read_line(const char *line, uint64_t idle[CORES])
{
    char *at;
    unsigned long core = strtoul(line + strlen("cpu"), &at, 10);
    for (int column = 1; column <= WAITS && at != line + strlen("cpu"); column++) {
        uint64_t ticks = strtoull(at, &at, 10);
        if (column >= IDLE && core < CORES)
            idle[core] += ticks;
    }
    const char *end = strchr(line, '\n');
    return end ? end + 1 : "";
}

/* The first line has the sum of all. */
static bool read_idle(uint64_t idle[CORES])
{
    static char text[TEXT];
    if (!sca_small_file_read("/proc/stat", text, sizeof text))
        return false;
    const char *line = strchr(text, '\n');
    line = line ? line + 1 : "";
    while (!strncmp(line, "cpu", strlen("cpu")))
        line = read_line(line, idle);
    return true;
}

void sca_free_cores_begin(void)
{
    memset(idle_begin, 0, sizeof idle_begin);
    any = find_outside() && read_idle(idle_begin);
    begin_ns = sca_clock_now();
}

/* Of one core, in per cent. */
static unsigned part_of(uint64_t ticks, uint64_t wall_ns)
{
    double second = (double)sysconf(_SC_CLK_TCK);
    double part = HUNDRED * (double)ticks / second * 1e9 / (double)wall_ns;
    return part < HUNDRED ? (unsigned)part : HUNDRED;
}

static void put_ranges(const unsigned char part[CORES], char *text, size_t size)
{
    size_t used = 0;
    for (unsigned core = 0, last; core < CORES; core = last + 1) {
        last = core;
        if (!CPU_ISSET(core, &outside) || !part[core])
            continue;
        while (last + 1 < CORES && CPU_ISSET(last + 1, &outside) && part[last + 1] == part[core])
            last++;
        char range[16] = "";
        if (last > core)
            snprintf(range, sizeof range, "-%u", last);
        int n = snprintf(text + used, size - used, "%s%u%s:%u", used ? " " : "", core, range,
                         part[core]);
        if (n < 0 || (size_t)n >= size - used) {
            text[0] = '\0';
            return;
        }
        used += (size_t)n;
    }
}

void sca_free_cores_describe(char *text, size_t size)
{
    static uint64_t idle[CORES];
    static unsigned char part[CORES];
    uint64_t wall_ns = sca_clock_now() - begin_ns;
    text[0] = '\0';
    memset(idle, 0, sizeof idle);
    if (!any || !wall_ns || !read_idle(idle))
        return;
    for (unsigned i = 0; i < CORES; i++)
        part[i] =
            idle[i] > idle_begin[i] ? (unsigned char)part_of(idle[i] - idle_begin[i], wall_ns) : 0;
    put_ranges(part, text, size);
}
