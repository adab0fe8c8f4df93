#include "finish/stream.h"
#include "finish/post.h"
#include "sca_part.h"
#include "base/tree.h"

#include <string.h>

enum { PACKET = 32 << 10, PACKET_HEAD = 16 };

struct packet {
    uint32_t length;  /* of the bytes */
    uint32_t last;    /* of this sender */
    uint32_t missing; /* a rank whose bytes do not come, or SCA_NONE */
    uint32_t unused;
    uint8_t bytes[PACKET - PACKET_HEAD];
};

/* What comes from one child. */
static struct source {
    uint32_t rank, taken;
    bool here; /* the packet is */
    struct packet *packet;
    sca_word request;
} sources[SCA_TREE_CHILDREN];

static struct {
    uint32_t rank, nsources, current;
    uint32_t missing;
    bool open;
    struct packet *out;
} stream;

static bool expect(struct source *s)
{
    s->here = false;
    s->taken = 0;
    return sca_post_receive(s->packet, sizeof *s->packet, s->rank, SCA_TAG_DATA, &s->request);
}

static void note_missing(uint32_t rank)
{
    if (stream.missing == SCA_NONE)
        stream.missing = rank;
}

bool sca_stream_begin(uint32_t rank, uint32_t size)
{
    uint32_t ranks[SCA_TREE_CHILDREN];
    uint32_t n = sca_tree_children(rank, size, ranks);
    struct packet *packets = sca_scratch((n + 1) * sizeof *packets);
    if (!packets)
        return false;
    stream.rank = rank;
    stream.nsources = n;
    stream.current = 0;
    stream.missing = SCA_NONE;
    stream.out = &packets[n];
    for (uint32_t i = 0; i < n; i++)
        sources[i] = (struct source){.rank = ranks[i], .packet = &packets[i]};
    return true;
}

/* All children may send their first packets at once. */
static void open_sources(void)
{
    for (struct source *s = sources; !stream.open && s < sources + stream.nsources; s++)
        if (!expect(s))
            note_missing(s->rank);
    stream.open = true;
}

/* A child may itself wait for one of its own, and then says so. */
static double limit_of(uint32_t rank)
{
    return SCA_SILENCE_SECONDS * (1.0 + sca_tree_height(rank));
}

/* True when the source has bytes that nobody has taken yet; false when it is done. */
static bool has_bytes(struct source *s)
{
    while (s->here || (s->here = sca_post_wait(&s->request, s->rank, limit_of(s->rank)))) {
        if (s->taken < s->packet->length)
            return true;
        if (s->packet->missing != SCA_NONE)
            note_missing(s->packet->missing);
        if (s->packet->last)
            return false;
        if (!expect(s))
            break;
    }
    note_missing(s->rank);
    return false;
}

/* The child whose turn it is; NULL at the end of all. */
static struct source *next_source(void)
{
    open_sources();
    for (; stream.current < stream.nsources; stream.current++)
        if (has_bytes(&sources[stream.current]))
            return &sources[stream.current];
    return NULL;
}

static size_t take(struct source *s, void *to, size_t most)
{
    size_t n = s->packet->length - s->taken;
    if (n > most)
        n = most;
    memcpy(to, s->packet->bytes + s->taken, n);
    s->taken += (uint32_t)n;
    return n;
}

uint32_t sca_stream_read(void *to, size_t length)
{
    uint8_t *at = to;
    while (length) {
        struct source *s = next_source();
        if (!s || stream.missing != SCA_NONE)
            return stream.missing;
        size_t n = take(s, at, length);
        at += n;
        length -= n;
    }
    return SCA_NONE;
}

void sca_stream_drain(void)
{
    for (struct source *s; (s = next_source());)
        s->taken = s->packet->length;
}

static bool deliver(bool last)
{
    struct packet *p = stream.out;
    uint32_t parent = sca_tree_parent(stream.rank);
    sca_word request;
    p->last = last;
    p->missing = stream.missing;
    bool done = sca_post_send_matched(p, PACKET_HEAD + p->length, parent, SCA_TAG_DATA, &request) &&
                sca_post_wait(&request, parent, SCA_DECIDE_SECONDS);
    p->length = 0;
    return done;
}

static size_t room(void)
{
    return sizeof stream.out->bytes - stream.out->length;
}

static bool send_own(const uint8_t *bytes, size_t length)
{
    struct packet *p = stream.out;
    while (length) {
        size_t n = length < room() ? length : room();
        memcpy(p->bytes + p->length, bytes, n);
        p->length += (uint32_t)n;
        bytes += n;
        length -= n;
        if (!room() && !deliver(false))
            return false;
    }
    return true;
}

/* Nothing behind what is missing: nobody could tell whose it is. */
static bool pass_on(void)
{
    struct packet *p = stream.out;
    for (struct source *s; (s = next_source()) && stream.missing == SCA_NONE;) {
        p->length += (uint32_t)take(s, p->bytes + p->length, room());
        if (!room() && !deliver(false))
            return false;
    }
    return true;
}

uint32_t sca_stream_send(const uint64_t *length, const void *bytes)
{
    bool delivered =
        send_own((const void *)length, sizeof *length) && send_own(bytes, *length) && pass_on();
    sca_stream_drain();
    if (!delivered || !deliver(true))
        return sca_tree_parent(stream.rank);
    return stream.missing;
}
