#include "replay/links.h"
#include "replay/lockings.h"
#include "replay/message_pairs.h"
#include "replay/word_pairs.h"

#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct instance { /* a collective that some have been seen to take part in */
    struct {
        uint32_t number, comm;
    } key;
    uint32_t group, nmembers;
    uint8_t shape;
    UT_hash_handle hh;
};

struct builder {
    struct sca_workspace *space, *scratch; /* scratch: until the links stand */
    const struct sca_trace *trace;
    struct sca_replay_links *links;
    struct sca_message_pairs messages, words;
    struct instance *instances, *last; /* last: the one found before */
    uint32_t *filled;                  /* per event: inputs placed */
};

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static bool is_collective(const struct sca_replay_trace_op *op)
{
    return sca_input_is_collective(op->kind);
}

typedef void visit(struct builder *b, uint32_t rank, uint32_t op);

/* By rank, by event: places rise. */
static void for_all_ops(struct builder *b, visit *visit)
{
    for (uint32_t r = 0; r < b->trace->nranks; r++)
        for (uint32_t k = 0; k < b->trace->sequences[r].nops; k++)
            visit(b, r, k);
}

static uint32_t event_of(const struct builder *b, uint32_t rank, uint32_t op)
{
    return b->trace->first[rank] + b->trace->sequences[rank].ops[op].event;
}

static void sum_up(uint32_t *first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        first[i + 1] += first[i];
}

/* ---- rows of inputs ---- */

/* Puts an input into its event's row, which stays in order: messages first. */
static void insert(struct builder *b, uint32_t event, uint32_t input, uint8_t kind)
{
    struct sca_replay_links *l = b->links;
    uint32_t row = l->first_input[event], end = row + b->filled[event]++;
    for (; end > row && l->input[end - 1] > input &&
           sca_input_is_collective(l->kind[end - 1]) == sca_input_is_collective(kind);
         end--) {
        l->input[end] = l->input[end - 1];
        l->kind[end] = l->kind[end - 1];
    }
    l->input[end] = input;
    l->kind[end] = kind;
}

static void insert_pairs(struct builder *b, const struct sca_message_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->count; i++)
        insert(b, pairs->items[i].waiter, pairs->items[i].on, pairs->items[i].kind);
}

/* Row i is input[first_input[i] .. first_input[i + 1]). */
static void lay_rows_out(struct builder *b)
{
    struct sca_replay_links *links = b->links;
    uint32_t n = b->trace->nevents;
    sum_up(links->first_input, n);
    links->input = sca_workspace_alloc(b->space, links->first_input[n], sizeof *links->input);
    links->kind = sca_workspace_alloc(b->space, links->first_input[n], sizeof *links->kind);
    b->filled = sca_workspace_alloc(b->scratch, n, sizeof *b->filled);
    insert_pairs(b, &b->messages);
    insert_pairs(b, &b->words);
    for (uint32_t i = 0; links->locks && i < links->locks->n; i++)
        if (sca_locking_takes(&links->locks->of[i]))
            insert(b, links->locks->of[i].event, SCA_NO_EVENT, SCA_OP_LOCK);
}

/* ---- collectives ---- */

static bool is_of(const struct instance *i, const struct sca_replay_trace_op *op)
{
    return i && i->key.number == op->number && i->key.comm == op->comm;
}

/* NULL if there is none. All ranks come to their collectives in much the same order. */
static struct instance *find_instance(struct builder *b, const struct sca_replay_trace_op *op)
{
    struct instance *found = b->last ? b->last->hh.next : b->instances;
    if (!is_of(found, op)) {
        struct instance wanted = {.key = {op->number, op->comm}};
        HASH_FIND(hh, b->instances, &wanted.key, sizeof wanted.key, found);
    }
    return b->last = found;
}

static struct instance *add_instance(struct builder *b, const struct sca_replay_trace_op *op)
{
    struct instance *fresh = sca_workspace_alloc(b->scratch, 1, sizeof *fresh);
    fresh->key.number = op->number;
    fresh->key.comm = op->comm;
    fresh->shape = op->shape;
    HASH_ADD(hh, b->instances, key, sizeof fresh->key, fresh);
    if (!fresh->hh.tbl)
        longjmp(*b->space->out_of_memory, 1);
    return b->last = fresh;
}

static void note_member(struct builder *b, uint32_t rank, uint32_t op)
{
    const struct sca_replay_trace_op *o = &b->trace->sequences[rank].ops[op];
    if (!is_collective(o))
        return;
    struct instance *instance = find_instance(b, o);
    if (!instance)
        instance = add_instance(b, o);
    instance->nmembers += o->kind != SCA_OP_COLLECTIVE_DONE;
    b->links->first_input[event_of(b, rank, op) + 1]++;
}

