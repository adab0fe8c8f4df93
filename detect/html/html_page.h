/*
 * What the sections of the page share: the page being written, escaping, and small phrases.
 * Markup goes out with fputs and fprintf; whatever comes from a program, a path or a source goes
 * through sca_html_text or sca_html_say, which escape it.
 */
#ifndef SCA_DETECT_HTML_PAGE_H
#define SCA_DETECT_HTML_PAGE_H

#include "html/outline.h"
#include "text/lines.h"
#include "sca_report.h"

#include <stdio.h>

struct sca_html {
    FILE *out;
    const struct sca_report *r;
    const struct sca_report_run *run; /* the largest; an empty one if there is none */
    uint32_t nranks;                  /* its */
    double base;                      /* core-seconds of the largest run */
    struct sca_outline outline;
    uint32_t *by_time;          /* vertices, the longest first */
    double *seconds;            /* per vertex, over all ranks of the largest run */
    struct sca_report replayed; /* what `r` is where ranks shared cores: the report with replayed
                                   waits as the ranks' time in MPI */
    double *waits;              /* its, NULL: `r` is the report as it is */
};

/* Makes `replayed` what is shown, where ranks shared cores and the report has what each waited. */
int sca_html_replay(struct sca_html *h, const struct sca_report *report);
int sca_html_open(struct sca_html *h, const struct sca_report *report, FILE *out);
void sca_html_close(struct sca_html *h);

/* Bytes of the first character of valid UTF-8, which becomes `code`. */
size_t sca_html_decode(const char *text, uint32_t *code);
/* Escaped; invalid UTF-8 becomes U+FFFD, controls and invisible characters become visible. */
void sca_html_text(const struct sca_html *h, const char *text);
/* At most `most` characters, the middle left out. */
void sca_html_short(const struct sca_html *h, const char *text, size_t most);
/* printf, then escaped. */
void sca_html_say(const struct sca_html *h, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "cg.c:212", or the function where no line is known. Buffers hold SCA_PHRASE bytes. */
const char *sca_html_place(char *buffer, const struct sca_report_vertex *v);
/* "the loop at cg.c:212", "MPI_Allreduce at cg.c:260". */
const char *sca_html_thing(char *buffer, const struct sca_report_vertex *v);
/* "relax": of the body of an OpenMP region, the function that it stands in. */
const char *sca_html_function(char *buffer, const struct sca_report_vertex *v);
/* "loop", "MPI_Allreduce", "call of f", "OpenMP region": short, for rows. */
const char *sca_html_what(char *buffer, const struct sca_report_vertex *v);
/* "41 %", "4.1 %" */
const char *sca_html_percent(char buffer[32], double share);
const struct sca_report_nonscalable *sca_html_growth(const struct sca_html *h, uint32_t vertex);

static inline double sca_html_rank_s(const struct sca_report_vertex *v, uint32_t rank)
{
    return rank < v->nranks ? v->rank_s[rank] : 0;
}

static inline double sca_html_run_s(const struct sca_report_vertex *v, uint32_t run)
{
    return run < v->nruns ? v->run_s[run] : 0;
}

/* A table that scrolls by itself and, with `sortable`, sorts and filters. The caller writes the
 * rows, then closes with sca_html_table_end. Columns: "Name|#Seconds", # for numbers. */
void sca_html_table(const struct sca_html *h, const char *caption, const char *columns,
                    bool sortable);
void sca_html_table_end(const struct sca_html *h);
void sca_html_cell(const struct sca_html *h, const char *text);
void sca_html_number(const struct sca_html *h, const char *format, double value);
/* A cell with a rank, and where it stands in the topology. */
void sca_html_rank(const struct sca_html *h, uint32_t rank);

#endif
