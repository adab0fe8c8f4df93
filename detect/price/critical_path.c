#include "price/critical_path.h"
#include "base/degrees.h"
#include "findings/named_place.h"
#include "graph/same_place.h"
#include "price/path_times.h"
#include "price/served_order.h"
#include "stats/over_ranks.h"

#include <math.h>

struct search {
    struct sca_stage *stage;
    struct sca_workspace *scratch;
    struct sca_path_times times;
    const struct sca_finding_list *known;
    double least; /* core-seconds of a place */
    struct sca_finding *drafts;
    uint32_t ndrafts;
};

/* Something that the path has too much of, in seconds. */
struct path_excess {
    const double *on;             /* by rank */
    double critical, usual, most; /* on the path; mean over the ranks, and of the rank with most */
};

static double weight_of(const struct search *s, const struct path_excess *of)
{
    return fmax(0, of->critical - of->usual) * s->stage->m->npresent;
}

/* Whether the path has more of it than any rank, by more than they may differ. */
static bool is_too_much(const struct search *s, const struct path_excess *of)
{
    return weight_of(s, of) >= s->least && of->critical >= (1 + SCA_QUARTER) * of->usual;
}

/* Whether one rank alone could have put so much of it on the path, or did: what one rank has more
 * of is not the order's fault. */
static bool is_of_one(const struct search *s, const struct path_excess *of)
{
    double most_on = 0;
    for (uint32_t r = 0; r < s->times.nranks; r++)
        most_on = fmax(most_on, of->on[r]);
    return of->critical < (1 + SCA_QUARTER) * of->most ||
           of->critical - most_on < SCA_QUARTER * of->usual;
}

/* Whether what is known of the place, or in or around it, makes up half of such an excess: all
 * ranks wait for what some have too much. What is less has been equalised, and the order is beside
 * it. */
static bool is_known(const struct search *s, uint32_t v, double excess)
{
    const uint32_t *ends = s->stage->ends;
    for (uint32_t i = 0; i < s->known->count; i++) {
        const struct sca_finding *c = s->known->items[i];
        if (c->excess * s->stage->m->npresent < SCA_HALF * excess)
            continue;
        for (uint32_t k = 0; k < c->nvertices && !sca_finding_is_interval(c); k++) {
            uint32_t u = c->vertices[k];
            if ((v >= u && v < ends[u]) || (u >= v && u < ends[v]))
                return true;
        }
    }
    return false;
}

static bool always_alike(void *context, uint32_t a, uint32_t b)
{
    (void)context;
    (void)a;
    (void)b;
    return true;
}

static void name_ranks(const struct search *s, const double *on, struct sca_finding *c)
{
    double mean = sca_over_ranks_mean(on, s->times.nranks);
    c->ranks = sca_workspace_alloc(s->stage->space, s->times.nranks, sizeof *c->ranks);
    for (uint32_t r = 0; r < s->times.nranks; r++)
        if (on[r] > SCA_RELEVANT * mean)
            c->ranks[c->nranks++] = r;
}

/* At the same time the path has of it what a rank has. */
static void add(struct search *s, const struct path_excess *of, struct sca_finding *c)
{
    struct sca_workspace *space = s->stage->space;
    c->category = SCA_CAUSE_SERIAL;
    c->excess = weight_of(s, of);
    c->ratio = of->critical / fmax(of->usual, SCA_NO_TIME);
    sca_finding_add_evidence(
        space, c, (struct sca_evidence){SCA_EVIDENCE_ON_PATH, 0, of->critical, of->usual});
    struct sca_evidence handed_out;
    if (sca_served_order_changes(s->scratch, s->stage, c, false, &handed_out))
        sca_finding_add_evidence(space, c, handed_out);
    name_ranks(s, of->on, c);
    c->transform.alike = true;
    c->transform.factor = sca_workspace_alloc(space, s->times.nranks, sizeof *c->transform.factor);
    c->transform.error = sca_measure_usual_spread(s->stage->m);
    for (uint32_t r = 0; r < s->times.nranks; r++)
        c->transform.factor[r] = of->usual / of->critical;
    s->drafts =
        sca_workspace_grow(space, s->drafts, s->ndrafts, s->ndrafts + (size_t)1, sizeof *s->drafts);
    s->drafts[s->ndrafts++] = *c;
}

