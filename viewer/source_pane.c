/* The source pane: lines with their own time, those of the vertex marked. */
#include "panes.h"
#include "lines.h"
#include "model.h"
#include "sca_report.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GUTTER = 19, ABOVE = 2 };

static const struct sca_report_vertex *at(const struct sca_model *model, uint32_t vertex)
{
    return &model->report->vertices[vertex];
}

/* Is an ancestor on the same line? Its time already holds this one's. */
static bool counted_above(const struct sca_model *model, uint32_t vertex)
{
    const struct sca_report_vertex *v = at(model, vertex);
    for (uint32_t up = v->parent; at(model, up)->parent != up; up = at(model, up)->parent)
        if (at(model, up)->line == v->line && !strcmp(at(model, up)->file, v->file))
            return true;
    return false;
}

/* Seconds of each line of the file, by the vertices that begin there; (free), may be NULL. */
static double *line_times(const struct sca_model *model, const char *file, size_t nlines)
{
    double *times = calloc(nlines + 1, sizeof *times);
    for (uint32_t i = 0; times && i < model->report->nvertices; i++) {
        const struct sca_report_vertex *v = at(model, i);
        if (v->line && v->line <= nlines && v->parent != i && !strcmp(v->file, file) &&
            !counted_above(model, i))
            times[v->line] += sca_model_time(model, i);
    }
    return times;
}

static void code_line(struct sca_lines *lines, const struct sca_sources *sources, size_t number,
                      double time, bool marked, int skip, int width)
{
    char text[16];
    size_t begin = sources->line[number - 1], end = sources->line[number];
    while (end > begin && (sources->bytes[end - 1] == '\n' || sources->bytes[end - 1] == '\r'))
        end--;
    char *clean = sca_text_source(sources->bytes + begin, end - begin);
    char *seen = clean ? sca_text_skip(clean, skip) : NULL;
    char *fitted = seen ? sca_text_fit(seen, width - GUTTER, SCA_CUT_END) : NULL;
    sca_lines_begin(lines, marked ? SCA_MARKED : SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(lines, "%9s %s%6zu %s", time > 0 ? sca_label_seconds(time, text) : "",
                  marked ? sca_text_glyphs()->mark : " ", number, sca_text_glyphs()->edge);
    sca_lines_add(lines, "%s", fitted ? fitted : "");
    free(fitted);
    free(seen);
    free(clean);
}

/* By its checksum, or else by its date: younger than the program, or than the report. */
static bool is_changed(const struct sca_report *report, const struct sca_sources *sources)
{
    struct stat program;
    enum sca_source_state state = sca_source_check(report, sources->recorded, sources->found);
    if (state != SCA_SOURCE_UNKNOWN)
        return state == SCA_SOURCE_CHANGED;
    if (*report->path && !stat(report->path, &program))
        return sources->changed > program.st_mtime;
    return sources->written && sources->changed > sources->written;
}

static void header(struct sca_lines *lines, const struct sca_report *report,
                   const struct sca_sources *sources, const struct sca_report_vertex *v, int width)
{
    char where[32] = "";
    if (v->end_line > v->line)
        snprintf(where, sizeof where, ":%u-%u", v->line, v->end_line);
    else if (v->line)
        snprintf(where, sizeof where, ":%u", v->line);
    int room = width - (int)strlen(where) - 30;
    sca_lines_begin(lines, SCA_DIM, SCA_NO_VERTEX);
    sca_lines_text(lines, sources->found, room > 20 ? room : 20, SCA_CUT_START);
    sca_lines_add(lines, "%s  ", where);
    sca_model_label(lines, v, 18);
    sca_lines_add(lines, " in ");
    sca_model_function(lines, v, 40);
    if (v->line > sources->nlines)
        sca_lines_say(
            lines, SCA_WARNING,
            "Line %u is past the end of this file (%zu lines): the file is another version.",
            v->line, sources->nlines);
    else if (is_changed(report, sources))
        sca_lines_say(lines, SCA_WARNING,
                      "This file has changed since it was compiled: lines may have moved.");
}

static void missing(struct sca_lines *lines, const struct sca_report_vertex *v, int width)
{
    if (!*v->file || !v->line) { /* then `file` is an address */
        sca_lines_say(lines, SCA_WARNING, "The report names no source line for this vertex.");
        sca_lines_wrap(lines, SCA_PLAIN, "Its code was probably compiled without -g.", 0, width);
        return;
    }
    sca_lines_begin(lines, SCA_WARNING, SCA_NO_VERTEX);
    sca_lines_add(lines, "Source not found: ");
    sca_lines_text(lines, v->file, width - 18, SCA_CUT_START);
    sca_lines_say(lines, SCA_PLAIN, "Searched there, next to the report and in this directory.");
    sca_lines_say(lines, SCA_PLAIN, "%s", "");
    sca_lines_say(lines, SCA_PLAIN, "If the sources are elsewhere, press m and type OLD=NEW,");
    sca_lines_say(lines, SCA_PLAIN, "or start with: scalana-viewer --source OLD=NEW REPORT");
}

void sca_source_pane(struct sca_pane *pane, const struct sca_model *model,
                     struct sca_sources *sources, uint32_t vertex, int skip, int width)
{
    const struct sca_report_vertex *v = at(model, vertex);
    if (sca_source_load(sources, v->file)) {
        missing(&pane->lines, v, width);
        return;
    }
    header(&pane->lines, model->report, sources, v, width);
    pane->fixed = pane->lines.count;
    double *times = line_times(model, v->file, sources->nlines);
    for (size_t i = 1; i <= sources->nlines; i++) {
        bool marked = v->line && i >= v->line && i <= (v->end_line ? v->end_line : v->line);
        code_line(&pane->lines, sources, i, times ? times[i] : 0, marked, skip, width);
    }
    free(times);
    if (v->line > ABOVE + 1 && v->line <= sources->nlines)
        pane->top = pane->fixed + v->line - 1 - ABOVE;
}
