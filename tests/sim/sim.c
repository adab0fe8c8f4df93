#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct pair { /* of ranks: when each message was sent, and how many were received */
    uint64_t key;
    double *sent;
    uint32_t nsent, space, nposted;
    UT_hash_handle hh;
};

struct meeting { /* a collective */
    uint32_t arrived;
    double latest, root;
    bool root_came;
};

struct engine {
    struct sim *s;
    struct pair *pairs;
    struct meeting *meetings;
    uint32_t *at; /* per rank: its next call */
};

void *sim_memory(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

double sim_chance(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u ^ a * 0xbf58476d1ce4e5b9u ^ b * 0x94d049bb133111ebu;
    for (int i = 0; i < 3; i++) {
        x ^= x >> 31;
        x *= 0xd6e8feb86659fd93u;
    }
    return (double)(x >> 11) / 9007199254740992.0;
}

/* Of twelve chances the sum is nearly normal. */
static double normal(struct sim *s)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += sim_chance(s->options.seed + 1, s->rank, s->drawn++);
    return sum;
}

static double core_factor(const struct sim *s)
{
    uint32_t cores = s->options.cores ? s->options.cores : s->ranks;
    return s->rank % cores % 2 ? 1 + s->options.slow_core : 1;
}

uint32_t sim_place_of(const struct sim_variant *as, uint32_t place)
{
    return as->split ? 2 * place : place;
}

uint32_t sim_rank_of(const struct sim_variant *as, uint32_t rank, uint32_t ranks)
{
    return as->multiply ? (uint32_t)(((uint64_t)rank * as->multiply + as->add) % ranks) : rank;
}

static double stretched(const struct sim *s, double seconds)
{
    const struct sim_variant *as = &s->options.as;
    if (as->bound && as->by_clock && s->rank - as->bound < 2)
        seconds *= 2;
    return as->stretch > 0 ? seconds * as->stretch : seconds;
}

void sim_stall(struct sim *s, double seconds)
{
    s->interval += stretched(s, seconds);
}

/* The other rank or the root, as it is numbered. */
static uint32_t numbered(const struct sim *s, uint32_t rank)
{
    return sim_rank_of(&s->options.as, rank, s->ranks);
}

static struct sim_call *add_call(struct sim *s, uint32_t place, enum sim_kind kind, uint32_t peer)
{
    struct sim_sequence *sequence = &s->sequences[numbered(s, s->rank)];
    if (sequence->ncalls == sequence->space) {
        sequence->space = sequence->space ? 2 * sequence->space : 256;
        sequence->calls = realloc(sequence->calls, sequence->space * sizeof *sequence->calls);
        if (!sequence->calls)
            abort();
    }
    struct sim_call *call = &sequence->calls[sequence->ncalls++];
    *call = (struct sim_call){.place = place,
                              .step = s->step,
                              .peer = (int32_t)peer,
                              .kind = (uint8_t)kind,
                              .interval = s->interval};
    memcpy(call->loops, s->loops, sizeof call->loops);
    memset(s->loops, 0, sizeof s->loops);
    s->interval = 0;
    return call;
}

static void work(struct sim *s, uint32_t place, double seconds)
{
    s->interval += seconds;
    s->loops[place] += seconds;
}

void sim_compute(struct sim *s, uint32_t place, double seconds)
{
    const struct sim_variant *as = &s->options.as;
    double half =
        stretched(s, seconds) / 2 * core_factor(s) * fmax(0.1, 1 + s->options.noise * normal(s));
    uint32_t at = sim_place_of(as, place);
    work(s, at, half);
    work(s, at + as->split, half);
}

void sim_send(struct sim *s, uint32_t place, uint32_t to)
{
    add_call(s, sim_place_of(&s->options.as, place), SIM_SEND, numbered(s, to));
}

void sim_receive(struct sim *s, uint32_t place, uint32_t from)
{
    add_call(s, sim_place_of(&s->options.as, place), SIM_RECEIVE, numbered(s, from));
}

void sim_collective(struct sim *s, uint32_t place, enum sim_shape shape, uint32_t root)
{
    add_call(s, sim_place_of(&s->options.as, place), SIM_COLLECTIVE, numbered(s, root))->shape =
        (uint8_t)shape;
}

static struct pair *pair_of(struct engine *e, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    struct pair *p;
    HASH_FIND(hh, e->pairs, &key, sizeof key, p);
    if (!p) {
        p = sim_memory(1, sizeof *p);
        p->key = key;
        HASH_ADD(hh, e->pairs, key, sizeof key, p);
    }
    return p;
}

