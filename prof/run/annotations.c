#include "run/annotations.h"
#include "base/guard.h"
#include "calls/activity.h"
#include "run/rebind.h"
#include "run/regions.h"

#include <stdint.h>
#include <string.h>

enum { BEGIN_REGION, BEGIN_PHASE, BEGIN_COMM, END_REGION, END_PHASE, END_COMM, START, STOP, CALLS };

static void *real[CALLS];

typedef void change_by_name(const char *name);
typedef int change_by_handle(void *region);

static void call_by_name(int which, const char *name)
{
    change_by_name *call;
    memcpy(&call, &real[which], sizeof call);
    call(name);
}

static int call_by_handle(int which, void *region)
{
    change_by_handle *call;
    memcpy(&call, &real[which], sizeof call);
    return call(region);
}

/* ---- Caliper: what it does itself stays outside the phase ---- */

static void begin_region(const char *name)
{
    call_by_name(BEGIN_REGION, name);
    sca_regions_begin(name, SCA_CALLER);
}

static void begin_phase(const char *name)
{
    call_by_name(BEGIN_PHASE, name);
    sca_regions_begin(name, SCA_CALLER);
}

static void begin_comm(const char *name)
{
    call_by_name(BEGIN_COMM, name);
    sca_regions_begin(name, SCA_CALLER);
}

static void end_region(const char *name)
{
    sca_regions_end(name, SCA_CALLER);
    call_by_name(END_REGION, name);
}

static void end_phase(const char *name)
{
    sca_regions_end(name, SCA_CALLER);
    call_by_name(END_PHASE, name);
}

static void end_comm(const char *name)
{
    sca_regions_end(name, SCA_CALLER);
    call_by_name(END_COMM, name);
}

/* ---- TALP: a region's handle points to what users may read, first of all its name ---- */

enum { GLOBAL_REGION = 0, LAST_OPEN_REGION = 1 }; /* in place of a handle */

enum { MOST_OPEN = 32 };

static struct {
    void *region[MOST_OPEN]; /* as they were started, the thread of MPI_Init's alone */
    unsigned n;
} started;

static const char *name_of(void *region)
{
    const char *name = NULL;
    if ((uintptr_t)region > LAST_OPEN_REGION)
        memcpy(&name, region, sizeof name);
    return name;
}

static void *last_open(void *region)
{
    if ((uintptr_t)region != LAST_OPEN_REGION)
        return region;
    return started.n ? started.region[started.n - 1] : NULL;
}

static void forget(void *region)
{
    for (unsigned i = started.n; i-- > 0;)
        if (started.region[i] == region) {
            memmove(&started.region[i], &started.region[i + 1],
                    (started.n - i - 1) * sizeof *started.region);
            started.n--;
            return;
        }
}

static int start(void *region)
{
    int status = call_by_handle(START, region);
    const char *name = status < 0 ? NULL : name_of(region);
    if (!name || !sca_regions_count())
        return status;
    if (started.n < MOST_OPEN)
        started.region[started.n++] = region;
    sca_regions_begin(name, SCA_CALLER);
    return status;
}

static int stop(void *region)
{
    void *which = sca_regions_count() ? last_open(region) : NULL;
    const char *name = name_of(which);
    if (name) {
        forget(which);
        sca_regions_end(name, SCA_CALLER);
    }
    return call_by_handle(STOP, region);
}

/* ---- all ---- */

void sca_annotations_bind(void)
{
    static int bound;
    if (!sca_recording || __atomic_exchange_n(&bound, 1, __ATOMIC_RELAXED))
        return;
    static const struct {
        const char *name;
        change_by_name *by_name;
        change_by_handle *by_handle;
    } of[CALLS] = {[BEGIN_REGION] = {"cali_begin_region", begin_region, NULL},
                   [BEGIN_PHASE] = {"cali_begin_phase", begin_phase, NULL},
                   [BEGIN_COMM] = {"cali_begin_comm_region", begin_comm, NULL},
                   [END_REGION] = {"cali_end_region", end_region, NULL},
                   [END_PHASE] = {"cali_end_phase", end_phase, NULL},
                   [END_COMM] = {"cali_end_comm_region", end_comm, NULL},
                   [START] = {"DLB_MonitoringRegionStart", NULL, start},
                   [STOP] = {"DLB_MonitoringRegionStop", NULL, stop}};
    struct sca_rebind_name names[CALLS];
    for (int i = 0; i < CALLS; i++) {
        names[i] = (struct sca_rebind_name){of[i].name, NULL, &real[i]};
        if (of[i].by_name)
            memcpy(&names[i].own, &of[i].by_name, sizeof names[i].own);
        else
            memcpy(&names[i].own, &of[i].by_handle, sizeof names[i].own);
    }
    sca_rebind_names(names, CALLS);
}
