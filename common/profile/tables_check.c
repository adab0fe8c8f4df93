/* What makes tables safe to follow: every index in range, every string ended. */
#include "profile/tables.h"

#include <string.h>

static struct sca_fault fault(const char *what, enum sca_part_table table, uint32_t index)
{
    return (struct sca_fault){what, table, index};
}

static uint32_t count(const struct sca_tables *t, enum sca_part_table table)
{
    return t->header.table[table].count;
}

static int within(uint32_t index, uint32_t limit)
{
    return index < limit || index == SCA_NONE;
}

static struct sca_fault check_strings(const struct sca_tables *t)
{
    const char *strings = t->record[SCA_T_STRINGS], *meta = t->record[SCA_T_META];
    uint32_t n = count(t, SCA_T_STRINGS), m = count(t, SCA_T_META);
    if (!n || strings[0])
        return fault("the first string is not empty", SCA_T_STRINGS, 0);
    if (strings[n - 1])
        return fault("the last string has no end", SCA_T_STRINGS, n - 1);
    if (m && meta[m - 1])
        return fault("the last value has no end", SCA_T_META, m - 1);
    return fault(NULL, 0, 0);
}

static struct sca_fault check_modules(const struct sca_tables *t)
{
    const struct sca_part_module *modules = t->record[SCA_T_MODULES];
    for (uint32_t i = 0; i < count(t, SCA_T_MODULES); i++) {
        if (modules[i].path >= count(t, SCA_T_STRINGS))
            return fault("a path outside the strings", SCA_T_MODULES, i);
        if (modules[i].build_id_size > sizeof modules[i].build_id)
            return fault("a build-id that is too long", SCA_T_MODULES, i);
    }
    return fault(NULL, 0, 0);
}

static int is_thread(const struct sca_part_node *node)
{
    return node->kind == SCA_NODE_THREAD && node->offset > 0 && node->offset <= SCA_TRACKS;
}

/* A parent comes before its children, so that no chain of parents can be a circle. */
static struct sca_fault check_nodes(const struct sca_tables *t)
{
    const struct sca_part_node *nodes = t->record[SCA_T_NODES];
    if (!count(t, SCA_T_NODES))
        return fault("there is no root", SCA_T_NODES, 0);
    for (uint32_t i = 1; i < count(t, SCA_T_NODES); i++) {
        if (nodes[i].parent >= i)
            return fault("a parent that does not come before it", SCA_T_NODES, i);
        if (!within(nodes[i].module, count(t, SCA_T_MODULES)))
            return fault("a module that does not exist", SCA_T_NODES, i);
        if (nodes[i].kind > SCA_NODE_PC + SCA_NODE_GUESSED + SCA_NODE_OBJECT &&
            !is_thread(&nodes[i]))
            return fault("an unknown kind", SCA_T_NODES, i);
    }
    return fault(NULL, 0, 0);
}

static struct sca_fault check_sites(const struct sca_tables *t)
{
    const struct sca_part_site *sites = t->record[SCA_T_SITES];
    if (!count(t, SCA_T_SITES))
        return fault("there is no first site", SCA_T_SITES, 0);
    for (uint32_t i = 0; i < count(t, SCA_T_SITES); i++) {
        if (!within(sites[i].node, count(t, SCA_T_NODES)))
            return fault("a call path that does not exist", SCA_T_SITES, i);
        if (sites[i].name >= count(t, SCA_T_STRINGS))
            return fault("a name outside the strings", SCA_T_SITES, i);
    }
    return fault(NULL, 0, 0);
}

static int is_next(const struct sca_part_sample *s, uint32_t sites)
{
    return s->in_mpi == SCA_SAMPLE_HANDED_OVER || within(s->next, sites);
}