static bool send(struct engine *e, uint32_t rank, struct sim_call *call)
{
    struct pair *p = pair_of(e, rank, (uint32_t)call->peer);
    if (p->nsent == p->space) {
        p->space = p->space ? 2 * p->space : 64;
        p->sent = realloc(p->sent, p->space * sizeof *p->sent);
        if (!p->sent)
            abort();
    }
    call->number = p->nsent;
    call->exit = p->sent[p->nsent++] = call->enter;
    return true;
}

static bool receive(struct engine *e, uint32_t rank, struct sim_call *call)
{
    struct pair *p = pair_of(e, (uint32_t)call->peer, rank);
    if (p->nposted == p->nsent)
        return false;
    call->number = p->nposted;
    call->exit = fmax(call->enter, p->sent[p->nposted++]);
    return true;
}

/* Its number is set when the rank has come; it leaves when those have whom it waits for. */
static bool meet(struct engine *e, uint32_t rank, struct sim_call *call, bool came)
{
    struct meeting *m = &e->meetings[call->number];
    bool is_root = rank == (uint32_t)call->peer;
    if (came) {
        m->arrived++;
        m->latest = fmax(m->latest, call->enter);
        m->root = is_root ? call->enter : m->root;
        m->root_came |= is_root;
    }
    bool waits_for_all = call->shape == SIM_ALL || (call->shape == SIM_TO_ROOT && is_root);
    bool waits_for_root = call->shape == SIM_FROM_ROOT && !is_root;
    if ((waits_for_all && m->arrived < e->s->ranks) || (waits_for_root && !m->root_came))
        return false;
    call->exit = fmax(call->enter, waits_for_all ? m->latest : waits_for_root ? m->root : 0);
    return true;
}

static bool play_call(struct engine *e, uint32_t rank, struct sim_call *call)
{
    bool came = call->enter < 0;
    const struct sim_call *before = call - 1;
    if (came)
        call->enter = (call > e->s->sequences[rank].calls ? before->exit : 0) + call->interval;
    if (call->kind == SIM_COLLECTIVE)
        return meet(e, rank, call, came);
    return call->kind == SIM_SEND ? send(e, rank, call) : receive(e, rank, call);
}

/* As far as the rank comes. */
static bool play_rank(struct engine *e, uint32_t rank)
{
    struct sim_sequence *sequence = &e->s->sequences[rank];
    uint32_t start = e->at[rank];
    while (e->at[rank] < sequence->ncalls && play_call(e, rank, &sequence->calls[e->at[rank]]))
        e->at[rank]++;
    return e->at[rank] > start;
}

static void play(struct engine *e)
{
    bool moved = true;
    while (moved) {
        moved = false;
        for (uint32_t rank = 0; rank < e->s->ranks; rank++)
            moved |= play_rank(e, rank);
    }
    for (uint32_t rank = 0; rank < e->s->ranks; rank++)
        if (e->at[rank] < e->s->sequences[rank].ncalls)
            abort(); /* the program waits for itself */
}

static void write_script(struct sim *s)
{
    for (s->rank = 0; s->rank < s->ranks; s->rank++) {
        uint64_t collectives = 0;
        s->drawn = 0;
        s->interval = 0;
        memset(s->loops, 0, sizeof s->loops);
        for (s->step = 0; s->step < s->program->steps; s->step++)
            s->program->step(s);
        struct sim_sequence *sequence = &s->sequences[numbered(s, s->rank)];
        for (uint32_t i = 0; i < sequence->ncalls; i++) {
            sequence->calls[i].enter = -1;
            if (sequence->calls[i].kind == SIM_COLLECTIVE)
                sequence->calls[i].number = collectives++;
        }
    }
}

struct sim *sim_run(const struct sim_program *program, struct sim_options options)
{
    struct sim *s = sim_memory(1, sizeof *s);
    *s = (struct sim){
        .program = program, .options = options, .ranks = options.ranks, .defect = options.defect};
    s->sequences = sim_memory(s->ranks, sizeof *s->sequences);
    write_script(s);
    struct engine e = {.s = s, .at = sim_memory(s->ranks, sizeof *e.at)};
    e.meetings = sim_memory(s->sequences[0].ncalls, sizeof *e.meetings);
    play(&e);
    struct pair *p, *next;
    HASH_ITER(hh, e.pairs, p, next)
    {
        HASH_DEL(e.pairs, p);
        free(p->sent);
        free(p);
    }
    free(e.meetings);
    free(e.at);
    return s;
}

void sim_free(struct sim *s)
{
    for (uint32_t rank = 0; rank < s->ranks; rank++)
        free(s->sequences[rank].calls);
    free(s->sequences);
    free(s);
}

double sim_seconds(const struct sim *s)
{
    double latest = 0;
    for (uint32_t rank = 0; rank < s->ranks; rank++)
        if (s->sequences[rank].ncalls)
            latest = fmax(latest, s->sequences[rank].calls[s->sequences[rank].ncalls - 1].exit);
    return latest;
}
