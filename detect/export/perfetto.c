#include "export/perfetto.h"
#include "export/protobuf.h"
#include "export/trace_names.h"
#include "replay/critical_walk.h"
#include "sca_error.h"
#include "sca_replace.h"
#include "timeline/by_length.h"
#include "timeline/pieces.h"
#include "timeline/slice_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_TRACK = 60 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { COUNTER_UNIT = 3, UNIT_COUNT = 2, UNIT_BYTES = 3 };
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    EVENT_VALUE = 30,
    EVENT_FLOW = 47,
    EVENT_FLOW_END = 48
};
enum { ANNOTATION_UINT = 3, ANNOTATION_NAME = 10 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, COUNTER = 4 };

/* Numbers of tracks: ranks from 1 on, others beyond. */
static const uint64_t BYTES_TRACK = UINT64_C(1) << 32, PATH_TRACK = UINT64_C(2) << 32,
                      WAITING_TRACK = UINT64_C(3) << 32;
enum { LABEL = SCA_TRACE_NAME };

struct wait_change { /* of how many ranks wait */
    uint64_t time;
    int by;
};

struct writing {
    FILE *out;
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    const struct sca_pieces *pieces;
    struct sca_workspace *space;
    struct sca_by_length by_length;
    struct sca_protobuf packet, track, event, inner, file;
    struct sca_slice_replay play;
    uint64_t begin; /* ns, of the piece at hand */
    uint64_t *sent; /* per rank, bytes so far */
    struct wait_change *changes;
    uint32_t nchanges;
};

/* ---- packets ---- */

static void put_packet(struct writing *w, uint64_t sequence)
{
    sca_protobuf_varint(&w->packet, PACKET_SEQUENCE, sequence);
    sca_protobuf_message(&w->file, TRACE_PACKET, &w->packet);
    fwrite(w->file.bytes, 1, w->file.length, w->out);
    w->file.length = 0;
}

static void put_event(struct writing *w, uint64_t track, uint64_t time)
{
    sca_protobuf_varint(&w->event, EVENT_TRACK, track);
    sca_protobuf_varint(&w->packet, PACKET_TIMESTAMP, time);
    sca_protobuf_message(&w->packet, PACKET_EVENT, &w->event);
    put_packet(w, 1);
}

static void put_track(struct writing *w, uint64_t uuid, const char *name)
{
    sca_protobuf_varint(&w->track, TRACK_UUID, uuid);
    sca_protobuf_text(&w->track, TRACK_NAME, name);
    sca_protobuf_message(&w->packet, PACKET_TRACK, &w->track);
    put_packet(w, 1);
}

static void begin_slice(struct writing *w, const char *category, const char *name)
{
    sca_protobuf_varint(&w->event, EVENT_TYPE, SLICE_BEGIN);
    sca_protobuf_text(&w->event, EVENT_CATEGORY, category);
    sca_protobuf_text(&w->event, EVENT_NAME, name);
}

static void annotate(struct writing *w, const char *name, uint64_t value)
{
    sca_protobuf_text(&w->inner, ANNOTATION_NAME, name);
    sca_protobuf_varint(&w->inner, ANNOTATION_UINT, value);
    sca_protobuf_message(&w->event, EVENT_ANNOTATION, &w->inner);
}

static void end_slice(struct writing *w, uint64_t track, uint64_t time)
{
    sca_protobuf_varint(&w->event, EVENT_TYPE, SLICE_END);
    put_event(w, track, time);
}

static void put_counter(struct writing *w, uint64_t track, uint64_t time, uint64_t value)
{
    sca_protobuf_varint(&w->event, EVENT_TYPE, COUNTER);
    sca_protobuf_varint(&w->event, EVENT_VALUE, value);
    put_event(w, track, time);
}

/* ---- tracks ---- */

static void put_rank(struct writing *w, uint32_t rank)
{
    char name[32];
    snprintf(name, sizeof name, "rank %u", rank);
    sca_protobuf_varint(&w->inner, PROCESS_PID, rank + 1);
    sca_protobuf_text(&w->inner, PROCESS_NAME, name);
    sca_protobuf_message(&w->track, TRACK_PROCESS, &w->inner);
    put_track(w, rank + 1, name);
    sca_protobuf_varint(&w->track, TRACK_PARENT, rank + 1);
    sca_protobuf_varint(&w->inner, COUNTER_UNIT, UNIT_BYTES);
    sca_protobuf_message(&w->track, TRACK_COUNTER, &w->inner);
    put_track(w, BYTES_TRACK + rank, "bytes sent");
}

