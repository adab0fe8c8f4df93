/* The lines around a vertex, read from its source file as it is now. */
#include "html/html_parts.h"
#include "report/report_text.h"
#include "sca_phrase.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ABOVE = 3, BELOW = 3, MOST_LINES = 24, MOST_CHARACTERS = 160 };

static bool is_file(const char *path, struct stat *info)
{
    return !stat(path, info) && S_ISREG(info->st_mode);
}

/* The longest end of the path that exists below the directory; free() it. */
static char *find_below(const char *directory, size_t length, const char *recorded,
                        struct stat *info)
{
    for (const char *rest = recorded; rest; rest = strchr(rest, '/')) {
        char *path = NULL;
        rest += strspn(rest, "/");
        if (*rest && asprintf(&path, "%.*s%s", (int)length, directory, rest) < 0)
            return NULL;
        if (path && is_file(path, info))
            return path;
        free(path);
    }
    return NULL;
}

/* Where it was recorded, else beside the program, else below the working directory. */
static char *find_source(const struct sca_html *h, const char *recorded, struct stat *info)
{
    const char *slash = strrchr(h->r->path, '/');
    char *path = NULL;
    if (*recorded == '/' && is_file(recorded, info))
        return strdup(recorded);
    if (slash)
        path = find_below(h->r->path, (size_t)(slash - h->r->path) + 1, recorded, info);
    return path ? path : find_below("", 0, recorded, info);
}

/* What is no UTF-8 is taken for Latin-1; free() it. */
static char *from_latin1(const char *line)
{
    char *text = malloc(2 * strlen(line) + 1), *out = text;
    for (const unsigned char *p = (const unsigned char *)line; text && *p; p++) {
        if (*p >= 0x80)
            *out++ = (char)(0xc0 | *p >> 6);
        *out++ = (char)(*p < 0x80 ? *p : 0x80 | (*p & 0x3f));
    }
    if (text)
        *out = '\0';
    return text;
}

/* Is something around it on the same line? Its time already holds this one's. */
static bool is_counted(const struct sca_report *r, uint32_t vertex)
{
    const struct sca_report_vertex *all = r->vertices, *v = &all[vertex];
    for (uint32_t up = v->parent; all[up].parent != up; up = all[up].parent)
        if (all[up].line == v->line && !strcmp(all[up].file, v->file))
            return true;
    return false;
}

/* Core-seconds of what begins on a line. */
static double line_s(const struct sca_html *h, const char *file, uint32_t line)
{
    double sum = 0;
    for (uint32_t i = 0; i < h->r->nvertices; i++) {
        const struct sca_report_vertex *v = &h->r->vertices[i];
        if (v->line == line && v->parent != i && !strcmp(v->file, file) && !is_counted(h->r, i))
            sum += h->seconds[i];
    }
    return sum;
}

static void put_line(const struct sca_html *h, char *line, uint32_t number, double seconds,
                     bool marked)
{
    char time[32];
    line[strcspn(line, "\r\n")] = '\0';
    char *converted = sca_utf8_valid(line) ? NULL : from_latin1(line);
    fprintf(h->out, "%s<span class=\"l\">%6s %s%5u </span>", marked ? "<mark>" : "",
            seconds > 0 ? sca_lines_seconds(time, seconds) : "", marked ? "\xe2\x96\xb6" : " ",
            number);
    sca_html_short(h, converted ? converted : line, MOST_CHARACTERS);
    fputs(marked ? "</mark>\n" : "\n", h->out);
    free(converted);
}

struct range {
    uint32_t first, last, mark, mark_end;
};

static struct range range_of(const struct sca_report_vertex *v)
{
    uint32_t end = v->end_line > v->line ? v->end_line : v->line;
    struct range range = {v->line > ABOVE ? v->line - ABOVE : 1, end, v->line, end};
    range.last =
        end - v->line + ABOVE + BELOW < MOST_LINES ? end + BELOW : range.first + MOST_LINES - 1;
    return range;
}

/* Returns whether the marked line was there. */
static bool put_lines(const struct sca_html *h, FILE *file, const char *recorded,
                      const struct range *range)
{
    char *line = NULL;
    size_t space = 0;
    uint32_t number = 0;
    while (number < range->last && getline(&line, &space, file) >= 0)
        if (++number >= range->first)
            put_line(h, line, number, line_s(h, recorded, number),
                     number >= range->mark && number <= range->mark_end);
    free(line);
    return number >= range->mark;
}

/* By its checksum, or else: a source younger than the program is not what that was built from. */
static bool is_changed(const struct sca_html *h, const char *recorded, const char *path,
                       const struct stat *source)
{
    struct stat program;
    enum sca_source_state state = sca_source_check(h->r, recorded, path);
    if (state != SCA_SOURCE_UNKNOWN)
        return state == SCA_SOURCE_CHANGED;
    return h->r->path[0] && !stat(h->r->path, &program) && source->st_mtime > program.st_mtime;
}

static void put_file(const struct sca_html *h, const struct sca_report_vertex *v, FILE *file,
                     const char *path, bool changed)
{
    struct range range = range_of(v);
    char function[SCA_PHRASE];
    fputs("<figure class=\"code\"><figcaption>", h->out);
    sca_html_say(h, "%s, line%s %u", path, v->end_line > v->line ? "s" : "", v->line);
    if (v->end_line > v->line)
        sca_html_say(h, " to %u", v->end_line);
    if (v->function[0])
        sca_html_say(h, ", in %.400s", sca_html_function(function, v));
    fputs("; at the left, core-seconds", h->out);
    if (changed)
        fputs(". <strong>The source has changed since it was compiled.</strong>", h->out);
    fprintf(h->out,
            "</figcaption><pre tabindex=\"0\" role=\"region\" aria-label=\"Source, lines %u to %u "
            "marked\"><code>",
            range.mark, range.mark_end);
    bool there = put_lines(h, file, v->file, &range);
    fputs("</code></pre>", h->out);
    if (!there)
        fputs("<p class=\"missing\">The file has changed since: it is shorter now.</p>", h->out);
    else if (range.last < range.mark_end)
        fprintf(h->out, "<p>The loop ends at line %u.</p>", range.mark_end);
    fputs("</figure>\n", h->out);
}

void sca_html_snippet(const struct sca_html *h, const struct sca_report_vertex *v)
{
    struct stat info;
    char *path = v->file[0] && v->line ? find_source(h, v->file, &info) : NULL;
    FILE *file = path ? fopen(path, "re") : NULL;
    if (file) {
        put_file(h, v, file, path, is_changed(h, v->file, path, &info));
        fclose(file);
    } else {
        fputs("<p class=\"missing\">", h->out);
        if (v->file[0] && v->line)
            sca_html_say(h, "Source not found: %s", v->file);
        else
            fputs("The program was built without line numbers here", h->out);
        fputs(".</p>\n", h->out);
    }
    free(path);
}
