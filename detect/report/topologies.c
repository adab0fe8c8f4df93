#include "report/topologies.h"
#include "report/report_memory.h"
#include "topology/system.h"
#include "topology/topologies.h"
#include "topology/topology_words.h"

#include <string.h>

/* Of this rank in this communicator, if it is a topology. */
static bool words_of(const struct sca_rank *rank, uint32_t comm, struct sca_topology_words *w)
{
    for (uint32_t i = 0; rank->present && rank->topologies && i < rank->ncomms; i++)
        if (rank->comms[i] == comm && rank->topologies[i][0])
            return sca_topology_words_read(rank->topologies[i], w);
    return false;
}

struct topology_choice {
    uint32_t comm, members;
    struct sca_topology_words words; /* of some member */
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
static bool tells_apart(const struct sca_profile *p, uint32_t comm,
                        const struct sca_topology_words *some)
{
    struct sca_topology_words words;
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

static bool is_same(const struct sca_topology_words *a, const struct sca_topology_words *b)
{
    return !strcmp(a->kind, b->kind) && a->width == b->width &&
           !memcmp(a->dims, b->dims, sizeof a->dims);
}

static void fill_places(const struct sca_profile *p, const struct topology_choice *choice,
                        struct sca_report_topology *to)
{
    struct sca_topology_words words;
    for (uint32_t r = 0; r < p->nranks; r++) {
        int32_t *place = &to->places[(size_t)r * to->width];
        place[0] = -1;
        if (words_of(&p->ranks[r], choice->comm, &words) && is_same(&words, &choice->words))
            memcpy(place, words.place, to->width * sizeof *place);
    }
}

static void fill_worlds(struct sca_analysis *c, const struct sca_profile *p,
                        struct sca_report_run *run)
{
    struct sca_report_topology *to = &run->topology;
    to->kind = "worlds";
    to->nranks = p->nranks;
    to->width = 2;
    to->places = sca_report_memory_take(c, (size_t)p->nranks * to->width, sizeof *to->places);
    run->nworlds = p->nworlds;
    run->worlds = sca_report_memory_take(c, p->nworlds, sizeof *run->worlds);
    for (uint32_t w = 0; w < p->nworlds; w++) {
        const struct sca_world *from = &p->worlds[w];
        run->worlds[w] = (struct sca_report_world){sca_report_string(c->report, from->directory),
                                                   from->first, from->nranks};
        for (uint32_t r = 0; r < from->nranks; r++) {
            to->places[2 * (size_t)(from->first + r)] = (int32_t)w + 1;
            to->places[2 * (size_t)(from->first + r) + 1] = (int32_t)r;
        }
    }
}

void sca_topologies_fill(struct sca_analysis *c, uint32_t run)
{
    const struct sca_profile *p = c->ppg->runs[run].profile;
    struct sca_report_topology *to = &c->report->runs[run].topology;
    if (p->nworlds) {
        fill_worlds(c, p, &c->report->runs[run]);
        return;
    }
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

/* ---- all of them, of the largest run ---- */

enum { MOST_NUMBERS = 200000 }; /* coordinates in the report that cannot be counted */

static const char *text_of(struct sca_analysis *c, const char *text)
{
    return *text ? sca_report_string(c->report, text) : "";
}

static void copy(struct sca_analysis *c, const struct sca_topology *from, struct sca_topology *to)
{
    size_t places = (size_t)from->nranks * from->ndims * sizeof *to->coordinates;
    *to = *from;
    to->name = text_of(c, from->name);
    to->dims = sca_report_memory_take(c, from->ndims, sizeof *to->dims);
    to->periodic = sca_report_memory_take(c, from->ndims, sizeof *to->periodic);
    to->dimension_names = sca_report_memory_take(c, from->ndims, sizeof *to->dimension_names);
    to->coordinates = sca_report_memory_take(c, places, 1);
    memcpy(to->dims, from->dims, from->ndims * sizeof *to->dims);
    memcpy(to->periodic, from->periodic, from->ndims * sizeof *to->periodic);
    memcpy(to->coordinates, from->coordinates, places);
    for (uint32_t d = 0; d < from->ndims; d++)
        to->dimension_names[d] = text_of(c, from->dimension_names[d]);
}

static size_t numbers_of(const struct sca_topology *t)
{
    return sca_topology_is_row_major(t) ? 0 : (size_t)t->nranks * t->ndims;
}

/* Those of most ranks, as far as the room goes, but at least one; then the hardware's, and the
 * threads'. */
void sca_topologies_report(struct sca_analysis *c)
{
    const struct sca_profile *profile = c->ppg->runs[c->last].profile;
    struct sca_report *report = c->report;
    struct sca_topologies all;
    struct sca_system system;
    struct sca_topology hardware, teams;
    size_t numbers = 0;
    sca_topologies_make(c->space, profile, &all);
    report->topologies = sca_report_memory_take(c, all.n + 2, sizeof *report->topologies);
    report->topologies_left_out = all.left_out;
    for (uint32_t i = 0; i < all.n; i++) {
        size_t more = numbers_of(&all.of[i]);
        if (i && numbers + more > MOST_NUMBERS)
            report->topologies_left_out++;
        else
            copy(c, &all.of[i], &report->topologies[report->ntopologies++]);
        numbers += more;
    }
    sca_system_make(c->space, profile, &system);
    sca_system_topology(c->space, &system, &hardware);
    if (hardware.members)
        copy(c, &hardware, &report->topologies[report->ntopologies++]);
    if (report->nthreads) {
        sca_topologies_of_threads(c->space, profile->nranks, report->nthreads, &teams);
        copy(c, &teams, &report->topologies[report->ntopologies++]);
    }
}