static void put_tracks(struct writing *w)
{
    put_track(w, PATH_TRACK, "critical path");
    sca_protobuf_varint(&w->inner, COUNTER_UNIT, UNIT_COUNT);
    sca_protobuf_message(&w->track, TRACK_COUNTER, &w->inner);
    put_track(w, WAITING_TRACK, "ranks that wait");
    for (uint32_t r = 0; r < w->run->nranks; r++)
        put_rank(w, r);
}

/* ---- names ---- */

static uint32_t vertex_of(const struct writing *w, uint32_t site)
{
    return sca_trace_names_vertex(w->run, site);
}

static void label(const struct writing *w, uint32_t vertex, char text[LABEL])
{
    sca_trace_names_label(w->ppg, vertex, text);
}

/* Of an event in the replay of the piece at hand. */
static void label_computation(struct writing *w, uint32_t event, char text[LABEL])
{
    const struct sca_replay *replay = &w->play.replay;
    label(w,
          sca_by_length_place(&w->by_length, sca_replay_rank(replay, event),
                              sca_replay_event(replay, event), replay->interval[event]),
          text);
}

/* ---- a rank ---- */

static uint64_t time_of(const struct writing *w, double seconds)
{
    return w->begin + (uint64_t)llround(1e9 * seconds);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0xff51afd7ed558ccdULL;
    return hash ^ hash >> 32;
}

/* A message has the same number at both ends. */
static uint64_t flow_of(const struct sca_op *op, uint32_t from, uint32_t to)
{
    uint64_t hash = mix(mix(0x9e3779b97f4a7c15ULL, op->comm), from);
    return mix(mix(mix(hash, to), (uint32_t)op->tag), op->number);
}

struct writing_rank {
    struct writing *w;
    uint32_t rank, at; /* the manieth event */
};

static bool is_message(const struct sca_op *op)
{
    return (op->kind == SCA_OP_SEND || op->kind == SCA_OP_RECV) && op->peer >= 0;
}

static void put_flows(struct writing_rank *r, const struct sca_window *window,
                      const struct sca_event *e, uint64_t *bytes)
{
    for (uint32_t i = 0; i < e->nops; i++) {
        const struct sca_op *op = &window->ops[e->first_op + i];
        if (!is_message(op))
            continue;
        uint32_t peer = (uint32_t)op->peer;
        bool sends = op->kind == SCA_OP_SEND;
        sca_protobuf_fixed64(&r->w->event, sends ? EVENT_FLOW : EVENT_FLOW_END,
                             sends ? flow_of(op, r->rank, peer) : flow_of(op, peer, r->rank));
        annotate(r->w, sends ? "to rank" : "from rank", peer);
        annotate(r->w, "bytes", op->bytes);
        *bytes += sends ? op->bytes : 0;
    }
}

static void note_wait(struct writing *w, uint64_t from, uint64_t to)
{
    if (to <= from)
        return;
    w->changes[w->nchanges++] = (struct wait_change){from, 1};
    w->changes[w->nchanges++] = (struct wait_change){to, -1};
}

static void put_computation(struct writing_rank *r, uint32_t event, uint64_t enter)
{
    char text[LABEL];
    const struct sca_replay *replay = &r->w->play.replay;
    uint64_t begin = time_of(r->w, replay->enter[event] - replay->interval[event]);
    if (begin >= enter)
        return;
    label_computation(r->w, event, text);
    begin_slice(r->w, "computation", text);
    put_event(r->w, r->rank + 1, begin);
    end_slice(r->w, r->rank + 1, enter);
}

static void put_call(void *context, const struct sca_window *window, const struct sca_event *e)
{
    struct writing_rank *r = context;
    struct writing *w = r->w;
    const struct sca_replay *replay = &w->play.replay;
    uint32_t event = sca_replay_at(replay, r->rank, r->at);
    uint64_t enter = time_of(w, replay->enter[event]),
             exit = time_of(w, sca_replay_exit(replay, event));
    uint64_t bytes = 0;
    char text[LABEL];
    put_computation(r, event, enter);
    label(w, vertex_of(w, e->site), text);
    begin_slice(w, exit > enter ? "mpi,waiting" : "mpi", text);
    put_flows(r, window, e, &bytes);
    if (exit > enter)
        annotate(w, "waits for rank", sca_replay_rank(replay, replay->waited_for[event]));
    put_event(w, r->rank + 1, enter);
    end_slice(w, r->rank + 1, exit);
    note_wait(w, enter, exit);
    if (bytes)
        put_counter(w, BYTES_TRACK + r->rank, enter, w->sent[r->rank] += bytes);
    r->at++;
}

