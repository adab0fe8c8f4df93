/*
 * Worlds of one job into one profile: each is read again, and its tables get the numbers that
 * ranks, peers and communicators have among all.
 */
#include "base/region.h"
#include "profile/profile_load.h"
#include "profile/worlds_link.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

struct joint { /* a communicator of a world that another one has as well */
    uint32_t world;
    uint64_t id, common; /* there, and in the profile of all */
    uint32_t size;       /* members of both worlds */
    uint32_t nothers;
    uint32_t *others; /* the other world's members by their rank: their ranks in the profile */
};

struct sca_worlds_view {
    const struct sca_profile *const *worlds;
    uint32_t nworlds, world; /* the one that is read */
    uint32_t *first, nranks; /* the first rank of each; of all */
    struct joint *joints;
    uint32_t njoints;
    struct sca_region region;  /* what all this lies in */
    struct sca_region scratch; /* the tables of one rank */
    struct sca_tables tables;
};

/* ---- numbers ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    uint64_t x = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u + (hash << 1);
}

static const struct joint *joint_of(const struct sca_worlds_view *v, uint64_t id)
{
    for (uint32_t i = 0; id && i < v->njoints; i++)
        if (v->joints[i].world == v->world && v->joints[i].id == id)
            return &v->joints[i];
    return NULL;
}

static uint64_t common_id(const struct sca_worlds_view *v, uint64_t id)
{
    const struct joint *joint = joint_of(v, id);
    return joint ? joint->common : id ? mix(id, v->world + 1u) | 1 : 0;
}

/* What is not among the worlds stays where it is: outside. */
static int32_t common_rank(const struct sca_worlds_view *v, const struct joint *joint, int32_t rank)
{
    if (rank >= 0)
        return rank + (int32_t)v->first[v->world];
    uint32_t there = (uint32_t)(SCA_FOREIGN - rank);
    if (rank > SCA_FOREIGN || !joint || there >= joint->nothers || joint->others[there] == SCA_NONE)
        return rank;
    return (int32_t)joint->others[there];
}

/* ---- tables ---- */

static uint32_t count(const struct sca_tables *t, enum sca_part_table table)
{
    return t->header.table[table].count;
}

static void *own(struct sca_worlds_view *v, enum sca_part_table table)
{
    size_t bytes = (size_t)count(&v->tables, table) * sca_table_stride[table];
    void *copy = sca_region_alloc(&v->scratch, bytes + 1);
    if (copy && bytes)
        memcpy(copy, v->tables.record[table], bytes);
    v->tables.record[table] = copy;
    return copy;
}

static const struct joint *joint_at(const struct sca_worlds_view *v,
                                    const struct sca_part_comm *comms, uint32_t comm)
{
    return comm < count(&v->tables, SCA_T_COMMS) ? joint_of(v, comms[comm].id) : NULL;
}

/* Both ends give a message between worlds the same name, by ranks in the communicator. */
static uint64_t common_hash(const struct sca_worlds_view *v, const struct joint *joint,
                            const struct sca_part_message *m, int32_t peer)
{
    int32_t self = (int32_t)(v->tables.header.rank);
    if (!m->hash)
        return 0;
    if (m->peer > SCA_FOREIGN)
        return mix(m->hash, v->world + 1u) | 1;
    uint64_t source = (uint64_t)(uint32_t)(m->direction == SCA_SENT ? self : peer);
    return mix(mix(m->hash, joint ? joint->common : 0), source) | 1;
}

static void renumber_traffic(struct sca_worlds_view *v, const struct sca_part_comm *comms,
                             struct sca_part_peer *peers, struct sca_part_collective *collectives,
                             struct sca_part_message *messages)
{
    for (uint32_t i = 0; i < count(&v->tables, SCA_T_PEERS); i++)
        peers[i].peer = common_rank(v, joint_at(v, comms, peers[i].comm), peers[i].peer);
    for (uint32_t i = 0; i < count(&v->tables, SCA_T_COLLECTIVES); i++)
        collectives[i].root =
            common_rank(v, joint_at(v, comms, collectives[i].comm), collectives[i].root);
    for (uint32_t i = 0; i < count(&v->tables, SCA_T_MESSAGES); i++) {
        struct sca_part_message *m = &messages[i];
        const struct joint *joint = joint_at(v, comms, m->comm);
        int32_t peer = common_rank(v, joint, m->peer);
        m->hash = common_hash(v, joint, m, peer);
        m->peer = peer;
    }
}

