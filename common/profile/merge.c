#include "profile/merge.h"
#include "profile/durations.h"
#include "profile/moment.h"
#include "sca_error.h"
#include "profile/timeline.h"
#include "profile/worlds.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(void)
{
    return sca_fail(SCA_ENOMEM, "out of memory while merging the ranks");
}

static uint32_t count(const struct sca_tables *t, enum sca_part_table table)
{
    return t->header.table[table].count;
}

int sca_merge_begin(struct sca_merge *merge, struct sca_region *region, struct sca_profile *profile)
{
    const struct sca_node root = {SCA_NONE, SCA_NONE, 0, 0};
    *merge = (struct sca_merge){
        .region = region, .records = region, .profile = profile, .unknown_comm = SCA_NONE};
    if (sca_merge_node(merge, &root) || sca_merge_site(merge, 0, "MPI_Init", 0))
        return no_memory();
    return SCA_OK;
}

static uint32_t *new_map(struct sca_merge *merge, const struct sca_tables *t,
                         enum sca_part_table table)
{
    return sca_region_array(&merge->scratch, (size_t)count(t, table) + 1, sizeof(uint32_t));
}

static int map_modules(struct sca_merge *merge, const struct sca_tables *t,
                       struct sca_merge_maps *maps)
{
    for (uint32_t i = 0; i < count(t, SCA_T_MODULES); i++)
        if ((maps->module[i] = sca_merge_module(merge, t, i)) == SCA_NONE)
            return no_memory();
    return SCA_OK;
}

/* The rank before may have had the same at the same place: that saves looking it up. */
static uint32_t merged_node(struct sca_merge *merge, uint32_t i, const struct sca_node *node)
{
    if (i < merge->maps.nnodes) {
        const struct sca_node *like = &merge->profile->nodes[merge->maps.node[i]];
        if (like->parent == node->parent && like->module == node->module &&
            like->offset == node->offset && like->kind == node->kind)
            return merge->maps.node[i];
    }
    return sca_merge_node(merge, node);
}

static uint32_t merged_site(struct sca_merge *merge, uint32_t i, const struct sca_site *site)
{
    if (i < merge->maps.nsites) {
        const struct sca_site *like = &merge->profile->sites[merge->maps.site[i]];
        if (like->node == site->node && like->thread == site->thread &&
            !strcmp(like->function, site->function))
            return merge->maps.site[i];
    }
    return sca_merge_site(merge, site->node, site->function, site->thread);
}

/* Who follows a call path is known of the sites that it leads to. */
static uint32_t thread_of(const struct sca_tables *t, uint32_t node)
{
    const struct sca_part_node *nodes = t->record[SCA_T_NODES];
    bool is = node != SCA_NONE && nodes[node].kind == SCA_NODE_THREAD;
    return is ? (uint32_t)nodes[node].offset : 0;
}

static int map_nodes(struct sca_merge *merge, const struct sca_tables *t,
                     struct sca_merge_maps *maps)
{
    const struct sca_part_node *nodes = t->record[SCA_T_NODES];
    for (uint32_t i = 1; i < count(t, SCA_T_NODES); i++) {
        const struct sca_node node = {maps->node[nodes[i].parent],
                                      nodes[i].module == SCA_NONE ? SCA_NONE
                                                                  : maps->module[nodes[i].module],
                                      nodes[i].offset, nodes[i].kind};
        maps->node[i] = node.kind == SCA_NODE_THREAD ? node.parent : merged_node(merge, i, &node);
        if (maps->node[i] == SCA_NONE)
            return no_memory();
    }
    return SCA_OK;
}

/* A path there was no room for counts at the root. */
static uint32_t mapped(const uint32_t *map, uint32_t index)
{
    return index == SCA_NONE ? 0 : map[index];
}

static int map_sites(struct sca_merge *merge, const struct sca_tables *t,
                     struct sca_merge_maps *maps)
{
    const struct sca_part_site *sites = t->record[SCA_T_SITES];
    for (uint32_t i = 1; i < count(t, SCA_T_SITES); i++) {
        const struct sca_site site = {mapped(maps->node, sites[i].node),
                                      sca_tables_string(t, sites[i].name),
                                      thread_of(t, sites[i].node)};
        maps->site[i] = merged_site(merge, i, &site);
        if (maps->site[i] == SCA_NONE)
            return no_memory();
    }
    return SCA_OK;
}

