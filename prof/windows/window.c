#include "windows/window.h"
#include "arena/arena.h"
#include "clock/clock.h"
#include "profile/event_io.h"
#include "base/guard.h"
#include "base/hash.h"
#include "base/hot.h"
#include "mpi_functions.h"
#include "base/reserve.h"
#include "base/settings.h"
#include "windows/long_iterations.h"
#include "windows/window_marks.h"
#include "windows/window_retained.h"
#include "windows/window_space.h"
#include "windows/window_store.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    ITERATIONS = 4,
    FEW_ITERATIONS = 2, /* with so many ranks that a window must be small: */
    MANY_RANKS = 64,
    SITES = 16 << 10,
    MOST_RARE = 3, /* what windows cost is then nothing beside the calls themselves */
    RECORD = 3     /* bytes of an event or operation, encoded: of large windows of messages */
};

/* The most that one window holds. A whole run may be one, without iterations. */
struct limits {
    uint32_t events, ops, encoded;
};
static const struct limits usual = {32 << 10, 48 << 10, 1 << 20},
                           full = {4 << 20, 8 << 20, 256 << 20};

/* Everything a window needs while it is open; one mapping, touched as far as it is used. */
struct room {
    struct limits most;
    size_t bytes;
    struct sca_op *ops; /* at its start; NULL: nothing is recorded */
    struct sca_event *events;
    struct sca_event_time *times; /* NULL: not wanted */
    uint32_t *last;
    uint8_t *encoded;
};

static struct {
    const struct sca_thread *owner;
    uint32_t nevents, nops, first_op; /* first_op: of the call not yet left */
    uint64_t base;                    /* id of ops[0] */
    uint64_t interval_ns;             /* of calls that are no events */
    uint64_t kind;                    /* of the window: its calls, but for looks in vain */
    bool spoilt, left_out;
    struct room room;
    unsigned rareness;  /* one in 2^rareness is recorded */
    uint64_t passed;    /* iterations, in windows that are closed */
    uint64_t at, begin; /* iteration that runs, and the window's first (window_store.h) */
    uint32_t iterations, most_iterations; /* most: a power of two */
    struct sca_window_mark from;          /* where it begins in the room: behind what is retained */
    bool beside;                          /* a long iteration ends in it */
    uint32_t with_room;                   /* so many events and operations fit, */
    uint64_t begin_ns;
} open SCA_HOT_TABLE;

static void make_room(bool timed, struct room *room)
{
    const struct limits *most = timed ? &full : &usual;
    size_t times = timed ? most->events * sizeof(struct sca_event_time) : 0;
    size_t ops = most->ops * sizeof(struct sca_op),
           events = most->events * sizeof(struct sca_event);
    size_t bytes = ops + events + times + SITES * sizeof(uint32_t) + most->encoded;
    void *memory = sca_reserve(bytes);
    if (!memory)
        return;
    room->most = *most;
    room->bytes = bytes;
    room->ops = memory;
    room->events = (struct sca_event *)(room->ops + most->ops);
    struct sca_event_time *after = (struct sca_event_time *)(room->events + most->events);
    room->times = timed ? after : NULL;
    room->last = (uint32_t *)(after + (timed ? most->events : 0));
    room->encoded = (uint8_t *)(room->last + SITES);
}

/* Into the profile; and into a window, with the iterations that come before it is cut. */
static uint32_t most_with_room(uint32_t ranks)
{
    uint32_t in_profile = (uint32_t)(sca_window_space_of(ranks) / ranks / RECORD);
    uint32_t in_window = usual.events - usual.events / 8;
    return in_profile < in_window ? in_profile : in_window;
}

void sca_window_begin(void)
{
    const struct sca_part_header *header = sca_arena_header();
    if (header->size == 1 && !sca_settings.full)
        return; /* nobody to wait for */
    make_room(sca_settings.full, &open.room);
    if (!open.room.ops)
        return;
    open.owner = &sca_thread;
    open.begin_ns = open.from.ns = header->init_ns;
    open.most_iterations = header->size > MANY_RANKS ? FEW_ITERATIONS : ITERATIONS;
    open.with_room = most_with_room(header->size);
    sca_window_store_begin();
    sca_window_retain_none();
}