static void renumber_comms(const struct sca_worlds_view *v, struct sca_part_comm *comms)
{
    for (uint32_t i = 0; i < count(&v->tables, SCA_T_COMMS); i++) {
        const struct joint *joint = joint_of(v, comms[i].id);
        comms[i].id = common_id(v, comms[i].id);
        comms[i].size = joint ? joint->size : comms[i].size;
        comms[i].topology = joint ? 0 : comms[i].topology;
    }
}

const struct sca_tables *sca_worlds_view_tables(struct sca_worlds_view *v,
                                                const struct sca_tables *tables)
{
    sca_region_free(&v->scratch);
    v->tables = *tables;
    v->tables.header.rank += v->first[v->world];
    v->tables.header.size = v->nranks;
    struct sca_part_comm *comms = own(v, SCA_T_COMMS);
    struct sca_part_peer *peers = own(v, SCA_T_PEERS);
    struct sca_part_collective *collectives = own(v, SCA_T_COLLECTIVES);
    struct sca_part_message *messages = own(v, SCA_T_MESSAGES);
    if (!comms || !peers || !collectives || !messages)
        return NULL;
    renumber_traffic(v, comms, peers, collectives, messages);
    renumber_comms(v, comms);
    v->tables.header.table[SCA_T_WINDOWS].count = 0;
    return &v->tables;
}

uint32_t sca_worlds_view_first(const struct sca_worlds_view *view)
{
    return view->first[view->world];
}

/* ---- what joins them ---- */

static int find_members(struct sca_worlds_view *v, uint32_t world, uint32_t comm,
                        struct joint *joint)
{
    const struct sca_profile *p = v->worlds[world];
    joint->nothers = p->comms[comm].size;
    joint->others = sca_region_array(&v->region, joint->nothers, sizeof *joint->others);
    if (!joint->others)
        return sca_fail(SCA_ENOMEM, "out of memory");
    memset(joint->others, 0xff, joint->nothers * sizeof *joint->others);
    for (uint32_t r = 0; r < p->nranks; r++)
        for (uint32_t i = 0; p->ranks[r].present && i < p->ranks[r].ncomms; i++)
            if (p->ranks[r].comms[i] == comm && p->ranks[r].comm_ranks[i] < joint->nothers)
                joint->others[p->ranks[r].comm_ranks[i]] = v->first[world] + r;
    return SCA_OK;
}

static int add_joint(struct sca_worlds_view *v, const struct sca_worlds_link *link, int side)
{
    uint32_t world = link->world[side], other = link->world[!side];
    const struct sca_comm *here = &v->worlds[world]->comms[link->comm[side]];
    const struct sca_comm *there = &v->worlds[other]->comms[link->comm[!side]];
    const struct sca_comm *lower = side ? there : here;
    struct joint *joint = &v->joints[v->njoints++];
    bool inter = strcmp(here->kind, "MPI_Intercomm_merge") != 0;
    *joint = (struct joint){.world = world,
                            .id = here->id,
                            .common = mix(lower->id, link->world[0] + 1u) | 1,
                            .size = inter ? here->size + there->size : here->size};
    return find_members(v, other, link->comm[!side], joint);
}

static int join(struct sca_worlds_view *v)
{
    struct sca_worlds_link *links = NULL;
    uint32_t n;
    int status = sca_worlds_link(v->worlds, v->nworlds, &links, &n);
    if (status == SCA_OK) {
        v->joints = sca_region_array(&v->region, 2 * (size_t)n + 1, sizeof *v->joints);
        status = v->joints ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
    }
    for (uint32_t i = 0; status == SCA_OK && i < n; i++) {
        status = add_joint(v, &links[i], 0);
        if (status == SCA_OK)
            status = add_joint(v, &links[i], 1);
    }
    free(links);
    return status;
}

bool sca_profile_are_joined(const struct sca_profile *a, const struct sca_profile *b)
{
    const struct sca_profile *both[] = {a, b};
    struct sca_worlds_link *links = NULL;
    uint32_t n = 0;
    sca_worlds_link(both, 2, &links, &n);
    free(links);
    return n > 0;
}

/* ---- all of them ---- */

