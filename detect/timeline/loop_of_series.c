#include "timeline/loop_of_series.h"
#include "base/degrees.h"
#include "graph/same_place.h"

#include <math.h>

/* ---- which loop ---- */

static double of_series(const struct sca_series *series, const struct sca_series_section *section)
{
    double own = 0, iterations = 0;
    for (uint32_t i = 0; i < section->npoints; i++) {
        own += series->points[section->first + i].own.mean;
        iterations += series->points[section->first + i].iterations;
    }
    return iterations > 0 ? own / iterations : 0;
}

static double of_windows(const struct sca_loop_iterations *list, uint32_t nranks)
{
    double own = 0;
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t r = 0; r < nranks; r++)
            own += list->of[i].slices[r].own_s;
    return list->count ? own / nranks / list->count : 0;
}

/* A loop around the main one goes round a few times, one in it several times in each iteration. */
static bool is_near(double a, double b)
{
    return a < SCA_SEVERAL * b && b < SCA_SEVERAL * a;
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
    double usual = of_series(series, &series->sections[section]);
    uint32_t n = vertex == SCA_NONE ? 0 : loops_around(space, ppg, vertex, &around);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t ncontexts = in_all_contexts(space, ppg, around[i], &contexts);
        sca_iterations_find(space, ppg, run, ends, contexts, ncontexts, out);
        if (out->count && is_near(of_windows(out, run->nranks), usual))
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

/* The iteration that goes on a little later than that: a window begins where one ends. */
static uint64_t number_at(const struct sca_series *series, uint32_t section, double seconds)
{
    const struct sca_series_section *s = &series->sections[section];
    uint32_t at = sca_point_at(series, section, seconds);
    if (at == UINT32_MAX)
        return 0;
    for (int again = 0; again < 2; again++) {
        const struct sca_series_point *p = &series->points[at];
        double begin = begin_of(series, s, at - s->first);
        double part = (seconds - begin) / fmax(p->end - begin, 1e-12) * p->iterations;
        uint64_t done = (uint64_t)fmax(0, part + SCA_QUARTER);
        if (done < p->iterations)
            return p->number - p->iterations + 1 + done;
        if (++at >= s->first + s->npoints)
            return 0;
        seconds = p->end;
    }
    return 0;
}

/* When the slice begins, on a rank that has the series. */
static double moment_of(const struct sca_rank *rank, const struct sca_slice *slice)
{
    const struct sca_window *w = &rank->windows[slice->first];
    if (w->times && slice->begin)
        return 1e-9 * (double)w->times[slice->begin - 1].exit_ns;
    return 1e-9 * (double)w->begin_ns;
}

static uint64_t number_of(const struct sca_rank *rank, const struct sca_series *series,
                          uint32_t section, const struct sca_loop_iteration *i, uint32_t r,
                          uint32_t later)
{
    const struct sca_slice *slice = &i->slices[r];
    if (!slice->nevents || slice->first >= rank->nwindows)
        return 0;
    const struct sca_series_section *s = &series->sections[section];
    double moment = moment_of(rank, slice);
    if (moment < s->begin)
        return s->before || !s->npoints || series->points[s->first].iterations > 1 ? 0 : 1 + i->nth;
    uint64_t number = number_at(series, section, moment);
    bool known = rank->windows[slice->first].times;
    return number && !known ? number + i->nth + later : number;
}

/* Whether the iteration before the first that begins in the window goes on into it. */
static bool goes_on(const struct sca_loop_iterations *list, uint32_t i, uint32_t r)
{
    while (i && list->of[i - 1].window == list->of[i].window)
        i--;
    return list->of[i].slices[r].begin > 0;
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
        numbers[i] = number_of(rank, series, section, &list->of[i], r, goes_on(list, i, r));
    return numbers;
}
