/*
 * A row of a timeline as characters: letters for the places of computation, signs for classes of
 * waiting. Seconds are those of the window.
 */
#ifndef SCA_TIMELINE_ROWS_H
#define SCA_TIMELINE_ROWS_H

#include "lines.h"
#include "sca_report.h"
#include "sca_timelines.h"

enum {
    SCA_TIMELINE_NAME = 6, /* columns before a row: its rank */
    SCA_TIMELINE_LETTERS = 26,
    SCA_TIMELINE_KINDS = 16,
    SCA_TIMELINE_OTHER = '*' /* computation without a letter */
};

/* The same for all windows of a report. */
struct sca_timeline_letters {
    uint32_t n;
    uint32_t vertex[SCA_TIMELINE_LETTERS]; /* where most is computed comes first */
    double seconds[SCA_TIMELINE_LETTERS];  /* over the rows of all windows */
    bool waits[SCA_TIMELINE_KINDS];        /* kinds that are there; 0: one beyond these */
};

struct sca_timeline_part {
    double begin, end;
    int columns;
};

/* Without memory there are no letters. */
void sca_timeline_rows_letters(const struct sca_report *report, struct sca_timeline_letters *out);
/* Of a kind of waiting, from 1 on. */
char sca_timeline_rows_sign(uint32_t kind);
/* Appends a column for each piece of the part: what fills most of it; blank: in MPI, not waiting.
 */
void sca_timeline_rows_draw(struct sca_lines *lines, const struct sca_report_play *play,
                            uint32_t row, const struct sca_timeline_letters *letters,
                            struct sca_timeline_part part);
/* What a row does then, or does last before; NULL: nothing yet. */
const struct sca_report_span *sca_timeline_rows_at(const struct sca_report_play *play, uint32_t row,
                                                   double seconds);
/* What it does after (1) or before (-1) that; NULL: nothing. */
const struct sca_report_span *sca_timeline_rows_beside(const struct sca_report_play *play,
                                                       uint32_t row, double seconds, int direction);

#endif
