#include "report/topologies.h"
#include "report/report_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMENSIONS = 16 };

/* A rank's own words: "cart 4,2 periodic 1,0 at 3,1", "graph degree 3", "dist_graph in 2 out 3". */
struct words {
    char kind[16];
    uint32_t ndims, width;
    int32_t dims[MOST_DIMENSIONS], periodic[MOST_DIMENSIONS], place[MOST_DIMENSIONS];
};

/* "4,2" behind the label; how many numbers, 0 if it is not there. */
static uint32_t numbers_after(const char *text, const char *label, int32_t *out)
{
    const char *at = strstr(text, label);
    uint32_t n = 0;
    if (!at)
        return 0;
    for (at += strlen(label); n < MOST_DIMENSIONS; at++) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end == at || number < 0 || number > INT32_MAX)
            return 0;
        out[n++] = (int32_t)number;
        if (*(at = end) != ',')
            break;
    }
    return n;
}

static bool read_grid(const char *text, struct words *w)
{
    w->ndims = w->width = numbers_after(text, "cart ", w->dims);
    if (!w->ndims || numbers_after(text, " periodic ", w->periodic) != w->ndims ||
        numbers_after(text, " at ", w->place) != w->ndims)
        return false;
    for (uint32_t d = 0; d < w->ndims; d++)
        if (w->place[d] >= w->dims[d])
            return false;
    return true;
}

static bool read_words(const char *text, struct words *w)
{
    *w = (struct words){0};
    if (sscanf(text, "%15s", w->kind) != 1)
        return false;
    if (!strcmp(w->kind, "cart"))
        return read_grid(text, w);
    w->width = !strcmp(w->kind, "graph") ? 1 : 2;
    if (w->width == 1)
        return numbers_after(text, " degree ", w->place) == 1;
    return numbers_after(text, " in ", w->place) == 1 &&
           numbers_after(text, " out ", w->place + 1) == 1;
}

/* Of this rank in this communicator, if it is a topology. */
static bool words_of(const struct sca_rank *rank, uint32_t comm, struct words *w)
{
    for (uint32_t i = 0; rank->present && rank->topologies && i < rank->ncomms; i++)
        if (rank->comms[i] == comm && rank->topologies[i][0])
            return read_words(rank->topologies[i], w);
    return false;
}

struct topology_choice {
    uint32_t comm, members;
    struct words words; /* of some member */
};

/* Coordinates say more than counts of neighbours, more dimensions more than fewer. */
static bool is_better(const struct topology_choice *a, const struct topology_choice *b)
{
    bool grid = a->words.ndims > 0, other = b->words.ndims > 0;
    if (a->members != b->members)
        return a->members > b->members;
    return grid != other ? grid : a->words.ndims > b->words.ndims;
}

/* members[c]: how many ranks have a topology on communicator c. */
static void count_members(const struct sca_profile *p, uint32_t *members, uint32_t *example)
{
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = &p->ranks[r];
        for (uint32_t i = 0; rank->present && rank->topologies && i < rank->ncomms; i++)
            if (rank->topologies[i][0] && !members[rank->comms[i]]++)
                example[rank->comms[i]] = r;
    }
}

/* Numbers of neighbours that are the same everywhere say nothing of who is who. */
static bool tells_apart(const struct sca_profile *p, uint32_t comm, const struct words *some)
{
    struct words words;
    bool differ = some->ndims > 0;
    for (uint32_t r = 0; r < p->nranks && !differ; r++)
        differ = words_of(&p->ranks[r], comm, &words) &&
                 memcmp(words.place, some->place, sizeof words.place);
    return differ;
}

static struct topology_choice choose(struct sca_analysis *c, const struct sca_profile *p)
{
    uint32_t *members = sca_workspace_alloc(c->space, p->ncomms + 1u, sizeof *members);
    uint32_t *example = sca_workspace_alloc(c->space, p->ncomms + 1u, sizeof *example);
    struct topology_choice best = {0};
    count_members(p, members, example);
    for (uint32_t i = 0; i < p->ncomms; i++) {
        struct topology_choice next = {.comm = i, .members = members[i]};
        if (members[i] > 1 && words_of(&p->ranks[example[i]], i, &next.words) &&
            is_better(&next, &best) && tells_apart(p, i, &next.words))
            best = next;
    }
    return best;
}

static bool is_same(const struct words *a, const struct words *b)
{
    return !strcmp(a->kind, b->kind) && a->width == b->width &&
           !memcmp(a->dims, b->dims, sizeof a->dims);
}

static void fill_places(const struct sca_profile *p, const struct topology_choice *choice,
                        struct sca_report_topology *to)
{
    struct words words;
    for (uint32_t r = 0; r < p->nranks; r++) {
        int32_t *place = &to->places[(size_t)r * to->width];
        place[0] = -1;
        if (words_of(&p->ranks[r], choice->comm, &words) && is_same(&words, &choice->words))
            memcpy(place, words.place, to->width * sizeof *place);
    }
}

void sca_topologies_fill(struct sca_analysis *c, uint32_t run)
{
    const struct sca_profile *p = c->ppg->runs[run].profile;
    struct sca_report_topology *to = &c->report->runs[run].topology;
    struct topology_choice best = choose(c, p);
    to->kind = sca_report_string(c->report, best.words.kind);
    if (!best.members)
        return;
    to->nranks = p->nranks;
    to->width = best.words.width;
    to->ndims = best.words.ndims;
    to->dims = sca_report_memory_take(c, to->ndims, sizeof *to->dims);
    to->periodic = sca_report_memory_take(c, to->ndims, sizeof *to->periodic);
    to->places = sca_report_memory_take(c, (size_t)to->nranks * to->width, sizeof *to->places);
    for (uint32_t d = 0; d < to->ndims; d++) {
        to->dims[d] = (uint32_t)best.words.dims[d];
        to->periodic[d] = best.words.periodic[d] != 0;
    }
    fill_places(p, &best, to);
}
