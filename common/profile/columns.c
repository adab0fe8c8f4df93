/* Which fields of which table make up a rank image, and how each is written. */
#include "profile/tables.h"

#include <stddef.h>

#define FIELD(table, type, field, coding)                                                          \
    {table, offsetof(struct type, field), sizeof(((struct type *)0)->field), coding}
#define BYTES(table)     {table, 0, 1, SCA_CODE_BYTES}
#define MODULE(f, c)     FIELD(SCA_T_MODULES, sca_part_module, f, SCA_CODE_##c)
#define NODE(f, c)       FIELD(SCA_T_NODES, sca_part_node, f, SCA_CODE_##c)
#define SITE(f, c)       FIELD(SCA_T_SITES, sca_part_site, f, SCA_CODE_##c)
#define INTERVAL(f, c)   FIELD(SCA_T_INTERVALS, sca_part_interval, f, SCA_CODE_##c)
#define SAMPLE(f, c)     FIELD(SCA_T_SAMPLES, sca_part_sample, f, SCA_CODE_##c)
#define PEER(f, c)       FIELD(SCA_T_PEERS, sca_part_peer, f, SCA_CODE_##c)
#define COLLECTIVE(f, c) FIELD(SCA_T_COLLECTIVES, sca_part_collective, f, SCA_CODE_##c)
#define COMM(f, c)       FIELD(SCA_T_COMMS, sca_part_comm, f, SCA_CODE_##c)
#define MESSAGE(f, c)    FIELD(SCA_T_MESSAGES, sca_part_message, f, SCA_CODE_##c)
#define WINDOW(f, c)     FIELD(SCA_T_WINDOWS, sca_part_window, f, SCA_CODE_##c)

const struct sca_column sca_columns[SCA_COLUMNS] = {
    BYTES(SCA_T_STRINGS),
    MODULE(first, PLAIN),
    MODULE(last, AFTER),
    MODULE(bias, AFTER),
    MODULE(path, DELTA),
    MODULE(build_id_size, PLAIN),
    MODULE(build_id, BYTES),
    NODE(parent, DELTA),
    NODE(module, DELTA),
    NODE(offset, DELTA),
    NODE(kind, PLAIN),
    SITE(node, DELTA),
    SITE(name, DELTA),
    SITE(count, PLAIN),
    SITE(time_ns, ROUND),
    SITE(bytes, PLAIN),
    SITE(min_ns, FLOOR),
    SITE(max_ns, CEIL),
    INTERVAL(previous, DELTA),
    INTERVAL(site, DELTA),
    INTERVAL(count, PLAIN),
    INTERVAL(wall_ns, ROUND),
    INTERVAL(cpu_ns, ROUND_AFTER),
    INTERVAL(blocked_ns, ROUND),
    INTERVAL(min_ns, FLOOR),
    INTERVAL(max_ns, CEIL),
    SAMPLE(node, DELTA),
    SAMPLE(previous, DELTA),
    SAMPLE(in_mpi, PLAIN),
    SAMPLE(count, PLAIN),
    SAMPLE(metric[0], PLAIN),
    SAMPLE(metric[1], PLAIN),
    SAMPLE(metric[2], PLAIN),
    SAMPLE(metric[3], PLAIN),
    PEER(site, DELTA),
    PEER(comm, PLAIN),
    PEER(peer, DELTA),
    PEER(direction, PLAIN),
    PEER(count, PLAIN),
    PEER(bytes, PLAIN),
    COLLECTIVE(site, DELTA),
    COLLECTIVE(comm, PLAIN),
    COLLECTIVE(root, DELTA),
    COLLECTIVE(count, PLAIN),
    COLLECTIVE(bytes, PLAIN),
    COMM(id, BYTES),
    COMM(size, PLAIN),
    COMM(rank, PLAIN),
    COMM(kind, DELTA),
    COMM(topology, DELTA),
    MESSAGE(hash, FLAG),
    MESSAGE(comm, PLAIN),
    MESSAGE(peer, DELTA),
    MESSAGE(tag, DELTA),
    MESSAGE(direction, PLAIN),
    MESSAGE(number, PLAIN),
    MESSAGE(site, PLAIN),
    MESSAGE(post_site, PLAIN),
    MESSAGE(bytes, PLAIN),
    MESSAGE(enter_ns, TICKS),
    MESSAGE(exit_ns, SPAN),
    WINDOW(iteration, DELTA),
    WINDOW(iterations, PLAIN),
    WINDOW(duration_class, PLAIN),
    WINDOW(class_total, PLAIN),
    WINDOW(begin_ns, DELTA),
    WINDOW(end_ns, AFTER),
    WINDOW(events_offset, DELTA),
    WINDOW(events_size, PLAIN),
    WINDOW(nevents, PLAIN),
    WINDOW(kept, PLAIN),
    BYTES(SCA_T_EVENTS),
    BYTES(SCA_T_META),
    SAMPLE(next, DELTA),      /* since version 4 */
    SAMPLE(length_ns, ROUND), /* since version 5, */
    SAMPLE(thread, PLAIN),    /* as this */
};