static bool is_same_host(const struct sca_rank *a, const struct sca_rank *b)
{
    return a->host && b->host && *a->host && !strcmp(a->host, b->host) &&
           !strcmp(a->address, b->address);
}

/* Hosts and clocks have numbers in each world. */
static void renumber_hosts(struct sca_profile *p, uint32_t first, uint32_t n)
{
    uint32_t nodes = 0;
    for (uint32_t r = 0; r < first; r++)
        nodes = p->ranks[r].node >= nodes ? p->ranks[r].node + 1 : nodes;
    for (uint32_t i = 0; first && i < n; i++) {
        struct sca_rank *rank = &p->ranks[first + i];
        const struct sca_rank *like = NULL;
        for (uint32_t r = 0; r < first && !like; r++)
            like = is_same_host(rank, &p->ranks[r]) ? &p->ranks[r] : NULL;
        rank->node = like ? like->node : rank->node + nodes;
        rank->clock = like ? like->clock : rank->clock + first;
        rank->clock_known = like && like->clock_known;
        if (like)
            rank->begin_ns += like->clock_offset_ns - rank->clock_offset_ns;
    }
}

static int load_world(struct sca_load *load, struct sca_worlds_view *v, struct sca_rank *all)
{
    struct sca_profile *p = load->profile;
    const struct sca_profile *world = v->worlds[v->world];
    p->ranks = all + v->first[v->world];
    p->nranks = world->nranks;
    int status = sca_profile_load_into(load, world->directory);
    p->ranks = all;
    p->nranks = v->nranks;
    if (status == SCA_OK)
        renumber_hosts(p, v->first[v->world], world->nranks);
    return status;
}

/* Ranks of all worlds share the cores of a host. */
static int note_cores(struct sca_load *load, const struct sca_worlds_view *v)
{
    bool shared = false, one_host = true;
    const struct sca_profile *p = load->profile;
    for (uint32_t w = 0; w < v->nworlds; w++)
        shared |= !strcmp(sca_profile_meta(v->worlds[w], "oversubscribed", "0"), "1");
    for (uint32_t r = 1; r < p->nranks; r++)
        one_host &= p->ranks[r].node == p->ranks[0].node;
    unsigned long cores = strtoul(sca_profile_meta(v->worlds[0], "host.cores", "0"), NULL, 10);
    shared |= one_host && cores && p->nranks > cores;
    int status = sca_merge_add_meta(&load->merge, "oversubscribed", shared ? "1" : "0");
    return status ? status : sca_merge_add_meta(&load->merge, "hosts", one_host ? "1" : "2");
}

static int name_worlds(struct sca_load *load, const struct sca_worlds_view *v)
{
    struct sca_profile *p = load->profile;
    struct sca_world *worlds =
        sca_region_array(load->merge.region, v->nworlds, sizeof(struct sca_world));
    for (uint32_t w = 0; worlds && w < v->nworlds; w++)
        worlds[w] = (struct sca_world){sca_merge_text(&load->merge, v->worlds[w]->directory),
                                       v->first[w], v->worlds[w]->nranks};
    p->worlds = worlds;
    p->nworlds = worlds ? v->nworlds : 0;
    return worlds ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}

int sca_worlds_load(struct sca_load *load, const struct sca_profile *const *worlds, uint32_t n)
{
    struct sca_worlds_view v = {.worlds = worlds, .nworlds = n};
    v.first = sca_region_array(&v.region, n + 1u, sizeof *v.first);
    for (uint32_t w = 0; v.first && w < n; w++) {
        v.first[w] = v.nranks;
        v.nranks += worlds[w]->nranks;
    }
    int status = v.first ? join(&v) : sca_fail(SCA_ENOMEM, "out of memory");
    struct sca_rank *all = sca_region_array(load->merge.region, v.nranks, sizeof(struct sca_rank));
    if (status == SCA_OK && !all)
        status = sca_fail(SCA_ENOMEM, "no memory for %u ranks", v.nranks);
    load->view = &v;
    for (; status == SCA_OK && v.world < n; v.world++)
        status = load_world(load, &v, all);
    load->view = NULL;
    if (status == SCA_OK)
        status = note_cores(load, &v);
    if (status == SCA_OK)
        status = name_worlds(load, &v);
    sca_region_free(&v.scratch);
    sca_region_free(&v.region);
    return status;
}