static void forget_retained(void);

bool sca_window_is_own(void)
{
    return open.owner == &sca_thread;
}

uint64_t sca_window_op(const struct sca_op *op)
{
    if (!open.room.ops || open.spoilt || sca_paused)
        return SCA_NO_OP;
    if (open.nops == open.room.most.ops)
        forget_retained();
    if (open.owner != &sca_thread || open.nops == open.room.most.ops) {
        open.spoilt = true;
        return SCA_NO_OP;
    }
    open.room.ops[open.nops] = *op;
    return open.base + open.nops++;
}

void sca_window_number(uint64_t id, int32_t peer, int32_t tag, uint64_t number)
{
    if (id == SCA_NO_OP || id < open.base + open.from.ops || id - open.base >= open.nops)
        return;
    struct sca_op *op = &open.room.ops[id - open.base];
    op->peer = peer;
    op->tag = tag;
    op->number = number;
}

void sca_window_rarer(void)
{
    bool enough = open.passed >= (uint64_t)2 * SCA_MOST_CHOSEN * open.most_iterations;
    if (enough && open.rareness < MOST_RARE)
        open.rareness++;
}

unsigned sca_window_rareness(void)
{
    return 1u << open.rareness;
}

void sca_window_spoil(void)
{
    open.spoilt = true;
}

void sca_window_doubt(uint64_t since_ns)
{
    if (!open.room.ops)
        return;
    open.spoilt = true;
    sca_window_retain_none();
    sca_window_store_drop_since(since_ns - sca_arena_header()->init_ns);
}

/* Local calls are part of the computation, looks while the program waits (idle.h) of the wait. */
static bool folded(const struct sca_call *call)
{
    bool local = sca_function_is_local(call->function);
    if (local && !call->in_vain && !sca_clock_is_crowded())
        open.interval_ns += call->exit_ns - call->enter_ns;
    return local || (call->in_vain && call->idle_ns);
}

/* A wait that the program makes of looks is one event, from the first that found nothing on; but
 * for one that is in the piece before. */
static bool ends_wait(const struct sca_call *call)
{
    uint32_t marked = sca_window_marks_events();
    uint32_t before = marked > open.from.events ? marked : open.from.events;
    const struct sca_event *last =
        open.nevents > before ? &open.room.events[open.nevents - 1] : NULL;
    return call->idle_ns && !open.interval_ns && last && last->site == call->site && !last->nops;
}

static void add_event(const struct sca_call *call)
{
    bool anew = !ends_wait(call);
    uint32_t at = anew ? open.nevents++ : open.nevents - 1;
    uint64_t start = sca_arena_header()->init_ns;
    struct sca_event *event = &open.room.events[at];
    if (anew)
        *event = (struct sca_event){.site = call->site, .gap_ns = open.interval_ns};
    event->first_op = open.first_op;
    event->nops = open.nops - open.first_op;
    if (!call->in_vain)
        open.kind += sca_hash_mix(0, call->site);
    if (!open.room.times)
        return;
    if (anew)
        open.room.times[at].enter_ns = call->enter_ns - start;
    open.room.times[at].exit_ns = call->exit_ns - start;
}

void sca_window_call(const struct sca_call *call, uint64_t interval_ns)
{
    if (!open.room.ops || open.owner != &sca_thread || call->site == SCA_NONE || open.left_out)
        return;
    open.interval_ns += interval_ns;
    if (folded(call))
        return;
    if (open.nevents == open.room.most.events)
        forget_retained();
    if (open.nevents == open.room.most.events || call->site >= SITES)
        open.spoilt = true;
    if (!open.spoilt)
        add_event(call);
    open.first_op = open.nops;
    open.interval_ns = 0;
}

/* Operations that never got a number go. Those of an event count from the piece's first. */
static void drop_unnamed(const struct sca_window_piece *piece)
{
    struct sca_op *ops = open.room.ops + piece->begin.ops;
    uint32_t kept = 0;
    for (uint32_t e = piece->begin.events; e < piece->end.events; e++) {
        struct sca_event *event = &open.room.events[e];
        uint32_t first = kept, from = event->first_op - piece->begin.ops;
        for (uint32_t i = 0; i < event->nops; i++)
            if (ops[from + i].number != SCA_UNNAMED)
                ops[kept++] = ops[from + i];
        event->first_op = first;
        event->nops = kept - first;
    }
}