static int map_comms(struct sca_merge *merge, const struct sca_tables *t,
                     struct sca_merge_maps *maps, struct sca_rank *rank)
{
    const struct sca_part_comm *comms = t->record[SCA_T_COMMS];
    rank->ncomms = count(t, SCA_T_COMMS);
    rank->comms = sca_region_array(merge->region, rank->ncomms, sizeof *rank->comms);
    rank->topologies = sca_region_array(merge->region, rank->ncomms, sizeof *rank->topologies);
    rank->comm_ranks = sca_region_array(merge->region, rank->ncomms, sizeof *rank->comm_ranks);
    if (!rank->comms || !rank->topologies || !rank->comm_ranks)
        return no_memory();
    for (uint32_t i = 0; i < rank->ncomms; i++) {
        maps->comm[i] =
            sca_merge_comm(merge, comms[i].id, comms[i].size, sca_tables_string(t, comms[i].kind));
        rank->topologies[i] = sca_merge_text(merge, sca_tables_string(t, comms[i].topology));
        if (maps->comm[i] == SCA_NONE || !rank->topologies[i])
            return no_memory();
        rank->comms[i] = maps->comm[i];
        rank->comm_ranks[i] = comms[i].rank;
        merge->profile->comms[maps->comm[i]].joins_worlds |=
            sca_worlds_is_told(rank->topologies[i]);
    }
    return SCA_OK;
}

static struct sca_merge_maps new_maps(struct sca_merge *merge, const struct sca_tables *t)
{
    struct sca_region before = merge->earlier;
    sca_region_clear(&before);
    merge->earlier = merge->scratch;
    merge->scratch = before;
    return (struct sca_merge_maps){new_map(merge, t, SCA_T_MODULES),
                                   new_map(merge, t, SCA_T_NODES),
                                   new_map(merge, t, SCA_T_SITES),
                                   new_map(merge, t, SCA_T_COMMS),
                                   count(t, SCA_T_NODES),
                                   count(t, SCA_T_SITES)};
}

static int make_maps(struct sca_merge *merge, const struct sca_tables *t,
                     struct sca_merge_maps *maps, struct sca_rank *rank)
{
    bool alike = merge->alike && merge->maps.node;
    *maps = alike ? merge->maps : new_maps(merge, t);
    bool ready = maps->module && maps->node && maps->site && maps->comm;
    int status = ready ? SCA_OK : no_memory();
    if (status == SCA_OK && !alike)
        status = map_modules(merge, t, maps);
    if (status == SCA_OK && !alike)
        status = map_nodes(merge, t, maps);
    if (status == SCA_OK && !alike)
        status = map_sites(merge, t, maps);
    merge->maps = status == SCA_OK ? *maps : (struct sca_merge_maps){0};
    return status == SCA_OK ? map_comms(merge, t, maps, rank) : status;
}

static void *copied(struct sca_merge *merge, const struct sca_tables *t, enum sca_part_table table,
                    uint32_t *n)
{
    size_t bytes = (size_t)count(t, table) * sca_table_stride[table];
    void *copy = sca_region_alloc(merge->records, bytes);
    if (copy && bytes)
        memcpy(copy, t->record[table], bytes);
    *n = copy ? count(t, table) : 0;
    return copy;
}

static void add_total(struct sca_site_total *to, const struct sca_part_site *from)
{
    to->min_ns =
        !to->count || (from->count && from->min_ns < to->min_ns) ? from->min_ns : to->min_ns;
    to->max_ns = from->max_ns > to->max_ns ? from->max_ns : to->max_ns;
    to->count += from->count;
    to->time_ns += from->time_ns;
    to->bytes += from->bytes;
}

/* Two sites of a rank are one after the merge when a library was loaded twice: add them up. */
static int merge_totals(struct sca_merge *merge, const struct sca_tables *t,
                        const struct sca_merge_maps *maps, struct sca_rank *rank)
{
    const struct sca_part_site *sites = t->record[SCA_T_SITES];
    uint32_t n = count(t, SCA_T_SITES);
    uint32_t *place = sca_region_array(&merge->scratch, merge->profile->nsites, sizeof *place);
    rank->sites = sca_region_array(merge->records, n, sizeof *rank->sites);
    if (!place || !rank->sites)
        return no_memory();
    for (uint32_t i = 0; i < n; i++) {
        uint32_t site = maps->site[i];
        if (!place[site]) {
            rank->sites[rank->nsites].site = site;
            place[site] = ++rank->nsites;
        }
        add_total(&rank->sites[place[site] - 1], &sites[i]);
    }
    return SCA_OK;
}

