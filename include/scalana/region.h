/*
 * Regions: names for phases of a program, in what ScalAna says of it over time.
 *
 *     #include <scalana/region.h>
 *     scalana_region_begin("refine");
 *     ...
 *     scalana_region_end("refine");
 *
 * This header is all: nothing to link, and without ScalAna's runtime the two do nothing. Where it
 * was preloaded, `scalana report --view=series`, the report and g.phases() of the package for
 * Python have the regions; `--view=tag` has where they begin and end. For C99, C++ and, with
 * scalana/region.f90, Fortran. SCALANA_NO_REGIONS, defined before, leaves them out.
 *
 * Regions lie within each other, up to 32 deep; a name within another region is another phase; a
 * run has up to 64. What is more counts for the region around it. Names are text in UTF-8, of which
 * the first 63 bytes count, and are copied. An end that has no begin does nothing; one that leaves
 * others open within it ends these, too; what is open at MPI_Finalize ends there. Regions may begin
 * before MPI_Init: their time counts from there on. The regions of the thread that called MPI_Init
 * count, any thread may call.
 */
#ifndef SCALANA_REGION_H
#define SCALANA_REGION_H

#ifdef SCALANA_NO_REGIONS
#define scalana_region_begin(name) ((void)(name))
#define scalana_region_end(name)   ((void)(name))
#else

#include <dlfcn.h>
#include <string.h>

typedef void scalana_region_change(const char *name);

static inline void scalana_region_nothing(const char *name)
{
    (void)name;
}

/* What the runtime has of that name, looked up once. */
static inline void scalana_region_do(scalana_region_change **kept, const char *function,
                                     const char *name)
{
    scalana_region_change *change;
    __atomic_load(kept, &change, __ATOMIC_RELAXED);
    if (!change) {
        void *found = dlsym(NULL, function); /* RTLD_DEFAULT */
        change = scalana_region_nothing;
        if (found)
            memcpy(&change, &found, sizeof change);
        __atomic_store(kept, &change, __ATOMIC_RELAXED);
    }
    change(name);
}

static inline void scalana_region_begin(const char *name)
{
    static scalana_region_change *change;
    scalana_region_do(&change, "scalana_profiler_region_begin", name);
}

static inline void scalana_region_end(const char *name)
{
    static scalana_region_change *change;
    scalana_region_do(&change, "scalana_profiler_region_end", name);
}

#endif
#endif
