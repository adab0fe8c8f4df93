/* A view of a program made by hand, as tests of views look at it: its table by rows and columns,
 * and as text. */
#ifndef SCA_TEST_VIEWED_H
#define SCA_TEST_VIEWED_H

#include "verdict_program.h"
#include "views/view.h"

struct viewed {
    struct program program;
    struct sca_settings settings;
    struct sca_workspace space;
    struct sca_table table; /* of the last view */
};

/* The program has no run yet, settings are as without options. Until viewed_end(). */
void viewed_begin(struct viewed *v);
/* One run more: each rank has `work` seconds of work and `extra` seconds of the rest, but the slow
 * one `most` of it. */
void viewed_run(struct viewed *v, uint32_t nranks, double work, double extra, uint32_t slow,
                double most);
/* The table's status. The program's graph is complete: model_ppg(). */
int viewed_show(struct viewed *v, void (*view)(const struct sca_view_input *, struct sca_table *),
                const char *name, uint32_t top);
/* These fail the test where there is none. */
const struct sca_cell *viewed_cell(const struct viewed *v, uint32_t row, const char *key);
uint32_t viewed_row(const struct viewed *v, uint32_t vertex);
/* As a reader sees it, without colours; no line is longer than 80. The caller's, by free(). */
char *viewed_text(const struct viewed *v);
void viewed_has_text(const struct viewed *v, const char *part);
void viewed_end(struct viewed *v);

#endif