static int by_key(const struct instance *x, const struct instance *y)
{
    int c = compare(x->key.comm, y->key.comm);
    return c ? c : compare(x->key.number, y->key.number);
}

static void lay_groups_out(struct builder *b)
{
    struct sca_replay_links *links = b->links;
    uint64_t first = 0;
    HASH_SORT(b->instances, by_key);
    links->groups = sca_workspace_alloc(b->space, HASH_COUNT(b->instances), sizeof *links->groups);
    for (struct instance *i = b->instances; i; i = i->hh.next) {
        i->group = links->ngroups++;
        links->groups[i->group] = (struct sca_group){.first = (uint32_t)first,
                                                     .shape = i->shape,
                                                     .root = SCA_NO_EVENT,
                                                     .last = SCA_NO_EVENT};
        first += i->nmembers;
    }
    links->members = sca_workspace_alloc(b->space, first, sizeof *links->members);
}

static void add_member(struct builder *b, uint32_t rank, uint32_t op)
{
    const struct sca_replay_trace_op *o = &b->trace->sequences[rank].ops[op];
    if (!is_collective(o))
        return;
    uint32_t index = find_instance(b, o)->group, event = event_of(b, rank, op);
    struct sca_group *group = &b->links->groups[index];
    insert(b, event, index, (uint8_t)o->kind);
    if (o->kind == SCA_OP_COLLECTIVE_DONE)
        return;
    b->links->members[group->first + group->nmembers++] = event;
    if (o->peer == (int64_t)rank)
        group->root = event;
}

static void add_members(struct builder *b)
{
    lay_groups_out(b);
    b->last = NULL;
    for_all_ops(b, add_member);
    HASH_CLEAR(hh, b->instances);
}

/* ---- all ---- */

static void check_size(const struct builder *b)
{
    uint64_t nops = 0;
    for (uint32_t r = 0; r < b->trace->nranks; r++)
        nops += b->trace->sequences[r].nops;
    if (nops >= UINT32_MAX)
        longjmp(*b->space->out_of_memory, 1);
}

static void count_pairs(struct builder *b, const struct sca_message_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->count; i++)
        b->links->first_input[pairs->items[i].waiter + 1]++;
}

static void link_messages(struct builder *b)
{
    sca_message_pairs_find(b->scratch, b->trace, &b->messages);
    sca_word_pairs_find(b->scratch, b->trace, &b->words);
    count_pairs(b, &b->messages);
    count_pairs(b, &b->words);
}

static void link_locks(struct builder *b)
{
    struct sca_lockings *locks = b->links->locks = sca_lockings_find(b->space, b->trace);
    for (uint32_t i = 0; locks && i < locks->n; i++)
        b->links->first_input[locks->of[i].event + 1] += sca_locking_takes(&locks->of[i]);
}

static void note_ranks(struct builder *b)
{
    const struct sca_trace *trace = b->trace;
    uint32_t *rank_of = sca_workspace_alloc(b->space, trace->nlocations, sizeof *rank_of);
    for (uint32_t l = 0, r = 0; l < trace->nlocations; l++) {
        while (r + 1 < trace->nranks && trace->first[r + 1] <= trace->location[l])
            r++;
        rank_of[l] = r;
    }
    b->links->rank_of = rank_of;
}

/* So that the location of an event is found with a look or two. */
static void note_locations(struct builder *b)
{
    const struct sca_trace *trace = b->trace;
    uint32_t n = trace->nevents / SCA_PLACES_APART + 1, l = 0;
    b->links->near = sca_workspace_alloc(b->space, n, sizeof *b->links->near);
    for (uint32_t i = 0; i < n; i++) {
        while (l + 1 < trace->nlocations && trace->location[l + 1] <= i * SCA_PLACES_APART)
            l++;
        b->links->near[i] = l;
    }
    if (trace->nlocations > trace->nranks)
        note_ranks(b);
}

struct sca_replay_links *sca_links_build(struct sca_workspace *space, const struct sca_trace *trace)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct builder b = {.space = space, .scratch = &scratch, .trace = trace};
    b.links = sca_workspace_alloc(space, 1, sizeof *b.links);
    b.links->trace = trace;
    b.links->first_input =
        sca_workspace_alloc(space, (size_t)trace->nevents + 1, sizeof *b.links->first_input);
    note_locations(&b);
    check_size(&b);
    link_messages(&b);
    link_locks(&b);
    for_all_ops(&b, note_member);
    lay_rows_out(&b);
    add_members(&b);
    sca_workspace_free(&scratch);
    return b.links;
}
