/*
 * What every MPI call touches lies together: between two calls the program's computation empties
 * the caches, and a call then waits once for each line and for each page (translations included),
 * more than for its instructions.
 */
#ifndef SCA_PROF_HOT_H
#define SCA_PROF_HOT_H

/* Single words; tables of which a call touches a line or two; code that calls hardly ever need. */
#define SCA_HOT       __attribute__((section("sca_hot")))
#define SCA_HOT_TABLE __attribute__((section("sca_hot_tables"), aligned(64)))
#define SCA_COLD      __attribute__((cold, noinline))

#endif
