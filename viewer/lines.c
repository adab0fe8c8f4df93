#include "lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sca_lines_clear(struct sca_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->line[i].text);
    lines->count = 0;
}

void sca_lines_free(struct sca_lines *lines)
{
    sca_lines_clear(lines);
    free(lines->line);
    *lines = (struct sca_lines){0};
}

static bool grow(struct sca_lines *lines)
{
    if (lines->count < lines->capacity)
        return true;
    size_t capacity = lines->capacity ? 2 * lines->capacity : 64;
    struct sca_line *larger = realloc(lines->line, capacity * sizeof *larger);
    if (!larger)
        return false;
    lines->line = larger;
    lines->capacity = capacity;
    return true;
}

void sca_lines_begin(struct sca_lines *lines, enum sca_style style, uint32_t vertex)
{
    char *text = strdup("");
    if (!text || !grow(lines)) {
        free(text);
        return;
    }
    lines->line[lines->count++] = (struct sca_line){.text = text, .style = style, .vertex = vertex};
}

static void append(struct sca_lines *lines, const char *text)
{
    if (!text || !lines->count)
        return;
    struct sca_line *line = &lines->line[lines->count - 1];
    size_t have = strlen(line->text), more = strlen(text);
    char *longer = realloc(line->text, have + more + 1);
    if (!longer)
        return;
    memcpy(longer + have, text, more + 1);
    line->text = longer;
}

static void append_format(struct sca_lines *lines, const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        return;
    append(lines, text);
    free(text);
}

void sca_lines_add(struct sca_lines *lines, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append_format(lines, format, args);
    va_end(args);
}

void sca_lines_text(struct sca_lines *lines, const char *text, int width, enum sca_cut cut)
{
    char *clean = sca_text_clean(text);
    char *fitted = clean && width ? sca_text_fit(clean, width, cut) : NULL;
    append(lines, fitted ? fitted : clean);
    free(fitted);
    free(clean);
}

void sca_lines_name(struct sca_lines *lines, const char *name, int width)
{
    char *clean = sca_text_clean(name);
    char *fitted = clean ? sca_text_name(clean, width) : NULL;
    append(lines, fitted);
    free(fitted);
    free(clean);
}

int sca_lines_width(const struct sca_lines *lines)
{
    return lines->count ? sca_text_width(lines->line[lines->count - 1].text) : 0;
}

void sca_lines_pad(struct sca_lines *lines, int column)
{
    int missing = column - sca_lines_width(lines);
    if (missing > 0)
        sca_lines_add(lines, "%*s", missing, "");
}

void sca_lines_repeat(struct sca_lines *lines, const char *glyph, int count)
{
    size_t size = strlen(glyph);
    char *text = count > 0 ? malloc(size * (size_t)count + 1) : NULL;
    if (!text)
        return;
    for (int i = 0; i < count; i++)
        memcpy(text + size * (size_t)i, glyph, size);
    text[size * (size_t)count] = '\0';
    append(lines, text);
    free(text);
}

void sca_lines_say(struct sca_lines *lines, enum sca_style style, const char *format, ...)
{
    va_list args;
    sca_lines_begin(lines, style, SCA_NO_VERTEX);
    va_start(args, format);
    append_format(lines, format, args);
    va_end(args);
}

void sca_lines_wrap(struct sca_lines *lines, enum sca_style style, const char *text, int indent,
                    int width)
{
    char *clean = sca_text_clean(text), *rest = NULL;
    size_t before = lines->count;
    for (char *word = clean ? strtok_r(clean, " ", &rest) : NULL; word;
         word = strtok_r(NULL, " ", &rest)) {
        bool first = lines->count == before;
        if (first || sca_lines_width(lines) + 1 + sca_text_width(word) > width) {
            sca_lines_begin(lines, style, SCA_NO_VERTEX);
            sca_lines_repeat(lines, " ", first ? indent : indent + 2);
        } else {
            append(lines, " ");
        }
        append(lines, word);
    }
    free(clean);
}

void sca_lines_exactly(struct sca_lines *lines, size_t count)
{
    while (lines->count > count)
        free(lines->line[--lines->count].text);
    for (size_t missing = count - lines->count; missing > 0; missing--)
        sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
}
