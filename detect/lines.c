#include "lines.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const inks[] = {"", "\033[1m", "\033[1;31m", "\033[1;32m", "\033[2m"};

/* Bytes of the next line: up to the last space that fits, or the whole word if none does. */
static size_t line_length(const char *text, size_t room)
{
    size_t length = strlen(text), cut;
    if (length <= room)
        return length;
    for (cut = room; cut > 0 && (text[cut] != ' ' || text[cut + 1] == '%'); cut--)
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

void sca_page_wrap(const struct sca_page *page, int first, int rest, enum sca_ink ink, size_t inked,
                   const char *format, ...)
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

void sca_page_heading(const struct sca_page *page, const char *text)
{
    fputc('\n', page->out);
    sca_page_wrap(page, 0, 2, SCA_INK_BOLD, strlen(text), "%s", text);
}

const char *sca_phrase_seconds(char *buffer, double seconds)
{
    double size = fabs(seconds);
    int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    snprintf(buffer, 32, "%.*f", digits, size < 0.0005 ? 0 : seconds);
    return buffer;
}

static size_t append(char *buffer, size_t used, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static size_t append(char *buffer, size_t used, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(buffer + used, SCA_PHRASE - used, format, args);
    va_end(args);
    used += n > 0 ? (size_t)n : 0;
    return used < SCA_PHRASE ? used : SCA_PHRASE - 1;
}

static void append_numbers(char *buffer, size_t used, const uint32_t *ranks, uint32_t n)
{
    enum { MOST_RUNS = 12 };
    int runs = 0;
    for (uint32_t i = 0; i < n; runs++) {
        uint32_t end = i + 1;
        while (end < n && ranks[end] == ranks[end - 1] + 1)
            end++;
        if (runs == MOST_RUNS) {
            append(buffer, used, " ... (%u in all)", n);
            break;
        }
        used = append(buffer, used, "%s%u", i ? ", " : "", ranks[i]);
        if (end - i > 1)
            used = append(buffer, used, "%s%u", end - i > 2 ? "-" : ", ", ranks[end - 1]);
        i = end;
    }
}

const char *sca_phrase_numbers(char *buffer, const uint32_t *ranks, uint32_t n)
{
    buffer[0] = '\0';
    append_numbers(buffer, 0, ranks, n);
    return buffer;
}

const char *sca_phrase_ranks(char *buffer, const uint32_t *ranks, uint32_t n, uint32_t of)
{
    if (n == of && n > 1)
        append(buffer, 0, "all %u ranks", n);
    else
        append_numbers(buffer, append(buffer, 0, n == 1 ? "rank " : "ranks "), ranks, n);
    return buffer;
}

uint32_t sca_phrase_sizes(char *buffer, const struct sca_report *report)
{
    uint32_t n = 0;
    size_t used = 0;
    buffer[0] = '\0';
    for (uint32_t i = 0; i < report->nruns; i++) {
        uint32_t ranks = report->runs[i].ranks;
        bool last = ranks == report->runs[report->nruns - 1].ranks;
        if (i && ranks == report->runs[i - 1].ranks)
            continue;
        used = append(buffer, used, "%s%u", !n ? "" : last ? " and " : ", ", ranks);
        n++;
    }
    return n;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static size_t append_place(char *buffer, size_t used, const struct sca_report_vertex *v)
{
    bool named = !strcmp(v->kind, "mpi") || !strcmp(v->kind, "call");
    const char *what = named ? v->name : !strcmp(v->kind, "comp") ? "code" : v->kind;
    if (v->file[0] && v->line)
        used = append(buffer, used, "%s:%u ", base_name(v->file), v->line);
    return append(buffer, used, "%s", what);
}

const char *sca_phrase_vertex(char *buffer, const struct sca_report_vertex *v)
{
    size_t used = append_place(buffer, 0, v);
    if (v->function[0])
        append(buffer, used, " in %s", v->function);
    return buffer;
}

const char *sca_phrase_cause(char *buffer, const struct sca_report *report,
                             const struct sca_report_cause *cause)
{
    size_t used = strlen(sca_phrase_vertex(buffer, &report->vertices[cause->vertex]));
    if (!cause->between)
        return buffer;
    used = append(buffer, used, ", between ");
    used = append_place(buffer, used, &report->vertices[cause->after]);
    used = append(buffer, used, " and ");
    append_place(buffer, used, &report->vertices[cause->before]);
    return buffer;
}
