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
                        struct sca_loop_iterations *out)
{
    uint32_t site = series->sections[section].site, *around, *contexts;
    uint32_t vertex = site < run->profile->nsites ? run->site_vertex[site] : SCA_NONE;
    if (series->sections[section].source != SCA_SERIES_MARKER) {
        sca_iterations_by_call(space, run, site, out);
        return out->count > 0;
    }
    double usual = of_series(space, series, &series->sections[section]);
    uint32_t n = vertex == SCA_NONE ? 0 : loops_around(space, ppg, vertex, &around);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t ncontexts = in_all_contexts(space, ppg, around[i], &contexts);
        sca_iterations_find(space, ppg, run, ends, contexts, ncontexts, out);
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

/* The iteration that goes on at this moment, or, where one ends there, that one. Times are rounded.
 * 0: it is outside of the section. */
static uint64_t number_at(const struct sca_series *series, uint32_t section, double seconds)
{
    const struct sca_series_section *s = &series->sections[section];
    uint32_t at = sca_point_at(series, section, seconds);
    if (at == UINT32_MAX && s->npoints) /* at the very end? */
        at = s->first + s->npoints - 1;
    if (at == UINT32_MAX || seconds < s->begin)
        return 0;
    const struct sca_series_point *p = &series->points[at];
    double begin = begin_of(series, s, at - s->first), each = (p->end - begin) / p->iterations;
    double done = (seconds - begin) / fmax(each, SCA_NO_TIME) - SCA_NEGLIGIBLE;
    if (done >= p->iterations)
        return 0;
    return p->number - p->iterations + (done < 0 ? 0 : 1 + (uint64_t)done);
}

/* How many iterations begin in the same window. */
static uint32_t count_of(const struct sca_loop_iterations *list, uint32_t i)
{
    while (i + 1 < list->count && list->of[i + 1].window == list->of[i].window)
        i++;
    return list->of[i].nth + 1;
}

static bool is_edge(const struct sca_loop_iterations *list, uint32_t i)
{
    return !list->of[i].nth || list->of[i].nth + 1 == count_of(list, i);
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
    if (!w || w->times || !is_edge(list, i) || count_of(list, i) == w->iterations)
        return w;
    for (uint32_t k = 0; k < list->count; k++)
        if (list->of[k].kind == list->of[i].kind && !is_edge(list, k))
            return true;
    return false;
}

/* Windows end with a call of an iteration, the last that begins in them. They may begin behind one,
 * where what follows its last call belongs to it still. */
static uint64_t number_of(const struct sca_rank *rank, const struct sca_series *series,
                          uint32_t section, const struct sca_loop_iteration *i, uint32_t r,
                          uint32_t count)
{
    const struct sca_slice *slice = &i->slices[r];
    if (!slice->nevents || slice->first >= rank->nwindows)
        return 0;
    const struct sca_window *w = &rank->windows[slice->first];
    uint32_t last = slice->begin + slice->nevents;
    last = last < w->nevents ? last : w->nevents;
    if (w->times)
        return number_at(series, section, 1e-9 * (double)w->times[last - 1].exit_ns);
    uint64_t number = number_at(series, section, 1e-9 * (double)w->end_ns);
    uint32_t before = count - 1 - i->nth;
    if (number)
        return number > before ? number - before : 0;
    number = number_at(series, section, 1e-9 * (double)w->begin_ns); /* the loop ends in it */
    return number ? number + 1 + i->nth : 0;
}

uint64_t *sca_loop_numbers(struct sca_workspace *space, const struct sca_ppg_run *run,
                           const struct sca_series *series, uint32_t section,
                           const struct sca_loop_iterations *list)
{
    uint64_t *numbers = sca_workspace_alloc(space, list->count, sizeof *numbers);
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    uint32_t r = series->ranks[0];
    const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_WINDOWS);
    for (uint32_t i = 0; i < list->count; i++)
        numbers[i] = !is_whole(rank, series, section, list, i, r)
                         ? 0
                         : number_of(rank, series, section, &list->of[i], r, count_of(list, i));
    return numbers;
}
