#include "base/binding.h"
#include "base/allowed_cores.h"
#include "base/small_file.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORES = 512 }; /* of one process; who may use more is told by none */

struct core {
    long package, core;
};

struct list {
    uint32_t n;
    struct core of[MOST_CORES];
};

/* "0-3,8\n" */
static bool read_set(const char *path, cpu_set_t *set)
{
    char text[4096], *at = text, *end;
    if (!sca_small_file_read(path, text, sizeof text))
        return false;
    CPU_ZERO(set);
    do {
        long first = strtol(at, &end, 10), last = first;
        if (end == at)
            return false;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long cpu = first; cpu >= 0 && cpu <= last && cpu < CPU_SETSIZE; cpu++)
            CPU_SET((size_t)cpu, set);
        at = end + 1;
    } while (*end == ',');
    return true;
}

static bool may_use_all(const cpu_set_t *allowed)
{
    cpu_set_t online, both;
    if (!read_set("/sys/devices/system/cpu/online", &online))
        return false;
    CPU_AND(&both, &online, allowed);
    return CPU_EQUAL(&both, &online);
}

static bool read_number(unsigned cpu, const char *name, long *number)
{
    char path[96], text[32], *end;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, name);
    if (!sca_small_file_read(path, text, sizeof text))
        return false;
    *number = strtol(text, &end, 10);
    return end != text && *number >= 0;
}

/* Two processors may be one core's. */
static bool add(struct list *list, const struct core *core)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->of[i].package == core->package && list->of[i].core == core->core)
            return true;
    if (list->n == MOST_CORES)
        return false;
    list->of[list->n++] = *core;
    return true;
}

static int by_number(const struct core *a, const struct core *b)
{
    if (a->package != b->package)
        return a->package < b->package ? -1 : 1;
    return (a->core > b->core) - (a->core < b->core);
}

/* By insertion: the kernel numbers them nearly in order. */
static void put_in_order(struct list *list)
{
    for (uint32_t i = 1; i < list->n; i++)
        for (uint32_t k = i; k && by_number(&list->of[k - 1], &list->of[k]) > 0; k--) {
            struct core other = list->of[k];
            list->of[k] = list->of[k - 1];
            list->of[k - 1] = other;
        }
}

static bool read_cores(const cpu_set_t *allowed, struct list *list)
{
    list->n = 0;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        struct core core;
        if (!CPU_ISSET(cpu, allowed))
            continue;
        if (!read_number(cpu, "physical_package_id", &core.package) ||
            !read_number(cpu, "core_id", &core.core) || !add(list, &core))
            return false;
    }
    put_in_order(list);
    return list->n > 0;
}

static bool follows(const struct list *list, uint32_t i)
{
    return i && list->of[i].package == list->of[i - 1].package &&
           list->of[i].core == list->of[i - 1].core + 1;
}

/* Ranges, after the number of their package. */
static void write_cores(const struct list *list, char *text, size_t size)
{
    size_t used = 0;
    for (uint32_t i = 0; i < list->n && used < size; i++) {
        bool same = i && list->of[i].package == list->of[i - 1].package;
        bool inner = follows(list, i) && i + 1 < list->n && follows(list, i + 1);
        if (inner)
            continue;
        if (!same)
            used += (size_t)snprintf(text + used, size - used, "%s%ld:", i ? " " : "",
                                     list->of[i].package);
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%ld",
                                     !same              ? ""
                                     : follows(list, i) ? "-"
                                                        : ",",
                                     list->of[i].core);
    }
    if (used >= size)
        text[0] = '\0';
}

void sca_binding_describe(char *text, size_t size)
{
    cpu_set_t allowed;
    struct list list;
    text[0] = '\0';
    if (!sca_allowed_cores(&allowed))
        return;
    if (may_use_all(&allowed))
        snprintf(text, size, "all");
    else if (read_cores(&allowed, &list))
        write_cores(&list, text, size);
}
