/* The few messages of each pair of ranks that are kept: both ends choose the same ones. */
#include "calls/channel.h"
#include "calls/receive.h"
#include "arena/arena.h"
#include "base/hash.h"
#include "base/hot.h"
#include "base/pool.h"
#include "base/keyed.h"

enum { KEPT = 8, LEAST_KEPT = 2, ALL_KEPT_RANKS = 32, MOST_PAIRS = 4096 };

struct sca_pair {
    uint64_t place; /* the key in the table: peer and direction */
    uint64_t own;   /* of its channels' keys, what the other side has not (sca_channel_own) */
    uint32_t kept, most;
    uint32_t greatest; /* position of the greatest hash in records, once they are all in use */
    uint64_t limit;    /* that hash: nothing above it is kept */
    uint32_t records[KEPT];
};

static struct sca_table table;

/* The more ranks, the fewer of each pair: the same number on both sides. */
static uint32_t quota(void)
{
    uint32_t fair = KEPT * ALL_KEPT_RANKS / sca_arena_header()->size;
    return fair > KEPT ? KEPT : fair < LEAST_KEPT ? LEAST_KEPT : fair;
}

/* Worlds of different sizes keep the same of what passes between them. */
struct sca_pair *sca_message_pair(const struct sca_communicator *comm, int32_t peer,
                                  uint32_t direction)
{
    bool foreign = sca_comm_record_is_foreign(peer);
    uint64_t place = (uint64_t)(uint32_t)peer << 32 | direction;
    if (foreign) /* ranks of different worlds may have the same number */
        place ^= sca_channel_own(comm, peer);
    struct sca_pair *pair = sca_table_find(&table, place);
    if (pair || table.count >= MOST_PAIRS || !(pair = sca_pool_alloc(sizeof *pair)))
        return pair;
    pair->place = place;
    pair->own = sca_channel_own(comm, peer);
    pair->most = foreign ? LEAST_KEPT : quota();
    pair->limit = UINT64_MAX;
    if (sca_table_add(&table, pair))
        return pair;
    sca_pool_free(pair, sizeof *pair);
    return NULL;
}

static struct sca_part_message *record_of(const struct sca_pair *pair, unsigned i)
{
    return (struct sca_part_message *)sca_arena_table(SCA_T_MESSAGES) + pair->records[i];
}

static void find_limit(struct sca_pair *pair)
{
    pair->greatest = 0;
    for (unsigned i = 1; i < pair->kept; i++)
        if (record_of(pair, i)->hash > record_of(pair, pair->greatest)->hash)
            pair->greatest = i;
    pair->limit = record_of(pair, pair->greatest)->hash;
}

/* A record that is overwritten has no hash meanwhile: a reader skips it. */
static void put(struct sca_part_message *at, const struct sca_part_message *message)
{
    at->hash = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct sca_part_message unnamed = *message;
    unnamed.hash = 0;
    *at = unnamed;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    at->hash = message->hash;
}

static SCA_COLD void keep(struct sca_pair *pair, const struct sca_part_message *message)
{
    if (pair->kept < pair->most) {
        struct sca_part_message *at = sca_arena_next(SCA_T_MESSAGES);
        if (!at)
            return;
        *at = *message;
        pair->records[pair->kept++] = sca_arena_commit(SCA_T_MESSAGES);
    } else {
        put(record_of(pair, pair->greatest), message);
    }
    if (pair->kept == pair->most)
        find_limit(pair);
}

static uint64_t hash_of(const struct sca_channel *channel, uint64_t number)
{
    uint64_t own = channel->pair ? channel->pair->own : 0;
    return sca_hash_mix(sca_channel_key(channel) ^ own, number) | 1;
}

void sca_message_sent(struct sca_channel *channel, const struct sca_call *call, uint32_t comm,
                      uint64_t number, uint64_t bytes)
{
    uint64_t hash = hash_of(channel, number);
    if (call->site == SCA_NONE || !channel->pair || hash >= channel->pair->limit)
        return;
    uint64_t start = sca_arena_header()->init_ns;
    struct sca_part_message message = {.hash = hash,
                                       .comm = comm,
                                       .peer = channel->peer,
                                       .tag = channel->tag,
                                       .direction = SCA_SENT,
                                       .number = number,
                                       .site = call->site,
                                       .post_site = call->site,
                                       .bytes = bytes,
                                       .enter_ns = call->enter_ns - start,
                                       .exit_ns = call->exit_ns - start};
    keep(channel->pair, &message);
}

void sca_message_received(const struct sca_receive *r)
{
    const struct sca_channel *channel = r->channel;
    uint64_t hash = hash_of(channel, r->number);
    if (r->site == SCA_NONE || r->post_site == SCA_NONE || !channel->pair ||
        hash >= channel->pair->limit)
        return;
    uint64_t start = sca_arena_header()->init_ns;
    struct sca_part_message message = {.hash = hash,
                                       .comm = sca_comm_record_index(r->comm),
                                       .peer = r->peer,
                                       .tag = r->tag,
                                       .direction = SCA_RECEIVED,
                                       .number = r->number,
                                       .site = r->site,
                                       .post_site = r->post_site,
                                       .bytes = r->bytes,
                                       .enter_ns = r->enter_ns - start,
                                       .exit_ns = r->exit_ns - start};
    keep(channel->pair, &message);
}

void sca_message_retract(const struct sca_channel *channel, uint64_t from)
{
    const struct sca_pair *pair = channel->pair;
    for (unsigned i = 0; pair && i < pair->kept; i++) {
        struct sca_part_message *m = record_of(pair, i);
        if (m->hash == hash_of(channel, m->number) && m->number >= from)
            m->hash = 0;
    }
}
