#include "calls/comm_name.h"
#include "mpi/abi.h"
#include "base/hash.h"
#include "calls/comm_record.h"
#include "base/pool.h"
#include "base/keyed.h"
#include <string.h>

enum { MOST_COMBINATIONS = 128 << 10 };

static sca_word world_group;

struct combination {
    uint64_t key; /* in the table */
    uint64_t times;
};
static struct sca_table combinations;

static struct combination *first_of(uint64_t key)
{
    struct combination *fresh =
        combinations.count < MOST_COMBINATIONS ? sca_pool_alloc(sizeof *fresh) : NULL;
    if (!fresh)
        return NULL;
    fresh->key = key;
    if (sca_table_add(&combinations, fresh))
        return fresh;
    sca_pool_free(fresh, sizeof *fresh);
    return NULL;
}

/* How often this combination was made before; -1 when too many different ones are. */
static int64_t occurrence(uint64_t key)
{
    struct combination *at = sca_table_find(&combinations, key);
    if (!at)
        at = first_of(key);
    return at ? (int64_t)at->times++ : -1;
}

int sca_comm_name_begin(void)
{
    return sca_mpi.comm_group(sca_abi.comm_world, &world_group) ? -1 : 0;
}

static bool summarize(struct sca_members *m, int32_t *ranks)
{
    bool identity = true;
    m->hash = m->size;
    for (uint32_t i = 0; i < m->size; i++) {
        identity = identity && ranks[i] == (int32_t)i;
        bool foreign = ranks[i] == sca_abi.undefined;
        m->foreign |= foreign;
        m->hash = sca_hash_mix(m->hash, foreign ? UINT32_MAX : (uint32_t)ranks[i]);
        if (foreign)
            ranks[i] = sca_comm_record_foreign((int32_t)i);
    }
    return identity;
}

static int translate(sca_word group, struct sca_members *m, bool keep)
{
    size_t bytes = m->size * sizeof(int32_t);
    int32_t *from = sca_pool_alloc(bytes), *to = sca_pool_alloc(bytes);
    int failed = !from || !to;
    if (!failed) {
        for (uint32_t i = 0; i < m->size; i++)
            from[i] = (int32_t)i;
        failed = sca_mpi.group_translate_ranks(group, (int)m->size, from, world_group, to) != 0;
    }
    sca_pool_free(from, bytes);
    if (failed || (summarize(m, to) && !keep)) {
        sca_pool_free(to, bytes);
        return failed ? -1 : 0;
    }
    m->world = to;
    return 0;
}

static int members_of(sca_word group, struct sca_members *m, bool keep)
{
    int size = 0;
    if (sca_mpi.group_size(group, &size) != 0 || size <= 0)
        return -1;
    m->size = (uint32_t)size;
    return translate(group, m, keep);
}

int sca_comm_name_group(sca_word group, struct sca_members *m)
{
    memset(m, 0, sizeof *m);
    return members_of(group, m, true);
}

int sca_comm_name_members(sca_word handle, bool remote, struct sca_members *m)
{
    sca_word group = 0;
    memset(m, 0, sizeof *m);
    if ((remote ? sca_mpi.comm_remote_group : sca_mpi.comm_group)(handle, &group) != 0)
        return -1;
    int status = members_of(group, m, false);
    sca_mpi.group_free(&group);
    return status;
}

void sca_comm_name_members_free(struct sca_members *m)
{
    if (m->world)
        sca_pool_free(m->world, m->size * sizeof(int32_t));
    m->world = NULL;
}

uint64_t sca_comm_name_members_both(const struct sca_members *a, const struct sca_members *b)
{
    return a->hash < b->hash ? sca_hash_mix(a->hash, b->hash) : sca_hash_mix(b->hash, a->hash);
}

uint64_t sca_comm_name_basis(uint64_t parent, unsigned function, uint32_t tag)
{
    return parent ? sca_hash_mix(sca_hash_mix(parent, function), tag) | 1 : 0;
}

uint64_t sca_comm_name(uint64_t basis, uint64_t members)
{
    uint64_t key = sca_hash_mix(basis, members);
    int64_t times = basis ? occurrence(key) : -1;
    return times < 0 ? 0 : sca_hash_mix(key, (uint64_t)times) | 1;
}
