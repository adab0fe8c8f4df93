#include "calls/channel.h"
#include "base/guard.h"
#include "base/hash.h"
#include "base/hot.h"
#include "base/pool.h"
#include "windows/window.h"

enum { FEW = 32, BUCKETS = 4096, MOST_CHANNELS = 20 << 10 };

/* Most programs have few: these are found without the large table. */
static struct sca_channel *few[FEW] SCA_HOT_TABLE, *many[BUCKETS];
static struct sca_channel **buckets SCA_HOT = few;
static uint64_t mask SCA_HOT = FEW - 1;
static unsigned channels SCA_HOT;

static struct sca_channel **bucket_of(uint64_t key)
{
    return &buckets[key & mask];
}

/* Threads differ in the address of their state. */
static uint32_t this_thread(void)
{
    return (uint32_t)((uintptr_t)&sca_thread >> 4);
}

static uint64_t key_of(const struct sca_communicator *comm, int32_t peer, int32_t tag,
                       uint32_t direction)
{
    int32_t source = direction == SCA_SENT ? sca_comm_record_self() : peer;
    int32_t destination = direction == SCA_SENT ? peer : sca_comm_record_self();
    uint64_t ranks = (uint64_t)(uint32_t)source << 32 | (uint32_t)destination;
    return sca_hash_mix(sca_hash_mix(comm->id, ranks), (uint32_t)tag);
}

static void insert(struct sca_channel *channel)
{
    struct sca_channel **bucket = bucket_of(channel->key);
    channel->next = *bucket;
    *bucket = channel;
}

static SCA_COLD void take_large_table(void)
{
    buckets = many;
    mask = BUCKETS - 1;
    for (unsigned i = 0; i < FEW; i++) {
        struct sca_channel *next;
        for (struct sca_channel *channel = few[i]; channel; channel = next) {
            next = channel->next;
            insert(channel);
        }
        few[i] = NULL;
    }
}

static SCA_COLD struct sca_channel *create(struct sca_communicator *comm, uint64_t key)
{
    if (channels >= MOST_CHANNELS)
        return NULL;
    struct sca_channel *channel = sca_pool_alloc(sizeof *channel);
    if (!channel)
        return NULL;
    if (++channels > 2 * FEW && buckets == few)
        take_large_table();
    channel->key = key;
    insert(channel);
    channel->next_of_comm = comm->channels;
    comm->channels = channel;
    return channel;
}

struct sca_channel *sca_channel_find(struct sca_communicator *comm, int32_t peer, int32_t tag,
                                     uint32_t direction)
{
    if (!comm->id || peer < 0 || (direction == SCA_RECEIVED && comm->receives_lost))
        return NULL;
    uint64_t key = key_of(comm, peer, tag, direction);
    struct sca_channel *channel = *bucket_of(key);
    while (channel && (channel->key != key || channel->direction != direction))
        channel = channel->next;
    if (!channel && (channel = create(comm, key))) {
        channel->peer = peer;
        channel->tag = tag;
        channel->direction = (uint8_t)direction;
        channel->pair = sca_message_pair(peer, direction);
    }
    return channel;
}

struct sca_turn sca_channel_turn(const struct sca_call *call)
{
    return (struct sca_turn){call->enter_ns, call->exit_ns, this_thread()};
}

/* Another thread's call has taken a number since this one began: neither that one nor what came
 * after it is sure, in windows that have been closed meanwhile neither. */
static SCA_COLD void doubt(struct sca_channel *channel, uint64_t since_ns)
{
    sca_channel_taint(channel, 0);
    sca_window_doubt(since_ns);
}

bool sca_channel_number(struct sca_channel *channel, const struct sca_turn *turn, uint64_t *number)
{
    if (!channel)
        return false;
    if (channel->last_thread != turn->thread && channel->last_ns > turn->enter_ns)
        doubt(channel, turn->enter_ns);
    channel->last_thread = turn->thread;
    channel->last_ns = turn->exit_ns;
    *number = channel->count++;
    return !channel->tainted;
}

void sca_channel_taint(struct sca_channel *channel, uint64_t from)
{
    channel->tainted = true;
    if (channel->direction == SCA_SENT)
        sca_window_spoil();
    sca_message_retract(channel, from);
}

static void unlink_channel(struct sca_channel *channel)
{
    struct sca_channel **at = bucket_of(channel->key);
    while (*at != channel)
        at = &(*at)->next;
    *at = channel->next;
}

void sca_channel_drop_all(struct sca_communicator *comm)
{
    while (comm->channels) {
        struct sca_channel *channel = comm->channels;
        comm->channels = channel->next_of_comm;
        unlink_channel(channel);
        sca_pool_free(channel, sizeof *channel);
        channels--;
    }
}