const uint32_t sca_table_stride[SCA_T_COUNT] = {
    [SCA_T_STRINGS] = 1,
    [SCA_T_MODULES] = sizeof(struct sca_part_module),
    [SCA_T_NODES] = sizeof(struct sca_part_node),
    [SCA_T_SITES] = sizeof(struct sca_part_site),
    [SCA_T_INTERVALS] = sizeof(struct sca_part_interval),
    [SCA_T_SAMPLES] = sizeof(struct sca_part_sample),
    [SCA_T_PEERS] = sizeof(struct sca_part_peer),
    [SCA_T_COLLECTIVES] = sizeof(struct sca_part_collective),
    [SCA_T_COMMS] = sizeof(struct sca_part_comm),
    [SCA_T_MESSAGES] = sizeof(struct sca_part_message),
    [SCA_T_WINDOWS] = sizeof(struct sca_part_window),
    [SCA_T_EVENTS] = 1,
    [SCA_T_META] = 1,
};

const char *sca_tables_name(enum sca_part_table table)
{
    static const char *const names[SCA_T_COUNT] = {
        "strings",     "modules",       "call paths", "sites",   "intervals", "samples", "peers",
        "collectives", "communicators", "messages",   "windows", "events",    "metadata"};
    return table < SCA_T_COUNT ? names[table] : "unknown";
}

void sca_columns_header_numbers(const struct sca_part_header *h, uint64_t out[SCA_HEADER_NUMBERS])
{
    const uint64_t numbers[SCA_HEADER_NUMBERS] = {
        h->rank,       h->size,    h->state,          h->nmetrics,        h->init_ns,
        h->last_ns,    h->wall_ns, h->cpu_ns,         h->mpi_ns,          h->mpi_calls,
        h->tool_ns,    h->samples, h->samples_in_mpi, h->samples_dropped, h->sample_period_ns,
        h->tool_gap_ns};
    for (int i = 0; i < SCA_HEADER_NUMBERS; i++)
        out[i] = numbers[i];
}

void sca_columns_header_from_numbers(struct sca_part_header *h,
                                     const uint64_t n[SCA_HEADER_NUMBERS])
{
    h->rank = (uint32_t)n[0];
    h->size = (uint32_t)n[1];
    h->state = (uint32_t)n[2];
    h->nmetrics = (uint32_t)n[3];
    uint64_t *const wide[] = {&h->init_ns,         &h->last_ns,          &h->wall_ns,
                              &h->cpu_ns,          &h->mpi_ns,           &h->mpi_calls,
                              &h->tool_ns,         &h->samples,          &h->samples_in_mpi,
                              &h->samples_dropped, &h->sample_period_ns, &h->tool_gap_ns};
    for (int i = 0; i < SCA_HEADER_NUMBERS - 4; i++)
        *wide[i] = n[4 + i];
}
