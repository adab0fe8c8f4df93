#include "sca_phrase.h"
#include "sca_calling_path.h"
#include "sca_function_name.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_PLACES = 4, /* ranks that are told each with its place */
    MOST_LOOPS = 8   /* around one */
};

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

/* ---- ranks ---- */

static size_t append_numbers(char *buffer, size_t used, const uint32_t *ranks, uint32_t n)
{
    enum { MOST_RUNS = 12 };
    int runs = 0;
    for (uint32_t i = 0; i < n; runs++) {
        uint32_t end = i + 1;
        while (end < n && ranks[end] == ranks[end - 1] + 1)
            end++;
        if (runs == MOST_RUNS)
            return append(buffer, used, " ... (%u in all)", n);
        used = append(buffer, used, "%s%u", i ? ", " : "", ranks[i]);
        if (end - i > 1)
            used = append(buffer, used, "%s%u", end - i > 2 ? "-" : ", ", ranks[end - 1]);
        i = end;
    }
    return used;
}

const char *sca_phrase_numbers(char *buffer, const uint32_t *ranks, uint32_t n)
{
    buffer[0] = '\0';
    append_numbers(buffer, 0, ranks, n);
    return buffer;
}

/* NULL: it has none, or none worth telling. */
static const int32_t *place_of(const struct sca_report_topology *t, uint32_t rank)
{
    const int32_t *place = rank < t->nranks ? &t->places[(size_t)rank * t->width] : NULL;
    bool line = t->ndims == 1 && place && place[0] == (int32_t)rank;
    return place && t->width && place[0] >= 0 && !line ? place : NULL;
}

static size_t append_coordinates(char *buffer, size_t used, const struct sca_report_topology *t,
                                 const int32_t *place, uint32_t varying)
{
    for (uint32_t d = 0; d < t->ndims; d++) {
        used = append(buffer, used, "%s", d ? "," : "(");
        used = varying >> d & 1 ? append(buffer, used, "*") : append(buffer, used, "%d", place[d]);
    }
    return append(buffer, used, ")");
}

static size_t append_place(char *buffer, size_t used, const struct sca_report_topology *t,
                           const int32_t *place)
{
    if (t->ndims)
        return append_coordinates(buffer, used, t, place, 0);
    if (!strcmp(t->kind, "worlds"))
        return append(buffer, used, "(%d of world %d)", place[1], place[0]);
    if (t->width == 2 && place[0] != place[1])
        return append(buffer, used, "(%d in, %d out)", place[0], place[1]);
    return append(buffer, used, "(%d neighbour%s)", place[0], place[0] == 1 ? "" : "s");
}

const char *sca_phrase_rank_place(char *buffer, const struct sca_report_run *run, uint32_t rank)
{
    const int32_t *place = place_of(&run->topology, rank);
    buffer[0] = '\0';
    if (place)
        append_place(buffer, 0, &run->topology, place);
    return buffer;
}

/* The dimensions in which the ranks differ, as bits, if they are all there are that agree in the
 * others; else 0. */
static uint32_t slab(const struct sca_report_topology *t, const uint32_t *ranks, uint32_t n)
{
    const int32_t *first = n ? place_of(t, ranks[0]) : NULL;
    uint32_t varying = 0;
    uint64_t size = 1;
    for (uint32_t i = 1; first && i < n; i++) {
        const int32_t *place = place_of(t, ranks[i]);
        if (!place)
            return 0;
        for (uint32_t d = 0; d < t->ndims; d++)
            varying |= (uint32_t)(place[d] != first[d]) << d;
    }
    for (uint32_t d = 0; d < t->ndims && size <= n; d++)
        size *= varying >> d & 1 ? t->dims[d] : 1;
    return size == n && varying != (1u << t->ndims) - 1 ? varying : 0;
}

static size_t append_each(char *buffer, size_t used, const struct sca_report_topology *t,
                          const uint32_t *ranks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const int32_t *place = place_of(t, ranks[i]);
        used = append(buffer, used, "%s%u%s", i ? ", " : "", ranks[i], place ? " " : "");
        if (place)
            used = append_place(buffer, used, t, place);
    }
    return used;
}

const char *sca_phrase_ranks(char *buffer, const struct sca_report_run *run, const uint32_t *ranks,
                             uint32_t n)
{
    const struct sca_report_topology *t = &run->topology;
    uint32_t varying = n < run->ranks ? slab(t, ranks, n) : 0;
    if (n == run->ranks && n > 1) {
        append(buffer, 0, "all %u ranks", n);
        return buffer;
    }
    size_t used = append(buffer, 0, n == 1 ? "rank " : "ranks ");
    if (!varying && n <= MOST_PLACES && n && place_of(t, ranks[0])) {
        append_each(buffer, used, t, ranks, n);
        return buffer;
    }
    used = append_numbers(buffer, used, ranks, n);
    if (varying)
        append_coordinates(buffer, append(buffer, used, " "), t, place_of(t, ranks[0]), varying);
    return buffer;
}

