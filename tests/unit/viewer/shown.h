/*
 * The viewer's screen without a terminal, for tests of what it shows and of its keys. The report is
 * the screen's from shown_open() on; what is asked of it is checked by assertions.
 */
#ifndef SCA_TEST_SHOWN_H
#define SCA_TEST_SHOWN_H

#include "view.h"

struct shown {
    struct sca_report *report;
    struct sca_sources sources;
    struct sca_view view;
    struct sca_lines screen;
};

void shown_open(struct shown *s, struct sca_report *report, int rows, int columns);
void shown_close(struct shown *s);

/* The screen has all its rows, and none is too wide. */
void shown_check(const struct shown *s);
/* After each key it is drawn, and checked. */
void shown_press(struct shown *s, int key);
void shown_type(struct shown *s, const char *keys);

/* The first line with that text, until the next key; NULL: none has it. */
const char *shown_line(const struct shown *s, const char *text);
/* The line that is marked; "": none is. */
const char *shown_selected(const struct shown *s);

#endif
