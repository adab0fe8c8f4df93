#include "base/degrees.h"
#include "report/notes.h"
#include "sca_phrase.h"
#include "stats/over_ranks.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PLACES = 3 };

/* Of all ranks, at the vertex itself. */
static double seconds_at(const struct sca_measure *m, uint32_t vertex)
{
    return sca_over_ranks_sum(m->run->blocked + (size_t)vertex * m->nranks, m->nranks);
}

/* The vertex with most of what is left; 0: no place is worth a word. */
static uint32_t next_place(const double *left, uint32_t nvertices, double least)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < nvertices; v++)
        if (left[v] >= least && (!best || left[v] > left[best]))
            best = v;
    return best;
}

/* Who is blocked there half as long as the one who is longest, or longer. */
static uint32_t ranks_at(const struct sca_measure *m, uint32_t vertex, uint32_t *ranks)
{
    const double *row = m->run->blocked + (size_t)vertex * m->nranks;
    double most = sca_over_ranks_most(row, m->nranks);
    uint32_t n = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        if (row[r] >= SCA_HALF * most)
            ranks[n++] = r;
    return n;
}

/* "0.7 core-s at step.c:12 usleep in step (rank 0)" */
static void phrase_place(const struct sca_analysis *c, uint32_t vertex, double seconds, char *text,
                         size_t size)
{
    const struct sca_measure *m = &c->measures[c->last];
    uint32_t *list = sca_workspace_alloc(c->space, m->nranks, sizeof *list);
    char place[SCA_PHRASE], ranks[SCA_PHRASE];
    uint32_t n = ranks_at(m, vertex, list);
    sca_phrase_ranks(ranks, &c->report->runs[c->last], list, n);
    snprintf(text, size, "%.3g core-s %s %s (%s)", seconds,
             m->ppg->vertices[vertex].blocks ? "at" : "somewhere in",
             sca_phrase_vertex(place, &c->report->vertices[vertex]), ranks);
}

static void list_places(const struct sca_analysis *c, double blocked, char *text, size_t size)
{
    const struct sca_measure *m = &c->measures[c->last];
    double *left = sca_workspace_alloc(c->space, m->ppg->nvertices, sizeof *left);
    size_t used = 0;
    uint32_t v;
    for (v = 0; v < m->ppg->nvertices; v++)
        left[v] = seconds_at(m, v);
    text[0] = '\0';
    for (int i = 0; i < MOST_PLACES; i++) {
        v = next_place(left, m->ppg->nvertices, SCA_LITTLE * blocked);
        if (!v)
            return;
        used += (size_t)snprintf(text + used, size - used, "%s", i ? ", " : ": ");
        phrase_place(c, v, left[v], text + used, size - used);
        used += strlen(text + used);
        left[v] = 0;
    }
}

/* Whom they wait for there nobody knows. */
void sca_notes_of_blocked(struct sca_analysis *c)
{
    const struct sca_account *a = &c->accounts[c->last];
    char places[MOST_PLACES * SCA_PHRASE];
    if (a->blocked < SCA_TRIFLE * a->base)
        return;
    list_places(c, a->blocked, places, sizeof places);
    bool shared =
        c->measures[c->last].shared && a->blocked > SCA_QUARTER * (a->useful + a->blocked);
    sca_notes_add(c,
                  "%.3g core-s (%.0f %%) ranks were blocked outside MPI, asleep or waiting for "
                  "another process, a thread or a device%s. That is no computation, and is charged "
                  "to nobody: efficiency counts it as lost.%s",
                  a->blocked, 100 * a->blocked / a->base, places,
                  shared ? " Where these shared cores, too, the scheduler's part of it cannot be "
                           "told apart, and costs and gains are uncertain."
                         : "");
}
