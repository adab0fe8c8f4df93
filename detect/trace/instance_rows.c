#include "trace/instance_rows.h"
#include "base/degrees.h"

struct counted_pair { /* a pair as it is counted */
    struct sca_row_pair pair;
    uint32_t rank, seen;       /* instances of the rank at hand */
    struct counted_pair *next; /* after the same call */
};

struct row_listing {
    struct sca_workspace *space;
    uint32_t npairs;
    struct counted_pair **after; /* per site */
    struct counted_pair **of;    /* by event; NULL: behind no call of the run */
    uint32_t *number;            /* by event: among those of its rank in the pair */
};

static struct counted_pair *pair_of(struct row_listing *l, const struct sca_trace_event *s)
{
    struct counted_pair **after = &l->after[s->previous], *found = *after;
    while (found && found->pair.site != s->site)
        found = found->next;
    if (found)
        return found;
    found = sca_workspace_alloc(l->space, 1, sizeof *found);
    found->pair = (struct sca_row_pair){.previous = s->previous, .site = s->site};
    found->rank = SCA_NONE;
    found->next = *after;
    l->npairs++;
    return *after = found;
}

static void list_rank(struct row_listing *l, const struct sca_trace *trace, uint32_t rank,
                      uint32_t nsites)
{
    for (uint32_t i = 0; i < trace->sequences[rank].nevents; i++) {
        struct sca_trace_event s = sca_trace_event_of(&trace->sequences[rank], i);
        if (s.previous >= nsites)
            continue;
        struct counted_pair *of = pair_of(l, &s);
        of->seen = of->rank == rank ? of->seen : 0;
        of->rank = rank;
        l->of[trace->first[rank] + i] = of;
        l->number[trace->first[rank] + i] = of->seen++;
        of->pair.most = of->seen > of->pair.most ? of->seen : of->pair.most;
        of->pair.all++;
    }
}

static bool is_near(uint32_t seen, uint32_t most)
{
    return seen >= SCA_NEARLY_ALL * most || (most >= SCA_SEVERAL && seen + 1 == most);
}

/* When all ranks are listed. */
static void count_near(const struct row_listing *l, const struct sca_trace *trace, uint32_t rank)
{
    uint32_t end = trace->first[rank] + trace->sequences[rank].nevents;
    for (uint32_t e = trace->first[rank]; e < end; e++)
        if (l->of[e])
            l->of[e]->seen = l->number[e] + 1;
    for (uint32_t e = trace->first[rank]; e < end; e++)
        if (l->of[e])
            l->of[e]->pair.near += is_near(l->of[e]->seen, l->of[e]->pair.most);
}

static void number_rows(const struct row_listing *l, uint32_t nsites, struct sca_instance_rows *out)
{
    for (uint32_t s = 0; s < nsites; s++)
        for (struct counted_pair *of = l->after[s]; of; of = of->next) {
            of->pair.first = out->n;
            out->n += of->pair.most;
            out->pairs[out->npairs++] = of->pair;
        }
}

struct sca_instance_rows sca_instance_rows_find(struct sca_workspace *space,
                                                const struct sca_trace *trace, uint32_t nsites)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct sca_instance_rows out = {0};
    struct row_listing l = {.space = &scratch};
    l.after = sca_workspace_alloc(&scratch, nsites, sizeof *l.after);
    l.of = sca_workspace_alloc(&scratch, trace->nevents, sizeof *l.of);
    l.number = sca_workspace_alloc(&scratch, trace->nevents, sizeof *l.number);
    for (uint32_t r = 0; r < trace->nranks; r++)
        list_rank(&l, trace, r, nsites);
    for (uint32_t r = 0; r < trace->nranks; r++)
        count_near(&l, trace, r);
    out.pairs = sca_workspace_alloc(space, l.npairs, sizeof *out.pairs);
    number_rows(&l, nsites, &out);
    out.row = sca_workspace_alloc(space, trace->nevents, sizeof *out.row);
    out.pair = sca_workspace_alloc(space, out.n, sizeof *out.pair);
    for (uint32_t e = 0; e < trace->nevents; e++)
        out.row[e] = l.of[e] ? l.of[e]->pair.first + l.number[e] : SCA_NONE;
    for (uint32_t p = 0; p < out.npairs; p++)
        for (uint32_t k = 0; k < out.pairs[p].most; k++)
            out.pair[out.pairs[p].first + k] = p;
    sca_workspace_free(&scratch);
    return out;
}

bool sca_instance_rows_correspond(const struct sca_row_pair *pair)
{
    return pair->near >= SCA_MOST * pair->all;
}
