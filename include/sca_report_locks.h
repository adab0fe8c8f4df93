/*
 * The part of a report that is of locks within ranks (sca_report.h). Texts and lists are the
 * report's.
 */
#ifndef SCA_REPORT_LOCKS_H
#define SCA_REPORT_LOCKS_H

#include <stdint.h>

/* Threads of a rank hand locks over to each other: so many waits in so many seconds, of one thread
 * for another one that had the lock. */
enum { SCA_MOST_HAND_OVERS_TOLD = 512 };

struct sca_report_hand_over {
    uint32_t rank, from_thread, to_thread;
    uint32_t from, to; /* vertices: where the one had it, and the other waited */
    double count, seconds;
    uint32_t lock; /* in `locks`, from 1; 0: not known, or an older report */
};

struct sca_report_lock {
    const char *name; /* "table_lock", "made at solver.c:12" */
    const char *file; /* of the call that made it; "": it lies in the program's own memory */
    uint32_t line;
    double wait_s;
};

struct sca_report_contention { /* seconds are of threads, all ranks together */
    double wait_s;             /* 0: no thread waits for a lock, or an older report */
    double unknown_s;          /* of that, whose threads are not known */
    uint32_t nhand_overs, left_out;
    struct sca_report_hand_over *hand_overs; /* longest first */
    uint32_t nlocks;
    struct sca_report_lock *locks; /* whose origin is known; longest waits first */
};

#endif
