/*
 * What every view comes down to: rows of places in the program with figures. A view fills a
 * table; one printer makes text of it, another JSON. Everything lives in the workspace
 * (workspace.h).
 */
#ifndef SCA_DETECT_TABLE_H
#define SCA_DETECT_TABLE_H

#include "graph/ppg.h"
#include "base/workspace.h"

#include <stdio.h>

enum sca_cell_kind {
    SCA_CELL_SECONDS, /* three figures in text */
    SCA_CELL_SIGNED,  /* seconds with their sign */
    SCA_CELL_SHARE,   /* of 1; "12.3 %" */
    SCA_CELL_CHANGE,  /* the same with its sign */
    SCA_CELL_RATIO,   /* two decimals */
    SCA_CELL_COUNT,
    SCA_CELL_NUMBER, /* of any size: "1.97 M" */
    SCA_CELL_SERIES, /* several numbers: JSON only */
    SCA_CELL_TEXT    /* a word */
};

struct sca_column {
    const char *key;  /* in JSON and CSV; "": text only */
    const char *head; /* in text; NULL: JSON only */
    enum sca_cell_kind kind;
};

struct sca_cell { /* a number that is NAN: there is none, "-" and null */
    double number;
    const char *text;
    const double *series;
    uint32_t count; /* of the series */
};

struct sca_row {
    const struct sca_ppg_vertex *place; /* NULL: not in the source; then the label is its name */
    const char *label;
    const char *detail; /* further lines of text; NULL: none */
    uint32_t depth;
    bool bold, interval;    /* interval: an empty line before it */
    bool heading;           /* of text: the label alone; JSON and CSV do without the row */
    struct sca_cell *cells; /* [ncolumns] */
};

struct sca_table {
    struct sca_workspace *space;
    const char *view, *title;
    const struct sca_column *columns;
    uint32_t ncolumns;
    struct sca_row *rows;
    uint32_t nrows, capacity;
    uint32_t left_out;     /* rows that --top cut off, */
    const char *left_what; /* or what it counts, " paths"; NULL: rows */
    /* Printed before the rows, label by label ("": JSON only); in JSON "answer", rows of its own
     * columns. NULL: none */
    const struct sca_table *answer;
    const char **notes;
    uint32_t nnotes, notes_capacity;
    const struct sca_ppg *ppg; /* program and runs, for JSON; diff: the run after */
    /* Draws the text instead of the rows, which JSON has; NULL: they are the text. */
    void (*draw)(FILE *out, const struct sca_table *table, bool colour);
    const void *drawing; /* what it draws; NULL: nothing */
    int status;          /* SCA_OK, or why it could not be made, with a message */
};

/* More ranks than cores, as the runtime saw it: then every view says this. */
bool sca_view_shares_cores(const struct sca_ppg_run *run);
#define SCA_VIEW_SHARED                                                                            \
    "Ranks shared cores: time in MPI, and so the basis of shares, is measured wall time, mostly "  \
    "scheduling. The report, without --view, has waits that assume one core per rank."

/* Or where, by how long its ranks were on a core, the machine was busy: a replay tells. */
bool sca_view_may_share_cores(const struct sca_ppg_run *run);
#define SCA_VIEW_REPLAYED                                                                          \
    "Ranks shared cores, or the machine was busy: of MPI calls this is their waiting, replayed "   \
    "as "                                                                                          \
    "if each rank had a core. --view=hotpath --metric=mpi_time has the wall clock's."

/* The row is the table's until the next one is added. */
struct sca_row *sca_table_row(struct sca_table *table, const struct sca_ppg_vertex *place);
void sca_table_note(struct sca_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Formatted, in the workspace. */
const char *sca_table_text(struct sca_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "cg.c:59 loop in conj_grad", in the workspace. */
const char *sca_table_place(struct sca_table *table, const struct sca_ppg_vertex *place);

/* Of any size, as in a column of SCA_CELL_NUMBER: "1.97 M". Returns the buffer. */
enum { SCA_FIGURE = 48 };
const char *sca_table_figure(char text[SCA_FIGURE], double number);

/* Figures and labels of the rows, for what draws something above them. */
void sca_table_put_rows(FILE *out, const struct sca_table *table, bool colour);

/* Seconds with the unit that fits: "1.2 us"; "n/a" of NAN. In the workspace. */
const char *sca_table_duration(struct sca_table *table, double seconds);

/* SCA_OK or SCA_EIO. */
int sca_table_print(FILE *out, const struct sca_table *table, bool colour);
/* Path "-" is standard output. SCA_OK, SCA_EIO or SCA_ENOMEM. */
int sca_table_write(const struct sca_table *table, const char *path);
int sca_table_write_csv(const struct sca_table *table, const char *path);
int sca_table_write_text(const struct sca_table *table, const char *path);

#endif
