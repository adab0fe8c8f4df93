/*
 * A growing list of lines, each with a style and perhaps a vertex it stands for: what every part
 * of the viewer produces and what the terminal shows. Owns its text; sca_lines_free() releases it.
 * When memory runs out, lines are missing and nothing else happens.
 */
#ifndef SCA_LINES_H
#define SCA_LINES_H

#include "text.h"

#include <stddef.h>
#include <stdint.h>

#define SCA_NO_VERTEX UINT32_MAX

enum sca_style {
    SCA_PLAIN,
    SCA_DIM,
    SCA_TITLE,
    SCA_HEADER,
    SCA_MARKED, /* the lines of the vertex, the cause itself */
    SCA_WARNING,
    SCA_SELECTED, /* the row under the cursor */
    SCA_STYLES
};

struct sca_line {
    char *text;
    enum sca_style style;
    uint32_t vertex; /* Enter goes there */
    size_t beside;   /* the byte from which on another pane's line goes on; 0: none does */
    enum sca_style beside_style;
};

struct sca_lines {
    struct sca_line *line;
    size_t count, capacity;
};

void sca_lines_clear(struct sca_lines *lines);
void sca_lines_free(struct sca_lines *lines);
/* Starts a line; the two functions below append to it. */
void sca_lines_begin(struct sca_lines *lines, enum sca_style style, uint32_t vertex);
/* Our own words and numbers, not text from programs. */
void sca_lines_add(struct sca_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Text from programs: cleaned, cut to width (0: not cut). */
void sca_lines_text(struct sca_lines *lines, const char *text, int width, enum sca_cut cut);
void sca_lines_name(struct sca_lines *lines, const char *name, int width);
/* Fills the current line with spaces up to column. */
void sca_lines_pad(struct sca_lines *lines, int column);
void sca_lines_repeat(struct sca_lines *lines, const char *glyph, int count);
/* Width of the current line. */
int sca_lines_width(const struct sca_lines *lines);
/* One whole line of our own words. */
void sca_lines_say(struct sca_lines *lines, enum sca_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Free text, cleaned, broken at spaces; lines after the first stand two columns further in. */
void sca_lines_wrap(struct sca_lines *lines, enum sca_style style, const char *text, int indent,
                    int width);
/* Exactly so many lines: cut off, or filled up with empty ones. */
void sca_lines_exactly(struct sca_lines *lines, size_t count);

#endif
