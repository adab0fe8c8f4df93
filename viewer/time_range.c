#include "time_range.h"
#include "sca_error.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 2, MEAN = 3 };

struct summing {
    struct sca_time_range *range;
    const struct sca_report *report;
    const struct sca_report_series_loop *loop;
    double serial_s, known_s; /* of points whose serialisation is known */
};

static double at(const struct summing *s, int column, uint32_t point)
{
    return s->loop->points[column][point];
}

static double first_of(const struct summing *s, uint32_t point)
{
    return at(s, SCA_SERIES_LAST_ITERATION, point) - at(s, SCA_SERIES_POINT_ITERATIONS, point) + 1;
}

static void add_vertex(const struct summing *s, uint32_t vertex, double seconds)
{
    const struct sca_report_vertex *all = s->report->vertices;
    double core_s = seconds * s->report->series.nranks;
    s->range->vertex_s[vertex] += core_s;
    for (; all[vertex].parent != vertex; vertex = all[vertex].parent)
        s->range->vertex_s[all[vertex].parent] += core_s;
}

/* `iterations` of a point that take `own` seconds of computation. */
static void add_contexts(const struct summing *s, const struct sca_report_series_cluster *c,
                         double iterations, double own)
{
    double shown = 0;
    for (uint32_t i = 0; i < c->ncontexts; i++)
        shown += c->contexts[i].own_s;
    if (!(shown > 0))
        s->range->unseen_s += own;
    for (uint32_t i = 0; i < c->ncontexts && shown > 0; i++)
        add_vertex(s, c->contexts[i].vertex,
                   c->contexts[i].own_s / shown * own + c->contexts[i].wait_s * iterations);
}

static void add_point(struct summing *s, uint32_t i, double part)
{
    struct sca_time_range *r = s->range;
    double own = part * at(s, SCA_SERIES_OWN_S + MEAN, i);
    double slowest = part * at(s, SCA_SERIES_OWN_S + MOST, i);
    double serialisation = at(s, SCA_SERIES_EFFICIENCY + 1, i);
    double begin = at(s, SCA_SERIES_BEGIN_S, i), end = begin + at(s, SCA_SERIES_SPAN_S, i);
    r->begin_s = fmin(r->begin_s, begin);
    r->end_s = fmax(r->end_s, end);
    r->span_s += part * at(s, SCA_SERIES_SPAN_S, i);
    r->own_s += own;
    r->slowest_s += slowest;
    r->mpi_s += part * at(s, SCA_SERIES_MPI_S + MEAN, i);
    add_contexts(s, &s->loop->clusters[(uint32_t)at(s, SCA_SERIES_CLUSTER, i)],
                 part * at(s, SCA_SERIES_POINT_ITERATIONS, i), own);
    if (serialisation > 0) {
        s->known_s += slowest;
        s->serial_s += slowest / serialisation;
    }
}

static void sum(struct summing *s)
{
    struct sca_time_range *r = s->range;
    r->begin_s = INFINITY;
    for (uint32_t i = 0; i < s->loop->npoints; i++) {
        double first = first_of(s, i), last = at(s, SCA_SERIES_LAST_ITERATION, i);
        double inside = fmin(r->to, last) - fmax(r->from, first) + 1;
        if (inside > 0)
            add_point(s, i, inside / at(s, SCA_SERIES_POINT_ITERATIONS, i));
    }
    r->load_balance = r->slowest_s > 0 ? r->own_s / r->slowest_s : (double)NAN;
    r->serialisation =
        s->known_s > r->slowest_s / 2 ? s->known_s / s->serial_s : (double)NAN; /* of most of it */
}

int sca_time_range_choose(struct sca_time_range *range, const struct sca_report *report,
                          uint32_t loop, double from, double to)
{
    struct summing s = {.range = range, .report = report, .loop = &report->series.loops[loop]};
    double first = first_of(&s, 0);
    double last = at(&s, SCA_SERIES_LAST_ITERATION, s.loop->npoints - 1);
    sca_time_range_close(range);
    range->vertex_s = calloc(report->nvertices + 1ul, sizeof *range->vertex_s);
    if (!range->vertex_s)
        return sca_fail(SCA_ENOMEM, "out of memory");
    range->chosen = true;
    range->loop = loop;
    range->from = fmax(fmin(from, to), first);
    range->to = fmin(fmax(from, to), last);
    sum(&s);
    return SCA_OK;
}

void sca_time_range_close(struct sca_time_range *range)
{
    free(range->vertex_s);
    *range = (struct sca_time_range){0};
}
