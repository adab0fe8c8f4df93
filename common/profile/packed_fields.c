#include "profile/packed_fields.h"

#include <stddef.h>

#define FIELD(table, type, field)                                                                  \
    {SCA_PACKED_##table, offsetof(struct type, field), sizeof(((struct type *)0)->field),          \
     sizeof(struct type)}
#define SITE(f)       FIELD(SITES, sca_site_total, f)
#define INTERVAL(f)   FIELD(INTERVALS, sca_part_interval, f)
#define SAMPLE(f)     FIELD(SAMPLES, sca_part_sample, f)
#define PEER(f)       FIELD(PEERS, sca_part_peer, f)
#define COLLECTIVE(f) FIELD(COLLECTIVES, sca_part_collective, f)
#define MESSAGE(f)    FIELD(MESSAGES, sca_part_message, f)
#define EVENT(f)      FIELD(EVENTS, sca_event, f)
#define OP(f)         FIELD(OPS, sca_op, f)

const struct sca_packed_field sca_packed_fields[SCA_PACKED_COLUMNS] = {
    SITE(site),
    SITE(count),
    SITE(time_ns),
    SITE(bytes),
    SITE(min_ns),
    INTERVAL(previous),
    INTERVAL(site),
    INTERVAL(count),
    INTERVAL(cpu_ns),
    INTERVAL(blocked_ns),
    INTERVAL(max_ns),
    SAMPLE(node),
    SAMPLE(previous),
    SAMPLE(in_mpi),
    SAMPLE(next),
    SAMPLE(thread),
    SAMPLE(count),
    SAMPLE(metric[0]),
    SAMPLE(metric[1]),
    SAMPLE(metric[2]),
    SAMPLE(metric[3]),
    SAMPLE(length_ns),
    PEER(site),
    PEER(comm),
    PEER(peer),
    PEER(direction),
    PEER(count),
    PEER(bytes),
    COLLECTIVE(site),
    COLLECTIVE(comm),
    COLLECTIVE(root),
    COLLECTIVE(count),
    COLLECTIVE(bytes),
    MESSAGE(hash),
    MESSAGE(comm),
    MESSAGE(peer),
    MESSAGE(tag),
    MESSAGE(direction),
    MESSAGE(number),
    MESSAGE(site),
    MESSAGE(post_site),
    MESSAGE(bytes),
    MESSAGE(enter_ns),
    MESSAGE(exit_ns),
    EVENT(site),
    EVENT(first_op),
    EVENT(nops),
    EVENT(gap_ns),
    OP(kind),
    OP(shape),
    OP(comm),
    OP(peer),
    OP(tag),
    OP(number),
    OP(bytes),
};
