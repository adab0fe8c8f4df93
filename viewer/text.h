/*
 * Text as a terminal may show it. Names, paths and sources are data: whatever could move the
 * cursor, change colours or reverse the reading direction becomes visible characters instead.
 * In a locale that is not UTF-8 everything beyond ASCII becomes '?', and the glyphs are ASCII.
 *
 * Widths are terminal columns. Strings returned by functions marked (free) belong to the caller
 * and may be NULL when memory is short. Single-threaded: sca_text_setup() sets the mode once.
 */
#ifndef SCA_TEXT_H
#define SCA_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { SCA_LEVELS = 8 };

struct sca_glyphs {
    const char *bar, *track, *ellipsis, *rule, *arrow, *back, *edge, *open, *closed, *mark, *times;
    int ellipsis_width;
    const char *below;              /* points at what is below it */
    const char *levels[SCA_LEVELS]; /* of a bar that stands, the lowest first */
};

enum sca_cut { SCA_CUT_END, SCA_CUT_START, SCA_CUT_MIDDLE };

void sca_text_setup(bool utf8);
const struct sca_glyphs *sca_text_glyphs(void);

char *sca_text_clean(const char *text); /* (free) */
/* A line of source, which may be Latin-1: tabs to multiples of four, then as above. (free) */
char *sca_text_source(const char *line, size_t length);
/* Of cleaned text. */
int sca_text_width(const char *text);
/* Cleaned text cut to at most width columns, with an ellipsis where something is missing. (free) */
char *sca_text_fit(const char *text, int width, enum sca_cut cut);
/* Cleaned text without its first columns. (free) */
char *sca_text_skip(const char *text, int columns);
/* A C++ name in at most width columns: arguments go first, then the middle. (free) */
char *sca_text_name(const char *name, int width);

#endif