static struct sca_window_facts facts_of(const struct sca_window_piece *piece)
{
    struct sca_window_facts facts = {.kind = piece->end.kind - piece->begin.kind,
                                     .end = piece->end.at};
    for (uint32_t e = piece->begin.events; e < piece->end.events; e++)
        facts.own_ns += open.room.events[e].gap_ns;
    return facts;
}

/* Bytes in room.encoded; 0: they do not fit. `named`: operations without a number have gone. */
static uint32_t encode(struct sca_window_piece *piece, struct sca_part_window *window)
{
    struct sca_writer w;
    struct room *room = &open.room;
    uint32_t first = piece->begin.events, count = piece->end.events - first;
    uint32_t rank = sca_arena_header()->rank;
    if (!piece->named)
        drop_unnamed(piece);
    piece->named = true;
    sca_wire_writer_init(&w, room->encoded, room->most.encoded);
    const struct sca_events all = {room->events + first,
                                   room->times ? room->times + first : NULL,
                                   room->ops + piece->begin.ops,
                                   count,
                                   window->begin_ns,
                                   room->times ? 0 : (int32_t)rank};
    sca_event_io_encode(&w, &all, room->last, window->iteration * 1000003u + rank);
    window->nevents = count;
    window->kept = room->times ? SCA_KEPT_TIMED : SCA_KEPT_NEAR;
    return w.failed ? 0 : (uint32_t)w.length;
}

static uint32_t class_of(uint64_t duration_ns)
{
    return duration_ns ? 63 - (uint32_t)__builtin_clzll(duration_ns) : 0;
}

/* What was recorded last ends there. */
static struct sca_window_mark here(uint64_t at, uint32_t iterations, uint64_t ns)
{
    return (struct sca_window_mark){open.nevents, open.nops, iterations, open.kind, at, ns};
}

/* Behind what the room holds, if that is retained. */
static void start_window(uint64_t begin_ns)
{
    open.begin_ns = begin_ns;
    open.begin = open.at;
    open.iterations = 0;
    if (!sca_window_retained_count()) {
        open.base += open.nops;
        open.nevents = open.nops = 0;
    }
    open.first_op = open.nops;
    open.from = here(open.begin, 0, begin_ns);
    sca_window_marks_clear();
    open.left_out = sca_window_store_hash(open.at) > UINT64_MAX >> open.rareness;
    open.spoilt = open.left_out;
    if (open.left_out)
        open.interval_ns = 0;
}

static struct sca_part_window window_of(const struct sca_window_piece *piece)
{
    uint64_t start = sca_arena_header()->init_ns;
    return (struct sca_part_window){.iteration = piece->begin.at,
                                    .iterations = piece->end.iterations - piece->begin.iterations,
                                    .duration_class = class_of(piece->end.ns - piece->begin.ns),
                                    .begin_ns = piece->begin.ns - start,
                                    .end_ns = piece->end.ns - start};
}

static void keep_beside(struct sca_window_piece *piece)
{
    struct sca_part_window window = window_of(piece);
    if (piece->spoilt || sca_window_store_has(window.iteration))
        return;
    uint32_t size = encode(piece, &window);
    if (size)
        sca_window_store_keep_beside(&window, open.room.encoded, size, facts_of(piece));
}

static void close_piece(struct sca_window_piece piece)
{
    struct sca_part_window window = window_of(&piece);
    bool wanted = sca_window_store_wants(window.iteration, window.duration_class);
    piece.spoilt = open.spoilt;
    uint32_t size = wanted && !open.spoilt ? encode(&piece, &window) : 0;
    if (size)
        sca_window_store_keep(&window, open.room.encoded, size, facts_of(&piece));
    if (open.beside)
        keep_beside(&piece);
    open.beside = false;
    sca_window_retain(&piece);
}

static void go_on(const struct sca_window_mark *end)
{
    open.at = end->at;
    open.passed += end->iterations;
    start_window(end->ns);
}

static SCA_COLD void close_window(uint64_t end_ns)
{
    struct sca_window_mark end = here(open.at, open.iterations, end_ns);
    close_piece((struct sca_window_piece){.begin = open.from, .end = end});
    go_on(&end);
}

