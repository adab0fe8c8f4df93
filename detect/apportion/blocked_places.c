#include "apportion/blocked_places.h"
#include "base/sort.h"
#include "graph/mpi_function.h"
#include "sca_arena.h"
#include "sca_error.h"

#include <stdlib.h>

int sca_blocked_places_open(struct sca_blocked_places *places, const struct sca_ppg_run *run)
{
    const struct sca_profile *p = run->profile;
    places->vertex_of = calloc(p->nnodes + 1ul, sizeof *places->vertex_of);
    if (!places->vertex_of)
        return SCA_ENOMEM;
    for (uint32_t n = 0; n <= p->nnodes; n++)
        places->vertex_of[n] = SCA_NONE;
    for (uint32_t s = 1; s < p->nsites; s++)
        if (sca_mpi_function_blocks(p->sites[s].function))
            places->vertex_of[p->sites[s].node] = run->site_vertex[s];
    return SCA_OK;
}

void sca_blocked_places_free(struct sca_blocked_places *places)
{
    free(places->vertex_of);
    free(places->list);
    *places = (struct sca_blocked_places){0};
}

static int by_interval(const void *a, const void *b)
{
    const struct sca_blocked_place *x = a, *y = b;
    return (x->interval > y->interval) - (x->interval < y->interval);
}

static int add(struct sca_blocked_places *places, const struct sca_blocked_place *place)
{
    if (sca_arena_grow(&places->list, sizeof *places->list, places->n, &places->capacity))
        return SCA_ENOMEM;
    places->list[places->n++] = *place;
    return SCA_OK;
}

/* For whomever. */
static bool is_blocked(const struct sca_part_sample *s)
{
    return s->in_mpi == SCA_SAMPLE_BLOCKED || s->in_mpi == SCA_SAMPLE_AWAITED;
}

int sca_blocked_places_take(struct sca_blocked_places *places, struct sca_ppg_run *run,
                            const struct sca_rank *rank)
{
    places->n = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        struct sca_blocked_place place = {
            .interval = sca_intervals_number(&run->intervals, s->previous, s->next),
            .vertex = is_blocked(s) ? places->vertex_of[s->node] : SCA_NONE,
            .seconds = (double)s->length_ns * 1e-9};
        if (place.vertex != SCA_NONE && s->in_mpi == SCA_SAMPLE_AWAITED)
            run->awaited[place.vertex] += place.seconds;
        else if (place.vertex != SCA_NONE && place.interval != SCA_NONE && add(places, &place))
            return SCA_ENOMEM;
    }
    return sca_sort_in_order(places->list, places->n, sizeof *places->list, by_interval);
}

const struct sca_blocked_place *sca_blocked_places_in(const struct sca_blocked_places *places,
                                                      uint32_t interval, size_t *count)
{
    size_t first = 0, end;
    while (first < places->n && places->list[first].interval < interval)
        first++;
    for (end = first; end < places->n && places->list[end].interval == interval;)
        end++;
    *count = end - first;
    return places->list + first;
}
