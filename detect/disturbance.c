#include "disturbance.h"
#include "model.h"
#include "team.h"

#include <math.h>
#include <stdlib.h>

/* Ranks are not disturbed alike: so many times what the middle one is. */
#define UNEVEN 2.0
/* Of a site's computation. What all ranks have more of than that now and then is the program's. */
#define MOST_DISTURBED 0.15

struct instance {
    uint32_t site;
    float deviation;
    double weight;
};

struct search {
    struct sca_scenes *scenes;
    struct sca_room *scratch;
    uint32_t nranks, nsites;
    float *usual;         /* [rank * nsites + site] deviation */
    float *cap;           /* per site: the most that an instance is disturbed */
    double *gaps, *above; /* [rank * nsites + site] seconds; of them above the usual */
};

static int by_site(const void *a, const void *b)
{
    const struct instance *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    return (x->deviation > y->deviation) - (x->deviation < y->deviation);
}

static uint32_t collect(const struct search *s, uint32_t rank, struct instance *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->scenes->count; i++) {
        const struct sca_scene *scene = &s->scenes->scenes[i];
        const struct sca_track *track = &scene->tracks[rank];
        for (uint32_t k = 0; k < track->nsteps; k++)
            if (track->sites[k] < s->nsites)
                out[n++] = (struct instance){track->sites[k], track->deviation[k], scene->weight};
    }
    return n;
}

/* `first` to `end` are of one site, ascending. */
static float weighted_median(const struct instance *first, const struct instance *end)
{
    double all = 0, below = 0;
    for (const struct instance *i = first; i < end; i++)
        all += i->weight;
    for (const struct instance *i = first; i < end; i++)
        if ((below += i->weight) >= all / 2)
            return i->deviation;
    return 0;
}

/* Of a rank: its usual deviation per site, and by how much the greatest is above that. */
static void find_usual(struct search *s, uint32_t rank, struct instance *work, double *greatest)
{
    uint32_t n = collect(s, rank, work), end;
    qsort(work, n, sizeof *work, by_site);
    for (uint32_t first = 0; first < n; first = end) {
        size_t cell = (size_t)rank * s->nsites + work[first].site;
        end = first;
        while (end < n && work[end].site == work[first].site)
            end++;
        s->usual[cell] = weighted_median(work + first, work + end);
        greatest[cell] = (double)(work[end - 1].deviation - s->usual[cell]);
    }
}

static void find_caps(struct search *s, const double *greatest)
{
    double *row = sca_room_alloc(s->scratch, s->nranks, sizeof *row);
    for (uint32_t site = 0; site < s->nsites; site++) {
        for (uint32_t r = 0; r < s->nranks; r++)
            row[r] = greatest[(size_t)r * s->nsites + site];
        s->cap[site] = (float)(UNEVEN * sca_median(row, s->nranks));
    }
}

static float above_usual(const struct search *s, const struct sca_track *track, uint32_t step,
                         size_t cell)
{
    float above = fmaxf(0, track->deviation[step] - s->usual[cell]);
    return fminf(above, s->cap[track->sites[step]]);
}

static void add_up(struct search *s, const struct sca_scene *scene, uint32_t rank)
{
    const struct sca_track *track = &scene->tracks[rank];
    for (uint32_t k = 0; k < track->nsteps; k++) {
        size_t cell = (size_t)rank * s->nsites + track->sites[k];
        if (track->sites[k] >= s->nsites)
            continue;
        s->gaps[cell] += track->gap[k] * scene->weight;
        s->above[cell] += (double)above_usual(s, track, k, cell) * scene->weight;
    }
}

/* What part of its computation the middle rank has above its usual. */
static double typical(const struct search *s, uint32_t site, double *row)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < s->nranks; r++) {
        size_t cell = (size_t)r * s->nsites + site;
        if (s->gaps[cell] > 0)
            row[n++] = s->above[cell] / s->gaps[cell];
    }
    double part = n ? sca_median(row, n) : 0;
    return part <= MOST_DISTURBED ? part : 0;
}

/* From here on `above` is the part of what is above the usual that is the cores'. */
static void judge(struct search *s)
{
    double *row = sca_room_alloc(s->scratch, s->nranks, sizeof *row);
    for (uint32_t site = 0; site < s->nsites; site++) {
        double part = typical(s, site, row);
        for (uint32_t r = 0; r < s->nranks; r++) {
            size_t cell = (size_t)r * s->nsites + site;
            double most = UNEVEN * part * s->gaps[cell];
            s->above[cell] = s->above[cell] > 0 ? fmin(1, most / s->above[cell]) : 0;
        }
    }
}

