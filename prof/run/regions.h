/*
 * Regions that the program names are phases of the series (series/phases.h): by scalana/region.h,
 * which looks these up, or by levels of MPI_Pcontrol. Where they begin and end is kept, too
 * (series/places.h).
 *
 * Any thread, at any time; those of the thread that called MPI_Init count, outside MPI calls.
 */
#ifndef SCA_PROF_REGIONS_H
#define SCA_PROF_REGIONS_H

#include <stdbool.h>

/* name: the caller's, used during the call alone; NULL or "" is none. */
void scalana_profiler_region_begin(const char *name);
void scalana_profiler_region_end(const char *name);

/* The same, for a function in whose place another one is called: SCA_CALLER of that one. */
void sca_regions_begin(const char *name, const void *return_address, const void *cfa);
void sca_regions_end(const char *name, const void *return_address, const void *cfa);

/* Whether regions of the calling thread count now. */
bool sca_regions_count(void);

/* From 3 on: phase "level 3" begins, and that of the level before ends; 1 and below 0: it ends. The
 * same level again: it goes on. SCA_CALLER of MPI_Pcontrol. */
void sca_regions_level(int level, const void *return_address, const void *cfa);

#endif