static struct path_excess at_place(const struct search *s, uint32_t v)
{
    const double *seconds = s->stage->m->inclusive + (size_t)v * s->times.nranks;
    double mean = sca_over_ranks_sum(seconds, s->times.nranks) / s->stage->m->npresent;
    double most = sca_over_ranks_most(seconds, s->times.nranks), usual = s->times.mean[v];
    return (struct path_excess){sca_path_times_of_place(s->scratch, &s->times, v),
                                s->times.critical[v], usual, mean > 0 ? usual * most / mean : 0};
}

/* Of its call paths those that are in turn: on others ranks do it at the same time. */
static void keep_in_turn(const struct search *s, struct sca_finding *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->nvertices; i++) {
        uint32_t v = c->vertices[i];
        if (v == c->vertex || s->times.critical[v] >= (1 + SCA_QUARTER) * s->times.mean[v])
            c->vertices[n++] = v;
    }
    c->nvertices = n;
}

/* What holds MPI calls is no work that could be done at the same time: who is late in it changes.
 */
static void add_place(struct search *s, uint32_t v)
{
    const struct sca_ppg *ppg = s->stage->m->ppg;
    struct path_excess of = at_place(s, v);
    struct sca_finding c = {.vertex = v};
    if (is_known(s, v, weight_of(s, &of)) || is_of_one(s, &of) ||
        sca_named_place_calls_mpi(ppg, s->stage->ends, v))
        return;
    c.nvertices = sca_same_place(s->stage->space, ppg, v, &c.vertices);
    keep_in_turn(s, &c);
    add(s, &of, &c);
}

static void find_places(struct search *s)
{
    const struct sca_ppg *ppg = s->stage->m->ppg;
    const struct sca_path_times *times = &s->times;
    bool *flagged = sca_workspace_alloc(s->scratch, ppg->nvertices, sizeof *flagged);
    double *weight = sca_workspace_alloc(s->scratch, ppg->nvertices, sizeof *weight);
    uint32_t *carriers = sca_workspace_alloc(s->scratch, ppg->nvertices, sizeof *carriers);
    for (uint32_t v = 1; v < ppg->nvertices; v++) {
        struct path_excess of = {.critical = times->critical[v], .usual = times->mean[v]};
        weight[v] = weight_of(s, &of);
        flagged[v] = is_too_much(s, &of);
    }
    uint32_t n = sca_named_place_carriers(s->scratch, ppg, s->stage->ends, flagged, weight,
                                          times->critical, always_alike, NULL, carriers);
    for (uint32_t i = 0; i < n; i++)
        add_place(s, sca_named_place_whole(ppg, s->stage->ends, weight, carriers[i]));
}

static double sum_of(const struct search *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->ndrafts; i++)
        sum += s->drafts[i].excess;
    return sum;
}

uint32_t sca_critical_path_find(struct sca_stage *stage, double least, struct sca_ledger *out,
                                struct sca_finding_list *known)
{
    struct sca_workspace scratch = {.out_of_memory = stage->space->out_of_memory};
    struct search s = {.stage = stage, .scratch = &scratch, .known = known};
    s.least = SCA_HALF * least;
    s.times = sca_path_times_open(&scratch, stage);
    find_places(&s);
    sca_workspace_free(&scratch);
    if (sum_of(&s) < least)
        return 0;
    for (uint32_t i = 0; i < s.ndrafts; i++)
        sca_finding_list_add(stage->space, known, sca_ledger_append(out, &s.drafts[i]));
    return s.ndrafts;
}