static void mark(struct search *s, struct sca_scene *scene, double *gaps, double *excess)
{
    for (uint32_t r = 0; r < scene->nranks; r++) {
        struct sca_track *track = &scene->tracks[r];
        track->disturbed =
            sca_room_alloc(&s->scenes->room, track->nsteps, sizeof *track->disturbed);
        for (uint32_t k = 0; k < track->nsteps; k++) {
            size_t cell = (size_t)r * s->nsites + track->sites[k];
            if (track->sites[k] >= s->nsites)
                continue;
            track->disturbed[k] = above_usual(s, track, k, cell) * (float)s->above[cell];
            gaps[cell] += (track->gap[k] - (double)track->disturbed[k]) * scene->weight;
            excess[cell] += sca_calm_excess_of(track, k) * scene->weight;
        }
    }
}

static void mark_all(struct search *s)
{
    size_t cells = (size_t)s->nranks * s->nsites;
    double *gaps = sca_room_alloc(s->scratch, cells, sizeof *gaps);
    double *excess = sca_room_alloc(s->scratch, cells, sizeof *excess);
    float *part = sca_room_alloc(&s->scenes->room, cells, sizeof *part);
    for (uint32_t i = 0; i < s->scenes->count; i++)
        mark(s, &s->scenes->scenes[i], gaps, excess);
    sca_team_sum_sparse(s->scenes->team, gaps, cells);
    sca_team_sum_sparse(s->scenes->team, excess, cells);
    for (size_t cell = 0; cell < cells; cell++)
        part[cell] = gaps[cell] > 0 ? (float)(excess[cell] / gaps[cell]) : 0;
    for (uint32_t i = 0; i < s->scenes->count; i++)
        s->scenes->scenes[i].calm_excess = part;
}

static uint32_t most_steps(const struct sca_scenes *scenes, uint32_t nranks)
{
    uint32_t most = 0;
    for (uint32_t r = 0; r < nranks; r++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < scenes->count; i++)
            n += scenes->scenes[i].tracks[r].nsteps;
        most = n > most ? n : most;
    }
    return most;
}

static bool are_known(const struct sca_scenes *scenes, uint32_t nranks)
{
    for (uint32_t i = 0; i < scenes->count; i++)
        for (uint32_t r = 0; r < nranks; r++)
            if (scenes->scenes[i].tracks[r].nsteps && !scenes->scenes[i].tracks[r].deviation)
                return false;
    return true;
}

static void look(struct search *s)
{
    size_t cells = (size_t)s->nranks * s->nsites;
    struct instance *work =
        sca_room_alloc(s->scratch, most_steps(s->scenes, s->nranks), sizeof *work);
    double *greatest = sca_room_alloc(s->scratch, cells, sizeof *greatest);
    s->usual = sca_room_alloc(s->scratch, cells, sizeof *s->usual);
    s->cap = sca_room_alloc(s->scratch, s->nsites, sizeof *s->cap);
    s->gaps = sca_room_alloc(s->scratch, cells, sizeof *s->gaps);
    s->above = sca_room_alloc(s->scratch, cells, sizeof *s->above);
    for (uint32_t r = 0; r < s->nranks; r++)
        find_usual(s, r, work, greatest);
    find_caps(s, greatest);
    for (uint32_t r = 0; r < s->nranks; r++)
        for (uint32_t i = 0; i < s->scenes->count; i++)
            add_up(s, &s->scenes->scenes[i], r);
    sca_team_sum_sparse(s->scenes->team, s->gaps, cells);
    sca_team_sum_sparse(s->scenes->team, s->above, cells);
}

void sca_disturbance_find(struct sca_scenes *scenes, uint32_t nranks, uint32_t nsites)
{
    struct sca_room scratch = {.out_of_memory = scenes->room.out_of_memory};
    struct search s = {.scenes = scenes, .scratch = &scratch, .nranks = nranks, .nsites = nsites};
    if (!are_known(scenes, nranks))
        return;
    look(&s);
    judge(&s);
    mark_all(&s);
    sca_room_free(&scratch);
}