/* There is one where the window ends. */
static SCA_COLD void cut_at_marks(void)
{
    struct sca_window_piece piece = {.end = open.from};
    for (uint32_t i = 0; i < sca_window_marks_count(); i++) {
        piece = (struct sca_window_piece){.begin = piece.end, .end = *sca_window_marks_get(i)};
        close_piece(piece);
    }
    go_on(&piece.end);
}

/* ---- long iterations ---- */

/* What lies before the open window leaves the room. */
static void forget_retained(void)
{
    uint32_t events = open.from.events, ops = open.from.ops;
    sca_window_retain_none();
    if (!events && !ops)
        return;
    memmove(open.room.events, open.room.events + events,
            (open.nevents - events) * sizeof *open.room.events);
    memmove(open.room.ops, open.room.ops + ops, (open.nops - ops) * sizeof *open.room.ops);
    open.nevents -= events;
    open.nops -= ops;
    open.first_op -= ops;
    open.base += ops;
    for (uint32_t e = 0; e < open.nevents; e++)
        open.room.events[e].first_op -= ops;
    sca_window_marks_move(events, ops);
    open.from.events = open.from.ops = 0;
}

/* Its windows: those that are retained, and the one that is open. */
static SCA_COLD uint64_t keep_long_iteration(const struct sca_window_round *round)
{
    uint64_t began_ns = sca_clock_work();
    uint32_t n = sca_window_retained_count();
    const struct sca_long_iteration found = {
        .kind = open.kind - round->kind,
        .hash = sca_window_store_hash(sca_window_position(round->collectives, 0, 0)),
        .first = sca_window_retained(0)->begin.at,
        .last = open.begin};
    if (open.spoilt || sca_window_retained_spoilt() || !sca_long_iterations_add(found))
        return 0;
    sca_window_store_drop_beside();
    for (uint32_t i = 0; i < n; i++)
        keep_beside(sca_window_retained(i));
    open.beside = true;
    return sca_clock_work() - began_ns;
}

uint64_t sca_window_round(void)
{
    uint64_t spent_ns = 0;
    if (!open.room.ops || open.room.times || open.owner != &sca_thread)
        return 0;
    const struct sca_window_round *round = sca_window_round_at();
    uint64_t collectives = sca_window_collectives(open.at);
    if (round && sca_window_retained_count() &&
        collectives - round->collectives > open.most_iterations)
        spent_ns = keep_long_iteration(round);
    forget_retained();
    sca_window_round_begins((struct sca_window_round){open.kind, collectives});
    return spent_ns;
}

bool sca_window_collective(uint64_t exit_ns)
{
    if (!open.room.ops)
        return false;
    uint64_t number = sca_window_collectives(open.at) + 1;
    open.at = sca_window_position(number, 0, 0);
    open.iterations++;
    if (number % open.most_iterations)
        return false;
    close_window(exit_ns);
    return true;
}

unsigned sca_window_iterations(void)
{
    return open.most_iterations;
}

static bool is_overfull(void)
{
    uint32_t held = open.nevents + open.nops - open.from.events - open.from.ops;
    return (held > open.with_room && !open.room.times) ||
           sca_window_marks_count() == SCA_MOST_MARKS;
}

bool sca_window_loop(unsigned loop, uint64_t number, uint64_t ns, bool cut)
{
    if (!open.room.ops || number > SCA_WINDOW_NUMBERS)
        return false;
    uint64_t at = sca_window_position(sca_window_collectives(open.at), loop, number);
    uint32_t iterations = open.most_iterations * (sca_window_marks_count() + 1);
    sca_window_marks_add(loop, here(at, open.iterations + iterations, ns));
    if (!cut && !is_overfull())
        return false;
    cut_at_marks();
    return true;
}

/* What is left is a window too if it holds anything; the ranks agree on where it ends. */
void sca_window_end(void)
{
    if (!open.room.ops)
        return;
    open.iterations++;
    open.at++;
    close_window(sca_clock_now());
    sca_window_store_end();
    sca_unreserve(open.room.ops, open.room.bytes);
    open.room.ops = NULL;
}
