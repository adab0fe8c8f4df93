#include "run/regions.h"
#include "base/guard.h"
#include "calls/activity.h"
#include "clock/clock.h"
#include "run/life.h"
#include "series/places.h"
#include "series/series.h"

#include <stdio.h>

enum { FIRST_LEVEL = 3 };

typedef const char *change(const char *name, uint64_t ns, uint64_t left_ns);

static bool counts(void)
{
    if (sca_life_has_not_begun())
        return !sca_thread.in_tool;
    return sca_recording && sca_series_now.owner == &sca_thread && !sca_thread.in_tool &&
           !sca_thread.in_mpi;
}

static void tell(change *to, const char *name, const void *return_address, const void *cfa)
{
    if (!name || !*name || !counts())
        return;
    uint64_t ns = sca_recording ? sca_clock_now() : 0;
    sca_guard_lock();
    const char *kept = to(name, ns, sca_series_now.left_ns);
    sca_guard_unlock();
    if (kept)
        sca_places_pass(to == sca_phases_enter ? SCA_PLACE_BEGINS : SCA_PLACE_ENDS, kept, ns,
                        return_address, cfa);
}

bool sca_regions_count(void)
{
    return counts();
}

void sca_regions_begin(const char *name, const void *return_address, const void *cfa)
{
    tell(sca_phases_enter, name, return_address, cfa);
}

void sca_regions_end(const char *name, const void *return_address, const void *cfa)
{
    tell(sca_phases_leave, name, return_address, cfa);
}

SCA_ENTRY void scalana_profiler_region_begin(const char *name)
{
    sca_regions_begin(name, SCA_CALLER);
}

SCA_ENTRY void scalana_profiler_region_end(const char *name)
{
    sca_regions_end(name, SCA_CALLER);
}

void sca_regions_level(int level, const void *return_address, const void *cfa)
{
    static int now;
    char name[32];
    if (level == now || (level >= 0 && level < FIRST_LEVEL && level != 1))
        return;
    if (now) {
        snprintf(name, sizeof name, "level %d", now);
        sca_regions_end(name, return_address, cfa);
    }
    now = level >= FIRST_LEVEL ? level : 0;
    if (now) {
        snprintf(name, sizeof name, "level %d", now);
        sca_regions_begin(name, return_address, cfa);
    }
}
