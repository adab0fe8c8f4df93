#include "timeline/loop_of_series.h"
#include "base/degrees.h"
#include "graph/same_place.h"
#include "stats/median.h"

#include <math.h>

/* ---- which loop ---- */

/* The usual iteration's computation, of the mean rank: rare ones are few, but windows have them. */
static double of_series(struct sca_workspace *space, const struct sca_series *series,
                        const struct sca_series_section *section)
{
    double *own = sca_workspace_alloc(space, section->npoints, sizeof *own);
    for (uint32_t i = 0; i < section->npoints; i++) {
        const struct sca_series_point *p = &series->points[section->first + i];
        own[i] = p->own.mean / p->iterations;
    }
    return sca_median(own, section->npoints);
}

static double of_windows(struct sca_workspace *space, const struct sca_loop_iterations *list,
                         uint32_t nranks)
{
    double *own = sca_workspace_alloc(space, list->count, sizeof *own);
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t r = 0; r < nranks; r++)
            own[i] += list->of[i].slices[r].own_s / nranks;
    return sca_median(own, list->count);
}

/* A loop around the main one goes round a few times, one in it several times in each iteration. */
static bool is_near(double a, double b)
{
    return a < SCA_TWICE * b && b < SCA_TWICE * a;
}

static uint32_t in_all_contexts(struct sca_workspace *space, const struct sca_ppg *ppg,
                                uint32_t loop, uint32_t **out)
{
    uint32_t n = 0;
    *out = sca_workspace_alloc(space, ppg->nvertices, sizeof **out);
    for (uint32_t v = 0; v < ppg->nvertices; v++)
        if (v == loop || (ppg->vertices[v].kind == SCA_LOOP &&
                          sca_same_place_is(&ppg->vertices[v], &ppg->vertices[loop])))
            (*out)[n++] = v;
    return n;
}

/* The loops around a vertex, the outermost first. */
static uint32_t loops_around(struct sca_workspace *space, const struct sca_ppg *ppg,
                             uint32_t vertex, uint32_t **out)
{
    uint32_t n = 0, depth = 0;
    for (uint32_t v = vertex; v; v = ppg->vertices[v].parent)
        depth += ppg->vertices[v].kind == SCA_LOOP;
    *out = sca_workspace_alloc(space, depth, sizeof **out);
    for (uint32_t v = vertex; v; v = ppg->vertices[v].parent)
        if (ppg->vertices[v].kind == SCA_LOOP)
            (*out)[depth - ++n] = v;
    return depth;
}

bool sca_loop_of_series(struct sca_workspace *space, const struct sca_ppg *ppg,
                        const struct sca_ppg_run *run, const uint32_t *ends,
                        const struct sca_series *series, uint32_t section,
                        struct sca_loop_iterations *out, struct sca_loop_round *round)
{
    uint32_t site = series->sections[section].site, *around, *contexts;
    uint32_t vertex = site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
    *round = (struct sca_loop_round){.ends = ends};
    if (series->sections[section].source != SCA_SERIES_MARKER) {
        sca_iterations_by_call(space, run, site, out);
        return out->count > 0;
    }
    double usual = of_series(space, series, &series->sections[section]);
    uint32_t n = vertex == SCA_NONE ? 0 : loops_around(space, ppg, vertex, &around);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t ncontexts = in_all_contexts(space, ppg, around[i], &contexts);
        sca_iterations_find(space, ppg, run, ends, contexts, ncontexts, out);
        *round = (struct sca_loop_round){ends, contexts, ncontexts};
        if (out->count && is_near(of_windows(space, out, run->nranks), usual))
            return true;
    }
    return false;
}

/* ---- which iterations ---- */

static double begin_of(const struct sca_series *series, const struct sca_series_section *section,
                       uint32_t point)
{
    return point ? series->points[section->first + point - 1].end : section->begin;
}

