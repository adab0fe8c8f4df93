#include "base/degrees.h"
#include "measure/sides.h"
#include "findings/named_place.h"
#include "report/notes.h"
#include "sca_phrase.h"

#include <stdio.h>

enum { MOST_PARTS = 4 };

struct split {
    const struct sca_analysis *c;
    const struct sca_finding *cause;
    double *others; /* working memory, one per rank */
    double whole;   /* excess */
    uint32_t nparts, parts[MOST_PARTS];
    double excess[MOST_PARTS]; /* the greatest first */
};

/* What the cause's ranks have of the vertex beyond the median of the others; seconds. */
static double excess_of(const struct split *s, uint32_t vertex)
{
    const struct sca_measure *m = &s->c->measures[s->c->last];
    const double *row = m->inclusive + (size_t)vertex * m->nranks;
    struct sca_sides sides = sca_sides_of(s->c->space, m, row, s->cause->ranks, s->cause->nranks);
    return sca_sides_excess(&sides, s->cause->nranks);
}

/* The innermost place that has nearly all of it. */
static uint32_t innermost(const struct split *s, uint32_t vertex)
{
    const uint32_t *ends = s->c->ends;
    double least = SCA_MOST * excess_of(s, vertex);
    uint32_t v = vertex + 1;
    while (v < ends[vertex])
        if (excess_of(s, v) < least) {
            v = ends[v];
        } else {
            vertex = v;
            v++;
        }
    return vertex;
}

/* Kept in order; of too many the least goes. */
static void add_part(struct split *s, uint32_t vertex, double excess)
{
    uint32_t at = s->nparts;
    if (s->nparts < MOST_PARTS)
        s->nparts++;
    else if (excess <= s->excess[--at])
        return;
    for (; at > 0 && excess > s->excess[at - 1]; at--) {
        s->parts[at] = s->parts[at - 1];
        s->excess[at] = s->excess[at - 1];
    }
    s->parts[at] = vertex;
    s->excess[at] = excess;
}

static void split_up(struct split *s)
{
    const struct sca_ppg *ppg = s->c->ppg;
    uint32_t top = innermost(s, s->cause->vertex);
    for (uint32_t v = top + 1; v < s->c->ends[top]; v = s->c->ends[v]) {
        double excess = excess_of(s, v);
        if (ppg->vertices[v].kind != SCA_MPI && excess >= SCA_LITTLE * s->whole)
            add_part(s, innermost(s, v), excess);
    }
}

/* "41 % c.c:9 code in refine, 27 % c.c:16 code in integrate" */
static void phrase_parts(const struct split *s, char *text, size_t size)
{
    char place[SCA_PHRASE];
    size_t used = 0;
    for (uint32_t i = 0; i < s->nparts && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.0f %% %s", i ? ", " : "",
                                 100 * s->excess[i] / s->whole,
                                 sca_phrase_vertex(place, &s->c->report->vertices[s->parts[i]]));
}

void sca_notes_of_parts(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *cause = c->causes.items[i];
        struct split s = {.c = c, .cause = cause};
        char text[SCA_PHRASE];
        if (cause->category > SCA_CAUSE_SERIAL || sca_finding_is_interval(cause) ||
            sca_finding_rotates(cause) || cause->nvertices != 1 ||
            cause->nranks >= c->measures[c->last].npresent ||
            !sca_named_place_calls_mpi(c->ppg, c->ends, cause->vertex))
            continue;
        s.others = sca_workspace_alloc(c->space, c->measures[c->last].nranks, sizeof *s.others);
        s.whole = excess_of(&s, cause->vertex);
        split_up(&s);
        phrase_parts(&s, text, sizeof text);
        if (s.nparts > 1)
            sca_notes_add(c, "Cause %u covers several places: %s.", i + 1, text);
    }
}
