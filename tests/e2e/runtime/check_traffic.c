/*
 * check_traffic RUN LEAST [untold [WINDOWS]]: do the two sides of every message agree on which it
 * is?
 *
 * A message's size is its sender's own. Of what is joined by (communicator, source, destination,
 * tag, number), in the windows and among the kept messages, 100 % must have the same size; LEAST
 * percent of what was sent must be joined in the windows, if those were recorded whole. "untold":
 * some messages rightly have no name, and some windows may be missing. WINDOWS: at least so many
 * windows were kept by all ranks.
 */
#include "sca_error.h"
#include "sca_profile.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct side {
    uint32_t comm;
    int32_t source, destination, tag;
    uint64_t number, bytes;
    int received;
};

struct list {
    struct side *sides;
    size_t count, room;
};

static void add(struct list *list, struct side side)
{
    if (list->count == list->room)
        list->sides = realloc(list->sides, (list->room = 2 * list->room + 64) * sizeof side);
    list->sides[list->count++] = side;
}

static int compare(const void *a, const void *b)
{
    const struct side *x = a, *y = b;
    if (x->comm != y->comm)
        return x->comm < y->comm ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->destination != y->destination)
        return x->destination < y->destination ? -1 : 1;
    if (x->tag != y->tag)
        return x->tag < y->tag ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->received - y->received;
}

static int same(const struct side *a, const struct side *b)
{
    struct side x = *a, y = *b;
    x.received = y.received = 0;
    return !compare(&x, &y);
}

struct result {
    size_t sent, received, joined, wrong, twice;
};

static struct result join(struct list *list)
{
    struct result r = {0};
    qsort(list->sides, list->count, sizeof *list->sides, compare);
    for (size_t i = 0; i < list->count; i++) {
        const struct side *s = &list->sides[i], *next = i + 1 < list->count ? s + 1 : NULL;
        r.sent += !s->received;
        r.received += s->received;
        if (!next || !same(s, next))
            continue;
        r.twice += s->received == next->received;
        r.joined += s->received != next->received;
        r.wrong += s->received != next->received && s->bytes != next->bytes;
    }
    return r;
}

static void take_op(struct list *list, int32_t rank, const struct sca_op *op)
{
    int received = op->kind == SCA_OP_RECV;
    if (received || op->kind == SCA_OP_SEND)
        add(list, (struct side){op->comm, received ? op->peer : rank, received ? rank : op->peer,
                                op->tag, op->number, op->bytes, received});
}

static struct result windows(const struct sca_profile *p)
{
    struct list list = {0};
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t w = 0; w < p->ranks[r].nwindows; w++)
            for (uint32_t i = 0; i < p->ranks[r].windows[w].nops; i++)
                take_op(&list, (int32_t)r, &p->ranks[r].windows[w].ops[i]);
    struct result result = join(&list);
    free(list.sides);
    return result;
}

static struct result messages(const struct sca_profile *p)
{
    struct list list = {0};
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; i < p->ranks[r].nmessages; i++) {
            const struct sca_part_message *m = &p->ranks[r].messages[i];
            int received = m->direction == SCA_RECEIVED;
            if (m->hash)
                add(&list, (struct side){m->comm, received ? m->peer : (int32_t)r,
                                         received ? (int32_t)r : m->peer, m->tag, m->number,
                                         m->bytes, received});
        }
    struct result result = join(&list);
    free(list.sides);
    return result;
}

/* Exact totals: all that was sent, and all that was received. */
static struct result totals(const struct sca_profile *p)
{
    struct result t = {0};
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; i < p->ranks[r].npeers; i++) {
            const struct sca_part_peer *peer = &p->ranks[r].peers[i];
            if (peer->direction == SCA_SENT)
                t.sent += peer->count;
            else
                t.received += peer->count;
        }
    return t;
}

static int bad(const char *what)
{
    fprintf(stderr, "check_traffic: %s\n", what);
    return 1;
}

static int judge(const struct sca_profile *p, double least, int untold)
{
    struct result all = totals(p), w = windows(p), m = messages(p);
    int failed = 0;
    printf("sent %zu, received %zu; in windows %zu and %zu, joined %zu, wrong %zu; kept %zu and "
           "%zu, joined %zu, wrong %zu\n",
           all.sent, all.received, w.sent, w.received, w.joined, w.wrong, m.sent, m.received,
           m.joined, m.wrong);
    if (w.wrong || m.wrong || w.twice || m.twice)
        failed |= bad("messages with the name of another");
    if (all.sent != all.received || !all.sent)
        failed |= bad("not all that was sent was received");
    if (!untold && w.sent != all.sent)
        failed |= bad("sends without a name");
    if ((double)w.joined * 100 < least * (double)w.sent)
        failed |= bad("too few joined in windows");
    if ((double)m.joined * 100 < least * (double)m.sent)
        failed |= bad("too few joined of those kept");
    return failed;
}

static int kept_by_all(const struct sca_profile *p, const struct sca_window *window)
{
    uint32_t found = 0;
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t w = 0; w < p->ranks[r].nwindows; w++)
            found += p->ranks[r].windows[w].iteration == window->iteration &&
                     p->ranks[r].windows[w].iterations == window->iterations;
    return found == p->nranks;
}

static int judge_windows(const struct sca_profile *p, int least)
{
    int common = 0;
    for (uint32_t w = 0; w < p->ranks[0].nwindows; w++)
        common += kept_by_all(p, &p->ranks[0].windows[w]);
    printf("%d windows kept by all ranks\n", common);
    return common < least ? bad("too few windows") : 0;
}

int main(int argc, char **argv)
{
    struct sca_profile *profile;
    if (argc < 3)
        return SCA_EXIT_USAGE;
    if (sca_profile_load(argv[1], &profile) < 0)
        return bad(sca_error_message());
    int failed = judge(profile, atof(argv[2]), argc > 3);
    failed |= judge_windows(profile, argc > 4 ? atoi(argv[4]) : 0);
    failed |= profile->complete ? 0 : bad("the run is not complete");
    sca_profile_free(profile);
    return failed;
}