/* Two of one site after the merge stay two. Packed profiles are without. */
static int merge_durations(struct sca_merge *merge, const struct sca_tables *t,
                           const struct sca_merge_maps *maps, struct sca_rank *rank)
{
    if (merge->records != merge->region)
        return SCA_OK;
    int status = sca_durations_read(merge->region, t, &rank->durations, &rank->ndurations);
    for (uint32_t i = 0; status == SCA_OK && i < rank->ndurations; i++) {
        struct sca_durations *d = &rank->durations[i];
        if (d->previous != SCA_NONE) /* of calls: there is none */
            d->previous = mapped(maps->site, d->previous);
        d->site = mapped(maps->site, d->site);
    }
    return status;
}

static int merge_times(struct sca_merge *merge, const struct sca_tables *t,
                       const struct sca_merge_maps *maps, struct sca_rank *rank)
{
    rank->intervals = copied(merge, t, SCA_T_INTERVALS, &rank->nintervals);
    rank->sample = copied(merge, t, SCA_T_SAMPLES, &rank->nsamples);
    if (!rank->intervals || !rank->sample)
        return no_memory();
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        rank->intervals[i].previous = mapped(maps->site, rank->intervals[i].previous);
        rank->intervals[i].site = mapped(maps->site, rank->intervals[i].site);
    }
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        rank->sample[i].node = mapped(maps->node, rank->sample[i].node);
        rank->sample[i].previous = mapped(maps->site, rank->sample[i].previous);
        if (rank->sample[i].in_mpi != SCA_SAMPLE_HANDED_OVER)
            rank->sample[i].next = mapped(maps->site, rank->sample[i].next);
    }
    return SCA_OK;
}

uint32_t sca_merge_comm_of(struct sca_merge *merge, const struct sca_merge_maps *maps,
                           uint32_t comm)
{
    if (comm != SCA_NONE)
        return maps->comm[comm];
    if (merge->unknown_comm == SCA_NONE)
        merge->unknown_comm = sca_merge_comm(merge, 0, 0, "unknown");
    return merge->unknown_comm == SCA_NONE ? 0 : merge->unknown_comm;
}

/* Messages whose name turned out wrong lost their hash. */
static uint32_t drop_retracted(struct sca_part_message *messages, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (messages[i].hash)
            messages[kept++] = messages[i];
    return kept;
}

static int merge_traffic(struct sca_merge *merge, const struct sca_tables *t,
                         const struct sca_merge_maps *maps, struct sca_rank *rank)
{
    rank->peers = copied(merge, t, SCA_T_PEERS, &rank->npeers);
    rank->collectives = copied(merge, t, SCA_T_COLLECTIVES, &rank->ncollectives);
    rank->messages = copied(merge, t, SCA_T_MESSAGES, &rank->nmessages);
    if (!rank->peers || !rank->collectives || !rank->messages)
        return no_memory();
    for (uint32_t i = 0; i < rank->npeers; i++) {
        rank->peers[i].site = mapped(maps->site, rank->peers[i].site);
        rank->peers[i].comm = sca_merge_comm_of(merge, maps, rank->peers[i].comm);
    }
    for (uint32_t i = 0; i < rank->ncollectives; i++) {
        rank->collectives[i].site = mapped(maps->site, rank->collectives[i].site);
        rank->collectives[i].comm = sca_merge_comm_of(merge, maps, rank->collectives[i].comm);
    }
    rank->nmessages = drop_retracted(rank->messages, rank->nmessages);
    for (uint32_t i = 0; i < rank->nmessages; i++) {
        rank->messages[i].site = mapped(maps->site, rank->messages[i].site);
        rank->messages[i].post_site = mapped(maps->site, rank->messages[i].post_site);
        rank->messages[i].comm = sca_merge_comm_of(merge, maps, rank->messages[i].comm);
    }
    return SCA_OK;
}

/* The last value of a key in "key NUL value NUL ...", or "". */
static const char *last_value(const struct sca_tables *t, const char *key)
{
    const char *bytes = t->record[SCA_T_META], *end = bytes + count(t, SCA_T_META), *found = "";
    while (bytes < end) {
        const char *value = bytes + strlen(bytes) + 1;
        if (value >= end)
            break;
        if (!strcmp(bytes, key))
            found = value;
        bytes = value + strlen(value) + 1;
    }
    return found;
}

/* Where samples of unlike weight were taken (Kish 1965). Who was killed left the sum of squares in
 * the live state alone. Without a word of it, all are alike. */
static double sample_worth(const struct sca_part_header *h, const char *squares)
{
    uint64_t sum = *squares ? strtoull(squares, NULL, 10) : h->sample_squares;
    return h->samples && sum > h->samples ? (double)h->samples / (double)sum : 1;
}

