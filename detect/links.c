#include "links.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

/* An operation as the other side knows it; sorting brings the two sides together. */
struct side {
    uint64_t number, step;
    uint32_t comm, source, destination;
    int32_t tag;
    uint8_t kind, shape;
};

struct builder {
    struct sca_room *room, *scratch; /* scratch: until the links stand */
    const struct sca_scene *scene;
    struct sca_replay_links *links;
    struct side *messages, *collectives;
    uint64_t nmessages, ncollectives;
};

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_channel(const struct side *x, const struct side *y)
{
    int c = compare(x->comm, y->comm);
    c = c ? c : compare(x->source, y->source);
    c = c ? c : compare(x->destination, y->destination);
    c = c ? c : (x->tag > y->tag) - (x->tag < y->tag);
    return c ? c : compare(x->number, y->number);
}

static int by_message(const void *a, const void *b)
{
    const struct side *x = a, *y = b;
    int c = by_channel(x, y);
    return c ? c : compare(x->step, y->step);
}

static void take_op(struct builder *b, const struct sca_op *op, uint32_t rank, uint64_t step)
{
    bool out = op->kind == SCA_OP_SEND || op->kind == SCA_OP_SEND_DONE;
    struct side side = {.number = op->number, .step = step, .comm = op->comm, .kind = op->kind};
    if (op->kind >= SCA_OP_COLLECTIVE) {
        side.source = (uint32_t)op->peer; /* the root */
        side.shape = op->shape;
        b->collectives[b->ncollectives++] = side;
        return;
    }
    if (op->peer < 0)
        return;
    side.source = out ? rank : (uint32_t)op->peer;
    side.destination = out ? (uint32_t)op->peer : rank;
    side.tag = op->tag;
    b->messages[b->nmessages++] = side;
}

static void take_all(struct builder *b)
{
    const struct sca_scene *scene = b->scene;
    uint64_t nops = 0, step = 0;
    for (uint32_t r = 0; r < scene->nranks; r++)
        nops += scene->tracks[r].nops;
    b->messages = sca_room_alloc(b->scratch, nops, sizeof *b->messages);
    b->collectives = sca_room_alloc(b->scratch, nops, sizeof *b->collectives);
    for (uint32_t r = 0; r < scene->nranks; r++)
        for (uint32_t i = 0; i < scene->tracks[r].nsteps; i++, step++) {
            const struct sca_step *s = &scene->tracks[r].steps[i];
            b->links->rank[step] = r;
            for (uint32_t k = 0; k < s->nops; k++)
                take_op(b, &scene->tracks[r].ops[s->first_op + k], r, step);
        }
}

struct pair {
    uint64_t waiter, on;
    bool on_post;
    uint8_t role;
};

static int by_waiter(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    int c = compare(x->waiter, y->waiter);
    return c ? c : compare(x->on, y->on);
}

/* The sides of one message: pairs (who waits, on whom). */
static uint64_t pair_message(struct builder *b, const struct side *s, uint64_t n, struct pair *out)
{
    uint64_t step[4] = {SCA_NO_STEP, SCA_NO_STEP, SCA_NO_STEP, SCA_NO_STEP}, count = 0;
    for (uint64_t i = 0; i < n; i++)
        if (s[i].kind <= SCA_OP_SEND_DONE)
            step[s[i].kind] = s[i].step;
    if (step[SCA_OP_RECV] != SCA_NO_STEP) {
        if (step[SCA_OP_SEND] == SCA_NO_STEP)
            b->links->unmatched++;
        else if (step[SCA_OP_SEND] != step[SCA_OP_RECV])
            out[count++] = (struct pair){step[SCA_OP_RECV], step[SCA_OP_SEND], false, 0};
    }
    if (step[SCA_OP_SEND_DONE] != SCA_NO_STEP && step[SCA_OP_RECV_POST] != SCA_NO_STEP &&
        step[SCA_OP_SEND_DONE] != step[SCA_OP_RECV_POST])
        out[count++] = (struct pair){step[SCA_OP_SEND_DONE], step[SCA_OP_RECV_POST], true, 0};
    return count;
}

