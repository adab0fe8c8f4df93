/* The parts of model.h that put a vertex into words. */
#include "model.h"
#include "sca_function_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_kind(const struct sca_report_vertex *vertex, const char *kind)
{
    return !strcmp(vertex->kind, kind);
}

static bool is_region(const struct sca_report_vertex *v)
{
    return is_kind(v, "call") && sca_function_name_is_region(v->name);
}

void sca_model_label(struct sca_lines *lines, const struct sca_report_vertex *vertex, int width)
{
    if (is_region(vertex))
        sca_lines_text(lines, "OpenMP region", width, SCA_CUT_END);
    else if (*vertex->name && (is_kind(vertex, "mpi") || is_kind(vertex, "call")))
        sca_lines_name(lines, vertex->name, width);
    else if (is_kind(vertex, "root"))
        sca_lines_name(lines, *vertex->function ? vertex->function : vertex->name, width);
    else
        sca_lines_text(lines, is_kind(vertex, "comp") ? "computation" : vertex->kind, width,
                       SCA_CUT_END);
}

void sca_model_function(struct sca_lines *lines, const struct sca_report_vertex *vertex, int width)
{
    char written[SCA_FUNCTION_NAME];
    const char *name = sca_function_name_written(written, vertex->function);
    sca_lines_name(lines, *name ? name : "?", width);
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash && slash[1] ? slash + 1 : file;
}

/* The line number is worth more than the file's name, so only that is cut. */
void sca_model_place(struct sca_lines *lines, const struct sca_report_vertex *vertex, int width)
{
    char line[16] = "";
    if (!*vertex->file) {
        sca_lines_add(lines, "?");
        return;
    }
    if (vertex->line)
        snprintf(line, sizeof line, ":%u", vertex->line);
    int room = width - (int)strlen(line);
    sca_lines_text(lines, base_name(vertex->file), room > 1 ? room : 1, SCA_CUT_MIDDLE);
    sca_lines_add(lines, "%s", line);
}

static void path_step(struct sca_lines *lines, const struct sca_report_vertex *v, bool last)
{
    sca_model_label(lines, v, 32);
    if (last && v->line)
        sca_lines_add(lines, " ");
    if (last && v->line)
        sca_model_place(lines, v, 40);
    else if (v->line && strcmp(v->kind, "root"))
        sca_lines_add(lines, ":%u", v->line);
}

void sca_model_path(struct sca_lines *lines, const struct sca_model *model, uint32_t vertex,
                    int width)
{
    const struct sca_report_vertex *all = model->report->vertices;
    struct sca_lines path = {0};
    uint32_t depth = 0;
    for (uint32_t v = vertex; all[v].parent != v; v = all[v].parent)
        depth++;
    sca_lines_begin(&path, SCA_PLAIN, vertex);
    for (uint32_t i = 0; i <= depth; i++) {
        uint32_t v = vertex;
        for (uint32_t up = i; up < depth; up++)
            v = all[v].parent;
        if (i && is_region(&all[v]) && is_region(&all[all[v].parent]))
            continue; /* a region's body, called from the compiler's own function */
        if (i)
            sca_lines_add(&path, " > ");
        if (depth - i < 64 || !i)
            path_step(&path, &all[v], i == depth);
        else
            i = depth - 64; /* deep recursion: its end says enough */
    }
    if (path.count) /* clean already, and cleaning twice changes nothing */
        sca_lines_text(lines, path.line[0].text, width, SCA_CUT_START);
    sca_lines_free(&path);
}

void sca_model_ranks(struct sca_lines *lines, const uint32_t *ranks, uint32_t count, int width)
{
    char text[256];
    size_t used = 0;
    for (uint32_t i = 0; i < count && used + 24 < sizeof text;) {
        uint32_t end = i;
        while (end + 1 < count && ranks[end + 1] == ranks[end] + 1)
            end++;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i ? "," : "", ranks[i]);
        if (end > i)
            used += (size_t)snprintf(text + used, sizeof text - used, "-%u", ranks[end]);
        i = end + 1;
    }
    text[used] = '\0';
    sca_lines_text(lines, count ? text : "-", width, SCA_CUT_END);
}

static void three_digits(char text[16], double value, const char *unit)
{
    double size = fabs(value);
    snprintf(text, 16, "%.*f %s", size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, value, unit);
}

const char *sca_label_seconds(double seconds, char text[16])
{
    double size = fabs(seconds);
    if (!isfinite(seconds))
        snprintf(text, 16, "n/a");
    else if (size < 0.005e-6) /* rounded, 0 of any unit */
        snprintf(text, 16, "0 s");
    else if (size >= 100)
        snprintf(text, 16, size < 1e7 ? "%.0f s" : "%.2g s", seconds);
    else if (size >= 0.9995)
        snprintf(text, 16, "%.*f s", size >= 9.995 ? 1 : 2, seconds);
    else if (size >= 0.9995e-3)
        three_digits(text, seconds * 1e3, "ms");
    else
        three_digits(text, seconds * 1e6, "us");
    return text;
}

const char *sca_label_metric(double value, const char *unit, char text[24])
{
    static const struct {
        double from, unit;
        char letter;
    } steps[] = {{1e12, 1e12, 'T'}, {1e9, 1e9, 'G'}, {1e6, 1e6, 'M'}, {1e4, 1e3, 'k'}};
    double size = fabs(value);
    if (!isfinite(value) || !strcmp(unit, "s"))
        return sca_label_seconds(value, text);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (size >= steps[i].from) {
            snprintf(text, 24, size < 1e15 ? "%.4g %c" : "%.2g %c", value / steps[i].unit,
                     steps[i].letter);
            return text;
        }
    snprintf(text, 24, "%.4g", value);
    return text;
}
