#include "text/lines.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const inks[] = {"", "\033[1m", "\033[1;31m", "\033[1;32m", "\033[2m"};

/* Bytes of the next line: up to the last space that fits, or the whole word if none does. */
static size_t line_length(const char *text, size_t space)
{
    size_t length = strlen(text), cut;
    if (length <= space)
        return length;
    for (cut = space; cut > 0 && (text[cut] != ' ' || text[cut + 1] == '%'); cut--)
        ;
    return cut ? cut : strcspn(text, " ");
}

static void put_line(const struct sca_page *page, int indent, const char *text, size_t length,
                     enum sca_ink ink, size_t inked)
{
    size_t n = page->colour ? (inked < length ? inked : length) : 0;
    fprintf(page->out, "%*s", indent, "");
    if (n && ink != SCA_INK_PLAIN)
        fprintf(page->out, "%s%.*s\033[0m", inks[ink], (int)n, text);
    else
        n = 0;
    fprintf(page->out, "%.*s\n", (int)(length - n), text + n);
}

void sca_lines_page_wrap(const struct sca_page *page, int first, int rest, enum sca_ink ink,
                         size_t inked, const char *format, ...)
{
    char text[4 * SCA_PHRASE];
    const char *at = text;
    int indent = first;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    do {
        size_t length = line_length(at, (size_t)(SCA_COLUMNS - 1 - indent));
        put_line(page, indent, at, length, ink, inked);
        inked -= length < inked ? length : inked;
        at += length;
        at += strspn(at, " ");
        indent = rest;
    } while (*at);
}

void sca_lines_page_heading(const struct sca_page *page, const char *text)
{
    fputc('\n', page->out);
    sca_lines_page_wrap(page, 0, 2, SCA_INK_BOLD, strlen(text), "%s", text);
}

const char *sca_lines_seconds(char *buffer, double seconds)
{
    double size = fabs(seconds);
    int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    snprintf(buffer, 32, "%.*f", digits, size < 0.0005 ? 0 : seconds);
    return buffer;
}