/* ---- all ranks together ---- */

static void put_step(struct writing *w, uint32_t event)
{
    const struct sca_replay *replay = &w->play.replay;
    uint64_t begin = time_of(w, replay->enter[event] - replay->interval[event]);
    uint64_t end = time_of(w, replay->enter[event]);
    char text[LABEL], name[LABEL + 32];
    if (end <= begin)
        return;
    label_computation(w, event, text);
    snprintf(name, sizeof name, "rank %u: %s", sca_replay_rank(replay, event), text);
    begin_slice(w, "critical", name);
    put_event(w, PATH_TRACK, begin);
    end_slice(w, PATH_TRACK, end);
}

/* The walk goes backwards, a track forwards. */
static void put_path(struct writing *w)
{
    struct sca_critical_walk walk;
    uint32_t *path = sca_workspace_alloc(w->space, w->play.trace.nevents, sizeof *path), n = 0;
    sca_critical_walk_begin(&walk, &w->play.replay, w->run->profile);
    for (uint32_t at; (at = sca_critical_walk_next(&walk)) != SCA_NO_EVENT;)
        path[n++] = at;
    while (n)
        put_step(w, path[--n]);
}

static int by_time(const void *a, const void *b)
{
    const struct wait_change *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->by - y->by;
}

static void put_waiting(struct writing *w)
{
    uint64_t now = 0;
    if (w->nchanges)
        qsort(w->changes, w->nchanges, sizeof *w->changes, by_time);
    for (uint32_t i = 0; i < w->nchanges; i++) {
        now += (uint64_t)(int64_t)w->changes[i].by;
        if (i + 1 == w->nchanges || w->changes[i + 1].time != w->changes[i].time)
            put_counter(w, WAITING_TRACK, w->changes[i].time, now);
    }
    w->nchanges = 0;
}

/* Pieces do not overlap, though a replay may last longer than the clock said. */
static void put_piece(struct writing *w, const struct sca_piece *piece)
{
    struct sca_opened *opened = sca_workspace_opened(w->space, w->run->profile);
    sca_slice_replay_make(w->space, w->run, piece->slices, &w->play);
    w->begin = piece->begin_ns > w->begin ? piece->begin_ns : w->begin;
    w->changes =
        sca_workspace_alloc(w->space, 2 * (size_t)w->play.trace.nevents, sizeof *w->changes);
    for (uint32_t r = 0; r < w->run->nranks; r++) {
        struct writing_rank of = {w, r, 0};
        sca_slice_walk(sca_rank_open(opened, r, SCA_OPEN_WINDOWS), &piece->slices[r], put_call,
                       &of);
    }
    put_path(w);
    put_waiting(w);
    w->begin = time_of(w, w->play.replay.end) + 1;
}

static int put_all(FILE *out, const void *context)
{
    struct writing w = *(const struct writing *)context;
    jmp_buf out_of_memory;
    w.out = out;
    w.space->out_of_memory = &out_of_memory;
    if (setjmp(out_of_memory))
        return sca_fail(SCA_ENOMEM, "out of memory");
    w.sent = sca_workspace_alloc(w.space, w.run->nranks, sizeof *w.sent);
    sca_by_length_find(w.space, w.ppg, w.run, &w.by_length);
    put_tracks(&w);
    for (uint32_t i = 0; i < w.pieces->count; i++)
        put_piece(&w, &w.pieces->of[i]);
    bool failed = w.packet.failed || w.track.failed || w.event.failed || w.file.failed;
    free(w.packet.bytes);
    free(w.track.bytes);
    free(w.event.bytes);
    free(w.inner.bytes);
    free(w.file.bytes);
    return failed ? sca_fail(SCA_ENOMEM, "out of memory") : SCA_OK;
}

int sca_perfetto_write(const struct sca_ppg *ppg, const char *path)
{
    struct sca_workspace space = {0};
    struct sca_pieces pieces;
    const struct sca_ppg_run *run = &ppg->runs[ppg->nruns - 1];
    const struct writing w = {.ppg = ppg, .run = run, .pieces = &pieces, .space = &space};
    int status = sca_trace_names_pieces(&space, run, "perfetto", path, &pieces);
    if (status == SCA_OK)
        status = sca_replace_file(path, put_all, &w);
    sca_workspace_free(&space);
    return status;
}