static struct sca_fault check_times(const struct sca_tables *t)
{
    const struct sca_part_interval *intervals = t->record[SCA_T_INTERVALS];
    const struct sca_part_sample *samples = t->record[SCA_T_SAMPLES];
    uint32_t sites = count(t, SCA_T_SITES);
    for (uint32_t i = 0; i < count(t, SCA_T_INTERVALS); i++)
        if (!within(intervals[i].previous, sites) || !within(intervals[i].site, sites))
            return fault("a site that does not exist", SCA_T_INTERVALS, i);
    for (uint32_t i = 0; i < count(t, SCA_T_SAMPLES); i++)
        if (!within(samples[i].node, count(t, SCA_T_NODES)) ||
            !within(samples[i].previous, sites) || !is_next(&samples[i], sites))
            return fault("a call path or site that does not exist", SCA_T_SAMPLES, i);
    return fault(NULL, 0, 0);
}

/* A world rank, -1 for one that is not known, or one of another world. */
static int is_rank(const struct sca_tables *t, int32_t rank)
{
    return rank > SCA_FOREIGN - SCA_MOST_FOREIGN && rank < (int64_t)t->header.size;
}

static struct sca_fault check_traffic(const struct sca_tables *t)
{
    const struct sca_part_peer *peers = t->record[SCA_T_PEERS];
    const struct sca_part_collective *collectives = t->record[SCA_T_COLLECTIVES];
    uint32_t sites = count(t, SCA_T_SITES), comms = count(t, SCA_T_COMMS);
    for (uint32_t i = 0; i < count(t, SCA_T_PEERS); i++)
        if (!within(peers[i].site, sites) || !within(peers[i].comm, comms) ||
            !is_rank(t, peers[i].peer) || peers[i].direction > SCA_RECEIVED)
            return fault("a site, communicator or rank that does not exist", SCA_T_PEERS, i);
    for (uint32_t i = 0; i < count(t, SCA_T_COLLECTIVES); i++)
        if (!within(collectives[i].site, sites) || !within(collectives[i].comm, comms) ||
            !is_rank(t, collectives[i].root))
            return fault("a site, communicator or root that does not exist", SCA_T_COLLECTIVES, i);
    return fault(NULL, 0, 0);
}

static struct sca_fault check_messages(const struct sca_tables *t)
{
    const struct sca_part_comm *comms = t->record[SCA_T_COMMS];
    const struct sca_part_message *messages = t->record[SCA_T_MESSAGES];
    uint32_t sites = count(t, SCA_T_SITES);
    for (uint32_t i = 0; i < count(t, SCA_T_COMMS); i++)
        if (comms[i].kind >= count(t, SCA_T_STRINGS) ||
            comms[i].topology >= count(t, SCA_T_STRINGS))
            return fault("a kind or topology outside the strings", SCA_T_COMMS, i);
    for (uint32_t i = 0; i < count(t, SCA_T_MESSAGES); i++)
        if (!within(messages[i].site, sites) || !within(messages[i].post_site, sites) ||
            !within(messages[i].comm, count(t, SCA_T_COMMS)) || !is_rank(t, messages[i].peer) ||
            messages[i].direction > SCA_RECEIVED)
            return fault("a site, communicator or rank that does not exist", SCA_T_MESSAGES, i);
    return fault(NULL, 0, 0);
}

static struct sca_fault check_windows(const struct sca_tables *t)
{
    const struct sca_part_window *windows = t->record[SCA_T_WINDOWS];
    for (uint32_t i = 0; i < count(t, SCA_T_WINDOWS); i++)
        if ((uint64_t)windows[i].events_offset + windows[i].events_size > count(t, SCA_T_EVENTS))
            return fault("events that do not exist", SCA_T_WINDOWS, i);
    return fault(NULL, 0, 0);
}

struct sca_fault sca_tables_check(const struct sca_tables *t)
{
    struct sca_fault (*const checks[])(const struct sca_tables *) = {
        check_strings, check_modules, check_nodes,    check_sites,
        check_times,   check_traffic, check_messages, check_windows};
    struct sca_fault found = fault(NULL, 0, 0);
    if (t->header.rank >= t->header.size || t->header.size > SCA_MAX_RANKS)
        return fault("a rank outside the run", SCA_T_COUNT, 0);
    if (t->header.nmetrics > SCA_MAX_METRICS)
        return fault("too many metrics", SCA_T_COUNT, 0);
    for (size_t i = 0; !found.what && i < sizeof checks / sizeof *checks; i++)
        found = checks[i](t);
    return found;
}
