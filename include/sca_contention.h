/*
 * Hand-overs of locks as a picture: threads as rows, places in the source as columns, and what goes
 * from one to another. Of many threads and places it has the ends of the longest waits.
 */
#ifndef SCA_CONTENTION_H
#define SCA_CONTENTION_H

#include "sca_report.h"

struct sca_contention_thread {
    uint32_t rank, thread;
    double waited_s; /* for locks that others had */
    double kept_s;   /* others waited for locks that it had */
};

struct sca_contention_place {
    uint32_t vertex; /* of several call paths to one line, the first */
    double waited_s, kept_s;
};

struct sca_contention_link { /* from who had the lock to who waited; rows of the lists above */
    uint32_t from_thread, to_thread, from_place, to_place;
    double count, seconds;
    uint32_t lock; /* in the report's locks, from 1; 0: not known, or several */
};

struct sca_contention_grid {
    uint32_t nthreads, nplaces, nlinks;
    uint32_t threads_left_out, places_left_out;
    struct sca_contention_thread *threads; /* by rank, then number */
    struct sca_contention_place *places;   /* in program order */
    struct sca_contention_link *links;     /* longest first; only between what is listed */
    double seconds;                        /* of all links listed */
};

/* At most so many of each; of a report without hand-overs it is empty. SCA_OK or SCA_ENOMEM. */
int sca_contention_grid_make(const struct sca_report *report, uint32_t most_threads,
                             uint32_t most_places, struct sca_contention_grid *out);
void sca_contention_grid_free(struct sca_contention_grid *grid);

#endif
