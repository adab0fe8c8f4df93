/*
 * A look as a page of lines, as a terminal shows it: pure text, so that it can be looked at without
 * one. Text from programs is cleaned of what could move a cursor.
 */
#ifndef SCA_LIVE_PAGE_H
#define SCA_LIVE_PAGE_H

#include "waits/hangs.h"

enum sca_page_style {
    SCA_PAGE_PLAIN,
    SCA_PAGE_TITLE,
    SCA_PAGE_HEADER,
    SCA_PAGE_ALARM,
    SCA_PAGE_NOTE,
    SCA_PAGE_SELECTED,
    SCA_PAGE_STYLES
};

struct sca_gather;

struct sca_page_line {
    char *text;
    enum sca_page_style style;
};

struct sca_page {
    struct sca_page_line *line;
    uint32_t n;
    size_t room;
};

/* What is shown, and how. */
struct sca_shown {
    const char *directory;
    const struct sca_look *look;
    const struct sca_look *before; /* contexts and rates are since then; NULL: since MPI_Init */
    const struct sca_hangs *hangs;
    const struct sca_gather *gather; /* of a run on several hosts, else NULL */
    bool since_snapshot, frozen, help;
    bool classes;        /* of ranks, in the place of the ranks */
    uint32_t follow;     /* a rank alone; SCALANA_NONE: all */
    uint32_t scroll;     /* ranks, or classes, that are above the first shown */
    const char *message; /* of the last key; "" */
};

/* So many lines at most, each of at most `columns` characters; 0 lines: as many as there are. */
void sca_page_make(const struct sca_shown *shown, uint32_t lines, uint32_t columns,
                   struct sca_page *out);
void sca_page_free(struct sca_page *page);

/* Lines, each added at the end. */
void sca_page_say(struct sca_page *page, enum sca_page_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Of hosts, where there are several (page_hosts.c). */
void sca_page_hosts(const struct sca_shown *shown, struct sca_page *page);
/* Of ranks, the page's part (page_ranks.c). */
void sca_page_ranks(const struct sca_shown *shown, uint32_t most, struct sca_page *page);
/* Of classes of ranks that behave alike, at most so many (page_classes.c). Seconds are of a rank,
 * on average. */
void sca_page_classes(const struct sca_shown *shown, uint32_t first, uint32_t most,
                      struct sca_page *page);
uint32_t sca_page_count_classes(const struct sca_shown *shown);

#endif
