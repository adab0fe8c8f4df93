#include "run/regions.h"
#include "base/guard.h"
#include "calls/activity.h"
#include "clock/clock.h"
#include "run/life.h"
#include "series/series.h"

#include <stdio.h>

enum { FIRST_LEVEL = 3 };

typedef void change(const char *name, uint64_t ns, uint64_t left_ns);

static bool counts(void)
{
    if (sca_life_has_not_begun())
        return !sca_thread.in_tool;
    return sca_recording && sca_series_now.owner == &sca_thread && !sca_thread.in_tool &&
           !sca_thread.in_mpi;
}

static void tell(change *to, const char *name)
{
    if (!counts())
        return;
    sca_guard_lock();
    to(name, sca_recording ? sca_clock_now() : 0, sca_series_now.left_ns);
    sca_guard_unlock();
}

bool sca_regions_count(void)
{
    return counts();
}

SCA_ENTRY void scalana_profiler_region_begin(const char *name)
{
    if (name && *name)
        tell(sca_phases_enter, name);
}

SCA_ENTRY void scalana_profiler_region_end(const char *name)
{
    if (name && *name)
        tell(sca_phases_leave, name);
}

void sca_regions_level(int level)
{
    static int now;
    char name[32];
    if (level == now || (level >= 0 && level < FIRST_LEVEL && level != 1))
        return;
    if (now) {
        snprintf(name, sizeof name, "level %d", now);
        tell(sca_phases_leave, name);
    }
    now = level >= FIRST_LEVEL ? level : 0;
    if (now) {
        snprintf(name, sizeof name, "level %d", now);
        tell(sca_phases_enter, name);
    }
}
