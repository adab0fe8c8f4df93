/*
 * Lines of text: wrapped at 80 columns with a hanging indent, coloured if asked, and the small
 * phrases the report is made of. Buffers are the caller's.
 */
#ifndef SCA_DETECT_LINES_H
#define SCA_DETECT_LINES_H

#include <stdbool.h>
#include <stdio.h>

enum { SCA_COLUMNS = 80 };

struct sca_page {
    FILE *out;
    bool colour;
};

enum sca_ink { SCA_INK_PLAIN, SCA_INK_BOLD, SCA_INK_RED, SCA_INK_GREEN, SCA_INK_DIM };

/* Prints text from column `first`, later lines from column `rest`. The ink covers the first
 * `inked` bytes. */
void sca_lines_page_wrap(const struct sca_page *page, int first, int rest, enum sca_ink ink,
                         size_t inked, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void sca_lines_page_heading(const struct sca_page *page, const char *text);

/* Three figures: "41.2", "0.0312". */
const char *sca_lines_seconds(char *buffer, double seconds);

#endif
