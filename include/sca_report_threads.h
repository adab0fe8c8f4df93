/*
 * The part of a report that says what threads computed in a calling context, rank by rank
 * (sca_report.h). Lists are the report's.
 */
#ifndef SCA_REPORT_THREADS_H
#define SCA_REPORT_THREADS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SCA_MOST_THREADS_LISTED = 16,     /* numbers of threads, */
    SCA_MOST_THREAD_SECONDS = 1 << 16 /* and values of all contexts, ranks and threads */
};

struct sca_report_thread_row { /* one vertex, without what is below it */
    uint32_t vertex;
    double *seconds; /* [ranks of the largest run][nlisted] */
};

struct sca_report_thread_times {
    uint32_t nthreads; /* that samples of the run fell on; 0: none is listed, or an older report */
    uint32_t nlisted;
    uint32_t *listed;                   /* [nlisted]: their numbers, rising */
    uint32_t nrows, left_out;           /* further vertices, which compute less */
    struct sca_report_thread_row *rows; /* by vertex, rising */
};

struct sca_report;

/* Seconds of the listed threads of a rank in a vertex, alone or with all below it:
 * seconds[nlisted]. False: the report has none there. */
bool sca_report_thread_seconds(const struct sca_report *report, uint32_t vertex, bool below,
                               uint32_t rank, double *seconds);

#endif
