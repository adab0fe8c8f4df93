/*
 * POP's table of efficiencies as rows, in the same words wherever it is shown: a row for each
 * efficiency, a column for each run. Memory is the caller's or static.
 */
#ifndef SCA_EFFICIENCY_H
#define SCA_EFFICIENCY_H

#include "sca_report.h"

#include <stddef.h>

/* Runs side by side in 80 columns; a line has SCA_EFFICIENCY_LINE bytes at most. */
enum { SCA_EFFICIENCY_RUNS = 7, SCA_EFFICIENCY_LINE = 96, SCA_EFFICIENCY_NOTES = 5 };

struct sca_efficiency_row {
    const char *name; /* "load balance" */
    int depth;        /* 0: global; it is the product of the rows that are one deeper below it */
    size_t offset;    /* in struct sca_report_efficiency */
};

/* The rows, from global down; those of hardware counters only where some run has them. */
const struct sca_efficiency_row *sca_efficiency_rows(const struct sca_report *report, uint32_t *n);

/* A fraction; NAN: it was not measured. */
double sca_efficiency_value(const struct sca_report_efficiency *efficiency,
                            const struct sca_efficiency_row *row);

/* "    load balance        0.95    0.85": of at most SCA_EFFICIENCY_RUNS runs from `first` on;
 * n/a for what was not measured. Likewise the two lines above them: numbers of ranks, wall times.
 */
const char *sca_efficiency_line(char *buffer, const struct sca_report *report,
                                const struct sca_efficiency_row *row, uint32_t first);
const char *sca_efficiency_ranks(char *buffer, const struct sca_report *report, uint32_t first);
/* NULL unless threads are the scale (sca_report.h). */
const char *sca_efficiency_threads(char *buffer, const struct sca_report *report, uint32_t first);
const char *sca_efficiency_wall(char *buffer, const struct sca_report *report, uint32_t first);

/* The sentences below the table; returns how many. */
uint32_t sca_efficiency_notes(const struct sca_report *report,
                              const char *notes[SCA_EFFICIENCY_NOTES]);

#endif