/* Turns pairs into rows: row i is dep[first[i] .. first[i + 1]). */
static void lay_out(struct builder *b, struct pair *pairs, uint64_t n)
{
    struct sca_replay_links *links = b->links;
    uint64_t nsteps = b->scene->nsteps;
    qsort(pairs, n, sizeof *pairs, by_waiter);
    links->first_dep = sca_room_alloc(b->room, nsteps + 1, sizeof *links->first_dep);
    links->dep = sca_room_alloc(b->room, n, sizeof *links->dep);
    links->dep_is_post = sca_room_alloc(b->room, n, sizeof *links->dep_is_post);
    for (uint64_t i = 0, step = 0; step <= nsteps; step++) {
        while (i < n && pairs[i].waiter < step)
            i++;
        links->first_dep[step] = i;
    }
    for (uint64_t i = 0; i < n; i++) {
        links->dep[i] = pairs[i].on;
        links->dep_is_post[i] = pairs[i].on_post;
    }
}

static void link_messages(struct builder *b)
{
    struct pair *pairs = sca_room_alloc(b->scratch, 2 * b->nmessages, sizeof *pairs);
    uint64_t npairs = 0;
    qsort(b->messages, b->nmessages, sizeof *b->messages, by_message);
    for (uint64_t i = 0; i < b->nmessages;) {
        uint64_t n = 1;
        while (i + n < b->nmessages && !by_channel(&b->messages[i], &b->messages[i + n]))
            n++;
        npairs += pair_message(b, &b->messages[i], n, pairs + npairs);
        i += n;
    }
    lay_out(b, pairs, npairs);
}

static int by_instance(const void *a, const void *b)
{
    const struct side *x = a, *y = b;
    int c = compare(x->comm, y->comm);
    c = c ? c : compare(x->number, y->number);
    return c ? c : compare(x->step, y->step);
}

static void add_member(struct sca_replay_links *links, struct sca_group *group,
                       const struct side *s)
{
    links->members[group->first + group->nmembers++] = s->step;
    if (links->rank[s->step] == s->source)
        group->root = s->step;
}

static void add_group(struct builder *b, const struct side *s, uint32_t n, struct pair *pairs)
{
    struct sca_replay_links *links = b->links;
    struct sca_group *group = &links->groups[links->ngroups];
    uint64_t first = (uint64_t)(s - b->collectives);
    *group = (struct sca_group){
        .first = (uint32_t)first, .shape = s[0].shape, .root = SCA_NO_STEP, .last = SCA_NO_STEP};
    for (uint32_t i = 0; i < n; i++) {
        if (s[i].kind != SCA_OP_COLLECTIVE_DONE)
            add_member(links, group, &s[i]);
        pairs[first + i] = (struct pair){s[i].step, links->ngroups, false, s[i].kind};
    }
    links->ngroups++;
}

static void link_collectives(struct builder *b)
{
    struct sca_replay_links *links = b->links;
    uint64_t n = b->ncollectives, nsteps = b->scene->nsteps;
    struct pair *pairs = sca_room_alloc(b->scratch, n, sizeof *pairs);
    qsort(b->collectives, n, sizeof *b->collectives, by_instance);
    links->groups = sca_room_alloc(b->room, n, sizeof *links->groups);
    links->members = sca_room_alloc(b->room, n, sizeof *links->members);
    links->group = sca_room_alloc(b->room, n, sizeof *links->group);
    links->role = sca_room_alloc(b->room, n, sizeof *links->role);
    links->first_group = sca_room_alloc(b->room, nsteps + 1, sizeof *links->first_group);
    for (uint64_t i = 0; i < n;) {
        uint32_t same = 1;
        while (i + same < n && b->collectives[i].comm == b->collectives[i + same].comm &&
               b->collectives[i].number == b->collectives[i + same].number)
            same++;
        add_group(b, &b->collectives[i], same, pairs);
        i += same;
    }
    qsort(pairs, n, sizeof *pairs, by_waiter);
    for (uint64_t i = 0, step = 0; step <= nsteps; step++) {
        while (i < n && pairs[i].waiter < step)
            i++;
        links->first_group[step] = i;
    }
    for (uint64_t i = 0; i < n; i++) {
        links->group[i] = (uint32_t)pairs[i].on;
        links->role[i] = pairs[i].role;
    }
}

struct sca_replay_links *sca_links_build(struct sca_room *room, const struct sca_scene *scene)
{
    struct sca_room scratch = {.out_of_memory = room->out_of_memory};
    struct builder b = {.room = room, .scratch = &scratch, .scene = scene};
    b.links = sca_room_alloc(room, 1, sizeof *b.links);
    b.links->rank = sca_room_alloc(room, scene->nsteps, sizeof *b.links->rank);
    take_all(&b);
    link_messages(&b);
    link_collectives(&b);
    sca_room_free(&scratch);
    return b.links;
}