/* ---- vertices ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static size_t append_vertex(char *buffer, size_t used, const struct sca_report_vertex *v)
{
    bool named = !strcmp(v->kind, "mpi") || !strcmp(v->kind, "call");
    bool program = !strcmp(v->kind, "root") && v->function[0];
    const char *what = named                      ? v->name
                       : program                  ? v->function
                       : !strcmp(v->kind, "comp") ? "code"
                                                  : v->kind;
    if (v->file[0] && v->line)
        used =
            append(buffer, used, "%s%s:%u ", v->near ? "near " : "", base_name(v->file), v->line);
    else if (v->file[0])
        used = append(buffer, used, "%s ", base_name(v->file));
    return append(buffer, used, "%s", what);
}

const char *sca_phrase_vertex(char *buffer, const struct sca_report_vertex *v)
{
    char written[SCA_FUNCTION_NAME];
    bool region = !strcmp(v->kind, "call") && sca_function_name_is_region(v->name);
    size_t used = region ? append(buffer, 0, "OpenMP region at %s:%u", base_name(v->file), v->line)
                         : append_vertex(buffer, 0, v);
    if (v->function[0] && strcmp(v->kind, "root") && !sca_function_name_is_task(v->function))
        append(buffer, used, " in %s", sca_function_name_written(written, v->function));
    return buffer;
}

static bool holds_mpi(const struct sca_report *report, uint32_t vertex)
{
    const struct sca_report_vertex *v = report->vertices;
    for (uint32_t i = 0; i < report->nvertices; i++) {
        uint32_t u = strcmp(v[i].kind, "mpi") ? vertex : i;
        while (u > vertex && v[u].parent != u)
            u = v[u].parent;
        if (u == vertex && !strcmp(v[i].kind, "mpi"))
            return true;
    }
    return false;
}

/* The lines of the loops around one in its function that do not communicate, innermost first; those
 * in a row that are equal, as of a loop that a compiler made two of, are one. */
static uint32_t list_nest(const struct sca_report *report, uint32_t vertex, uint32_t *lines)
{
    const struct sca_report_vertex *v = report->vertices;
    uint32_t n = 0;
    for (uint32_t u = v[vertex].parent; v[u].parent != u && strcmp(v[u].kind, "call");
         u = v[u].parent) {
        if (strcmp(v[u].kind, "loop") || !v[u].line)
            continue;
        if (holds_mpi(report, u) || n == MOST_LOOPS)
            break;
        if (!n || lines[n - 1] != v[u].line)
            lines[n++] = v[u].line;
    }
    return n;
}

/* Of a nest of loops the innermost that has the time is named; which of them goes round too often
 * nobody counted. So the others are told: ", inside the loop at line 12", in the same function. */
static size_t append_nest(char *buffer, size_t used, const struct sca_report *report,
                          uint32_t vertex)
{
    uint32_t lines[MOST_LOOPS], n = 0;
    if (!strcmp(report->vertices[vertex].kind, "loop") && !holds_mpi(report, vertex))
        n = list_nest(report, vertex, lines);
    for (uint32_t i = n; i-- > 0;)
        used = append(buffer, used,
                      i < n - 1 ? ", %u"
                      : n > 1   ? "inside the loops at lines %u"
                                : "inside the loop at line %u",
                      lines[i]);
    return used;
}

static void append_site(char *buffer, size_t used, const struct sca_report *report,
                        const struct sca_report_cause *cause)
{
    const struct sca_report_vertex *v = &report->vertices[cause->site];
    char name[SCA_FUNCTION_NAME];
    if (!cause->at_site)
        return;
    used = append(buffer, used, "%scalled at %s:%u", used ? ", " : "", base_name(v->file), v->line);
    if (*v->function)
        append(buffer, used, " in %s", sca_function_name_written(name, v->function));
}

const char *sca_phrase_inner(char *buffer, const struct sca_report_cause *c)
{
    buffer[0] = '\0';
    if (c->inner_share <= 0)
        return buffer;
    char name[SCA_FUNCTION_NAME];
    size_t used = append(buffer, 0, "%s",
                         c->inner_foreign ? sca_function_name_of_library(name, c->inner_function)
                                          : sca_function_name_written(name, c->inner_function));
    if (!*c->inner_file || !c->inner_line)
        return buffer;
    const char *file = base_name(c->inner_file);
    if (c->inner_foreign)
        append(buffer, used, ", called at %s:%u", file, c->inner_line);
    else
        append(buffer, used, " (%s:%u)%s", file, c->inner_line,
               c->inner_inlined ? ", inlined" : "");
    return buffer;
}