uint32_t sca_point_at(const struct sca_series *series, uint32_t section, double seconds)
{
    const struct sca_series_section *s = &series->sections[section];
    uint32_t low = 0, high = s->npoints;
    if (seconds < s->begin)
        return UINT32_MAX;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (series->points[s->first + middle].end <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->npoints ? s->first + low : UINT32_MAX;
}

uint32_t sca_point_of(const struct sca_series *series, uint32_t section, uint64_t number)
{
    const struct sca_series_section *s = &series->sections[section];
    uint32_t low = 0, high = s->npoints;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (series->points[s->first + middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    const struct sca_series_point *p = &series->points[s->first + low];
    return low < s->npoints && number + p->iterations > p->number ? s->first + low : UINT32_MAX;
}

/* Where a moment lies among the ends of iterations. A series has these to 1/256 of a point's
 * length, and 1 us: which iteration a moment so near to one belongs to, it cannot tell alone. */
struct moment {
    uint64_t number; /* of the iteration that ends nearest; its predecessor's at the begin */
    double behind;   /* seconds from there on: below 0, it goes on still */
    double error;    /* of `behind` */
    bool known;      /* it lies in the section */
};

enum { BEGIN_NS = 1024, LENGTH_PARTS = 256 };

static const double begin_error = 1e-9 * BEGIN_NS;

static struct moment moment_of(const struct sca_series *series, uint32_t section, double seconds)
{
    const struct sca_series_section *s = &series->sections[section];
    uint32_t at = sca_point_at(series, section, seconds);
    if (at == UINT32_MAX && s->npoints) /* at the very end? */
        at = s->first + s->npoints - 1;
    if (at == UINT32_MAX || seconds < s->begin)
        return (struct moment){.known = false};
    const struct sca_series_point *p = &series->points[at];
    double begin = begin_of(series, s, at - s->first), length = p->end - begin;
    double each = fmax(length / p->iterations, SCA_NO_TIME);
    double nearest = fmin(round((seconds - begin) / each), p->iterations);
    struct moment m = {.number = p->number - p->iterations + (uint64_t)nearest,
                       .behind = seconds - begin - nearest * each,
                       .error = begin_error + length / LENGTH_PARTS};
    m.known = m.number < p->number || m.behind <= m.error || at + 1 < s->first + s->npoints;
    return m;
}

/* The iteration that goes on at this moment. `after`: where that may be the end of one, it is the
 * one behind it. 0: it is outside of the section. */
static uint64_t number_at(const struct sca_series *series, uint32_t section, double seconds,
                          bool after)
{
    const struct moment m = moment_of(series, section, seconds);
    if (!m.known)
        return 0;
    bool behind = fabs(m.behind) > m.error ? m.behind > 0 : after;
    return m.number + behind;
}

static bool is_edge(const struct sca_loop_iteration *i)
{
    return !i->nth || i->nth + 1 == i->begun;
}

/* Windows need not begin and end where iterations do. What lies within them is whole; so is what is
 * of such a kind, and what is in a window that has as many iterations of the loop as of its own. */
static bool is_whole(const struct sca_rank *rank, const struct sca_series *series, uint32_t section,
                     const struct sca_loop_iterations *list, uint32_t i, uint32_t r)
{
    const struct sca_slice *slice = &list->of[i].slices[r];
    const struct sca_window *w =
        slice->nevents && slice->first < rank->nwindows ? &rank->windows[slice->first] : NULL;
    if (w && series->sections[section].source != SCA_SERIES_MARKER)
        return !list->of[i].partial;
    if (!w || w->times || !is_edge(&list->of[i]) || list->of[i].begun == w->iterations)
        return w;
    for (uint32_t k = 0; k < list->count; k++)
        if (list->of[k].kind == list->of[i].kind && !is_edge(&list->of[k]))
            return true;
    return false;
}

/* Windows end with a call of an iteration, the last that begins in them. They may begin behind one,
 * where what follows its last call belongs to it still. */
static uint64_t number_of(const struct sca_rank *rank, const struct sca_series *series,
                          uint32_t section, const struct sca_loop_iteration *i, uint32_t r,
                          bool after)
{
    const struct sca_slice *slice = &i->slices[r];
    if (!slice->nevents || slice->first >= rank->nwindows)
        return 0;
    const struct sca_window *w = &rank->windows[slice->first];
    uint32_t last = slice->begin + slice->nevents;
    last = last < w->nevents ? last : w->nevents;
    if (w->times)
        return number_at(series, section, 1e-9 * (double)w->times[last - 1].exit_ns, after);
    uint64_t number = number_at(series, section, 1e-9 * (double)w->end_ns, after);
    uint32_t before = i->begun - 1 - i->nth;
    if (number)
        return number > before ? number - before : 0;
    double begin = 1e-9 * (double)w->begin_ns; /* the loop ends in it */
    if (begin <= series->sections[section].begin)
        return series->sections[section].before + 1 + i->nth;
    number = number_at(series, section, begin, after);
    return number ? number + 1 + i->nth : 0;
}

/* Whether windows end behind the marker, with a call that each iteration begins with, or before it:
 * most of them are on one side. Series by a call end with it. */
static bool end_after_marker(struct sca_workspace *space, const struct sca_series *series,
                             uint32_t section, const struct sca_rank *rank)
{
    double *behind = sca_workspace_alloc(space, rank->nwindows, sizeof *behind);
    uint32_t n = 0;
    for (uint32_t w = 0; w < rank->nwindows; w++) {
        const struct moment m = moment_of(series, section, 1e-9 * (double)rank->windows[w].end_ns);
        if (m.known)
            behind[n++] = m.behind;
    }
    return n && series->sections[section].source == SCA_SERIES_MARKER &&
           sca_median(behind, n) > begin_error;
}

uint64_t *sca_loop_numbers(struct sca_workspace *space, const struct sca_ppg_run *run,
                           const struct sca_series *series, uint32_t section,
                           const struct sca_loop_iterations *list)
{
    uint64_t *numbers = sca_workspace_alloc(space, list->count, sizeof *numbers);
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    uint32_t r = series->ranks[0];
    const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_WINDOWS);
    bool after = end_after_marker(space, series, section, rank);
    for (uint32_t i = 0; i < list->count; i++)
        numbers[i] = !is_whole(rank, series, section, list, i, r)
                         ? 0
                         : number_of(rank, series, section, &list->of[i], r, after);
    return numbers;
}
