/* In place of Caliper and DLB: notes what it is called with. Names are theirs, nothing else. */
#include <stddef.h>

struct region {
    const char *name;
    int other;
};

static char seen[1024];
static size_t n;

static void note(char c)
{
    if (n + 1 < sizeof seen)
        seen[n++] = c;
}

void cali_begin_region(const char *name)
{
    note(*name == 'r' ? '(' : '?');
}

void cali_end_region(const char *name)
{
    note(*name == 'r' ? ')' : '?');
}

void *DLB_MonitoringRegionRegister(const char *name)
{
    static struct region one;
    one.name = name;
    return &one;
}

int DLB_MonitoringRegionStart(void *region)
{
    note(region ? 's' : '!');
    return region ? 0 : -1;
}

int DLB_MonitoringRegionStop(void *region)
{
    note(region == (void *)1 ? 'S' : 't');
    return 0;
}

const char *annotations_seen(void)
{
    return seen;
}
