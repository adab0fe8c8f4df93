#include "calls/channel.h"
#include "base/guard.h"
#include "base/hash.h"
#include "base/hot.h"
#include "base/pool.h"
#include "base/keyed.h"
#include "windows/window.h"

enum { MOST_CHANNELS = 128 << 10 };

_Static_assert(sizeof(struct sca_channel) == 64, "a line of the cache");

static struct sca_table table SCA_HOT_TABLE;

/* Threads differ in the address of their state. */
static uint32_t this_thread(void)
{
    return (uint32_t)((uintptr_t)&sca_thread >> 4);
}

/* Of a message to another world, by ranks in the communicator: its name is not the same there. */
static uint64_t key_between_worlds(const struct sca_communicator *comm, int32_t peer, int32_t tag,
                                   uint32_t direction)
{
    uint32_t self = comm->rank, other = (uint32_t)(SCA_FOREIGN - peer);
    uint64_t ranks =
        direction == SCA_SENT ? (uint64_t)self << 32 | other : (uint64_t)other << 32 | self;
    return sca_hash_mix(sca_hash_mix(0, ranks), (uint32_t)tag);
}

static uint64_t key_of(const struct sca_communicator *comm, int32_t peer, int32_t tag,
                       uint32_t direction)
{
    if (__builtin_expect(peer < 0, 0))
        return key_between_worlds(comm, peer, tag, direction) ^ sca_channel_own(comm, peer);
    int32_t source = direction == SCA_SENT ? sca_comm_record_self() : peer;
    int32_t destination = direction == SCA_SENT ? peer : sca_comm_record_self();
    uint64_t ranks = (uint64_t)(uint32_t)source << 32 | (uint32_t)destination;
    return sca_hash_mix(sca_hash_mix(comm->id, ranks), (uint32_t)tag);
}

static uint16_t owner_of(const struct sca_communicator *comm)
{
    return (uint16_t)((uintptr_t)comm >> 5);
}

static SCA_COLD struct sca_channel *create(struct sca_communicator *comm, uint64_t key,
                                           uint32_t direction)
{
    struct sca_channel *channel =
        table.count < MOST_CHANNELS ? sca_pool_alloc(sizeof *channel) : NULL;
    if (!channel)
        return NULL;
    channel->place = key ^ direction;
    channel->direction = (uint8_t)direction;
    channel->owner = owner_of(comm);
    if (!sca_table_add(&table, channel)) {
        sca_pool_free(channel, sizeof *channel);
        return NULL;
    }
    channel->next_of_comm = comm->channels;
    return comm->channels = channel;
}

static struct sca_channel *look_up(struct sca_communicator *comm, uint64_t key, int32_t peer,
                                   int32_t tag, uint32_t direction)
{
    struct sca_channel *channel = sca_table_find(&table, key ^ direction);
    if (!channel && (channel = create(comm, key, direction))) {
        channel->peer = peer;
        channel->tag = tag;
        channel->pair = sca_message_pair(comm, peer, direction);
    }
    return channel;
}

/* Programs repeat themselves: which channel came after the last one the last time spares a line of
 * the table. */
struct sca_channel *sca_channel_find(struct sca_communicator *comm, int32_t peer, int32_t tag,
                                     uint32_t direction)
{
    bool known = peer >= 0 || sca_comm_record_is_foreign(peer);
    if (!comm->id || !known || (direction == SCA_RECEIVED && comm->receives_lost))
        return NULL;
    uint64_t key = key_of(comm, peer, tag, direction);
    struct sca_channel *before = comm->latest, *channel = before ? before->came_after : NULL;
    if (!channel || channel->place != (key ^ direction)) {
        channel = look_up(comm, key, peer, tag, direction);
        if (channel && channel->owner != owner_of(comm)) /* of one with the same name */
            return channel;
        if (before)
            before->came_after = channel;
    }
    if (channel)
        comm->latest = channel;
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

void sca_channel_drop_all(struct sca_communicator *comm)
{
    comm->latest = NULL;
    while (comm->channels) {
        struct sca_channel *channel = comm->channels;
        comm->channels = channel->next_of_comm;
        sca_table_remove(&table, channel);
        sca_pool_free(channel, sizeof *channel);
    }
}