static size_t append_count(char *buffer, size_t used, double count)
{
    static const struct {
        double size;
        const char *name;
    } sizes[] = {{1e9, " billion"}, {1e6, " million"}, {1e3, " thousand"}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (count >= 0.9995 * sizes[i].size)
            return append(buffer, used, "%.3g%s", count / sizes[i].size, sizes[i].name);
    return append(buffer, used, count > 0 ? "%.3g" : "none", count);
}

/* "80 thousand X on each rank instead of 20 thousand, by 80 thousand on each of 2" */
static void append_grown(char *buffer, size_t used, const struct sca_report_cause *c)
{
    used = append(buffer, used, " %s on each rank instead of ", c->counter);
    used = append_count(buffer, used, c->counter_expected_each);
    used = append(buffer, used, ", by ");
    used = append_count(buffer, used, c->counter_fewest_each);
    if (c->counter_fewest == 1)
        append(buffer, used, " on a single rank");
    else
        append(buffer, used, " on each of %u", c->counter_fewest);
}

const char *sca_phrase_counter(char *buffer, const struct sca_report_cause *c)
{
    buffer[0] = '\0';
    if (c->counter_each <= 0)
        return buffer;
    size_t used = append_count(buffer, 0, c->counter_each);
    if (c->counter_fewest) {
        append_grown(buffer, used, c);
        return buffer;
    }
    used = append(buffer, used, " %s on %s, ", c->counter,
                  c->nranks == 1 ? "this rank" : "each of these ranks");
    append_count(buffer, used, c->counter_others_each);
    append(buffer, strlen(buffer), " on each other rank");
    return buffer;
}

const char *sca_phrase_between(char *buffer, const struct sca_report *report,
                               const struct sca_report_cause *cause)
{
    buffer[0] = '\0';
    if (!cause->between) {
        size_t end = append_nest(buffer, 0, report, cause->vertex);
        append_site(buffer, end, report, cause);
        return buffer;
    }
    const struct sca_report_vertex *after = &report->vertices[cause->after];
    bool start = !strcmp(after->kind, "root");
    size_t used = append(buffer, 0, "between %s", start ? "MPI_Init" : "");
    used = start ? used : append_vertex(buffer, used, after);
    used = append(buffer, used, " and ");
    append_vertex(buffer, used, &report->vertices[cause->before]);
    return buffer;
}

const char *sca_phrase_cause(char *buffer, const struct sca_report *report,
                             const struct sca_report_cause *cause)
{
    char between[SCA_PHRASE];
    size_t used = strlen(sca_phrase_vertex(buffer, &report->vertices[cause->vertex]));
    if (*sca_phrase_between(between, report, cause))
        append(buffer, used, ", %s", between);
    return buffer;
}

static size_t append_frame(char *buffer, size_t used, const struct sca_report *report,
                           const struct sca_calling_frame *frame)
{
    const struct sca_report_vertex *v = &report->vertices[frame->vertex];
    bool root = v->parent == frame->vertex;
    const char *name = v->name[0] && !(root && v->function[0]) ? v->name : v->function;
    uint32_t line = frame->site == UINT32_MAX ? 0 : report->vertices[frame->site].line;
    char written[SCA_FUNCTION_NAME];
    bool region = sca_function_name_is_region(name);
    used = append(buffer, used, "%s%s", used ? " > " : "",
                  region ? "OpenMP region" : sca_function_name_written(written, name));
    return line ? append(buffer, used, " (line %u)", line) : used;
}

const char *sca_phrase_calling_path(char *buffer, const struct sca_report *report, uint32_t vertex,
                                    uint32_t most)
{
    struct sca_calling_frame frames[SCA_MOST_FRAMES];
    bool whole;
    uint32_t n = sca_calling_path_frames(report, vertex, most, frames, &whole);
    size_t used = 0;
    buffer[0] = '\0';
    if (n && !whole)
        used = append(buffer, used, "...");
    while (n-- > 0)
        used = append_frame(buffer, used, report, &frames[n]);
    return buffer;
}

const char *sca_phrase_wait_class(char *buffer, const char *wait_class)
{
    char *c;
    buffer[0] = '\0';
    append(buffer, 0, "%s", wait_class);
    for (c = buffer; (c = strchr(c, '-'));)
        *c = ' ';
    if ((c = strstr(buffer, "nxn")))
        memcpy(c, "NxN", 3);
    return buffer;
}

const char *sca_phrase_wait_direct(char *buffer, const struct sca_report_wait *wait)
{
    double share = wait->wait_core_s > 0 ? 100 * wait->direct_core_s / wait->wait_core_s : 0;
    buffer[0] = '\0';
    if (!strcmp(wait->wait_class, "other-world"))
        append(buffer, 0, "     measured");
    else
        append(buffer, 0, "%4.0f %% direct", share);
    return buffer;
}

/* ---- runs ---- */

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