static int copy_summary(struct sca_merge *merge, const struct sca_tables *t, struct sca_rank *rank)
{
    const struct sca_part_header *h = &t->header;
    rank->present = true;
    rank->complete = h->state == SCA_FINALIZED;
    rank->init_ns = h->init_ns;
    rank->wall_ns = h->wall_ns;
    if (!rank->complete && !h->wall_ns && h->last_ns > h->init_ns)
        rank->wall_ns = h->last_ns - h->init_ns; /* died: up to the last sign of life */
    rank->cpu_ns = h->cpu_ns;
    rank->mpi_ns = h->mpi_ns;
    rank->mpi_calls = h->mpi_calls;
    rank->tool_ns = h->tool_ns;
    rank->tool_gap_ns = h->tool_gap_ns;
    rank->samples = h->samples;
    rank->samples_in_mpi = h->samples_in_mpi;
    rank->samples_dropped = h->samples_dropped;
    rank->sample_period_ns = h->sample_period_ns;
    rank->sample_worth = sample_worth(h, last_value(t, "sampling.squares"));
    for (int i = 0; i < SCA_T_COUNT; i++)
        rank->dropped += h->table[i].dropped;
    rank->host = sca_merge_text(merge, last_value(t, "host"));
    rank->address = sca_merge_text(merge, last_value(t, "address"));
    rank->unreached = sca_merge_text(merge, last_value(t, "sampling.unreached"));
    rank->cores = sca_merge_text(merge, last_value(t, "cores"));
    rank->core_use = sca_merge_text(merge, last_value(t, "core.use"));
    rank->core_waited_ns = strtoull(last_value(t, "core.waited_ns"), NULL, 10);
    rank->core_threads = sca_merge_text(merge, last_value(t, "core.threads"));
    rank->core_free = sca_merge_text(merge, last_value(t, "core.free"));
    rank->core_step_ps = strtoull(last_value(t, "core.step_ps"), NULL, 10);
    rank->node = (uint32_t)strtoul(last_value(t, "node"), NULL, 10);
    sca_timeline_rank(rank, h, last_value(t, "clock.leader"), last_value(t, "clock.offset"),
                      last_value(t, "clock.error"));
    bool whole = rank->host && rank->address && rank->unreached && rank->cores;
    return whole && rank->core_use && rank->core_threads && rank->core_free ? SCA_OK : no_memory();
}

int sca_merge_rank(struct sca_merge *merge, const struct sca_tables *t, struct sca_rank *rank)
{
    struct sca_merge_maps maps;
    int status = make_maps(merge, t, &maps, rank);
    if (status == SCA_OK)
        status = merge_totals(merge, t, &maps, rank);
    if (status == SCA_OK)
        status = merge_times(merge, t, &maps, rank);
    if (status == SCA_OK)
        status = merge_durations(merge, t, &maps, rank);
    if (status == SCA_OK)
        status = merge_traffic(merge, t, &maps, rank);
    if (status == SCA_OK)
        status = sca_merge_windows(merge, t, &maps, rank);
    if (status == SCA_OK)
        status = copy_summary(merge, t, rank);
    if (status == SCA_OK)
        status = sca_moment_make(merge->region, t,
                                 &(struct sca_moment_maps){maps.site, maps.node, maps.comm},
                                 &rank->moment);
    if (status < 0)
        *rank = (struct sca_rank){0};
    return status;
}

int sca_merge_add_meta(struct sca_merge *merge, const char *key, const char *value)
{
    struct sca_profile *p = merge->profile;
    const char *k = sca_merge_text(merge, key), *v = sca_merge_text(merge, value);
    if (!k || !v)
        return no_memory();
    uint32_t i = 0;
    while (i < p->nmeta && strcmp(p->meta[i].key, key))
        i++;
    if (i == p->nmeta) {
        struct sca_metadata *larger = sca_region_array(merge->region, i + 1, sizeof *larger);
        if (!larger)
            return no_memory();
        if (i)
            memcpy(larger, p->meta, i * sizeof *larger);
        p->meta = larger;
        p->nmeta++;
    }
    p->meta[i] = (struct sca_metadata){k, v};
    return SCA_OK;
}

int sca_merge_meta(struct sca_merge *merge, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    int status = SCA_OK;
    while (status == SCA_OK && bytes < end) {
        const char *value = bytes + strlen(bytes) + 1;
        if (value >= end)
            break;
        status = sca_merge_add_meta(merge, bytes, value);
        bytes = value + strlen(value) + 1;
    }
    return status;
}
