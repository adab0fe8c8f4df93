#include "base/degrees.h"
#include "report/notes.h"
#include "sca_phrase.h"
#include "stats/over_ranks.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TOLD = 3 };

struct blocked_places { /* seconds by vertex, of all ranks */
    double *left, all;
    bool awaited;
};

static struct blocked_places measure(const struct sca_analysis *c, bool awaited)
{
    const struct sca_measure *m = &c->measures[c->last];
    uint32_t nv = m->ppg->nvertices;
    struct blocked_places p = {.left = sca_workspace_alloc(c->space, nv, sizeof *p.left),
                               .awaited = awaited};
    for (uint32_t v = 0; v < nv; v++) {
        const double *row = m->run->blocked + (size_t)v * m->nranks;
        p.left[v] = awaited ? m->run->awaited[v] : sca_over_ranks_sum(row, m->nranks);
        p.all += p.left[v];
    }
    return p;
}

/* The vertex with most of what is left; 0: no place is worth a word. */
static uint32_t next_place(const struct blocked_places *p, uint32_t nvertices)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < nvertices; v++)
        if (p->left[v] >= SCA_LITTLE * p->all && (!best || p->left[v] > p->left[best]))
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

/* " (rank 0)" */
static const char *phrase_ranks(const struct sca_analysis *c, uint32_t vertex,
                                char text[SCA_PHRASE])
{
    const struct sca_measure *m = &c->measures[c->last];
    uint32_t *list = sca_workspace_alloc(c->space, m->nranks, sizeof *list);
    char ranks[SCA_PHRASE];
    uint32_t n = ranks_at(m, vertex, list);
    sca_phrase_ranks(ranks, &c->report->runs[c->last], list, n);
    snprintf(text, SCA_PHRASE, " (%.400s)", ranks);
    return text;
}

/* ": 0.7 core-s at step.c:12 usleep in step (rank 0), ..." */
static void list_places(const struct sca_analysis *c, const struct blocked_places *p, char *text,
                        size_t size)
{
    const struct sca_ppg *ppg = c->measures[c->last].ppg;
    size_t used = 0;
    uint32_t v;
    text[0] = '\0';
    for (int i = 0; i < MOST_TOLD && (v = next_place(p, ppg->nvertices)) && used < size; i++) {
        char place[SCA_PHRASE], ranks[SCA_PHRASE];
        used += (size_t)snprintf(text + used, size - used, "%s%.3g core-s %s %s%s", i ? ", " : ": ",
                                 p->left[v], ppg->vertices[v].blocks ? "at" : "somewhere in",
                                 sca_phrase_vertex(place, &c->report->vertices[v]),
                                 p->awaited ? "" : phrase_ranks(c, v, ranks));
        p->left[v] = 0;
    }
}

/* Whom they wait for there nobody knows. */
static void note_blocked(struct sca_analysis *c, const char *places)
{
    const struct sca_account *a = &c->accounts[c->last];
    bool shared =
        c->measures[c->last].shared && a->blocked > SCA_QUARTER * (a->useful + a->blocked);
    sca_notes_add(c,
                  "Ranks were blocked outside MPI for %.3g core-s (%.0f %%): asleep, or waiting "
                  "for a process, thread or device%s. This is not computation, and efficiencies "
                  "count it as lost.%s",
                  a->blocked, 100 * a->blocked / a->base, places,
                  shared ? " These ranks shared cores as well. The scheduler's part cannot be "
                           "separated, and costs and gains are uncertain."
                         : "");
}

static void note_awaited(struct sca_analysis *c, double seconds, const char *places)
{
    sca_notes_add(
        c,
        "Ranks waited outside MPI for other ranks of the run: %.3g core-s of wall time%s. The rank "
        "that woke them is not known. Such a wait is reported where the ranks synchronise next, in "
        "MPI_Finalize at the latest.%s",
        seconds, places,
        c->accounts[c->last].is_virtual
            ? " Ranks that are serialised do not wait there, and their cost is an estimate."
            : "");
}

void sca_notes_of_blocked(struct sca_analysis *c)
{
    double least = SCA_TRIFLE * c->accounts[c->last].base;
    char text[MOST_TOLD * SCA_PHRASE];
    if (c->accounts[c->last].blocked >= least && c->accounts[c->last].blocked > 0) {
        struct blocked_places places = measure(c, false);
        list_places(c, &places, text, sizeof text);
        note_blocked(c, text);
    }
    if (c->measures[c->last].awaited >= least && c->measures[c->last].awaited > 0) {
        struct blocked_places places = measure(c, true);
        list_places(c, &places, text, sizeof text);
        note_awaited(c, c->measures[c->last].awaited, text);
    }
}
