/* What packing and opening a rank share: the tables, and the columns they consist of. */
#ifndef SCA_PACKED_FIELDS_H
#define SCA_PACKED_FIELDS_H

#include "sca_profile.h"

#include <stddef.h>
#include <stdint.h>

enum sca_packed_table {
    SCA_PACKED_SITES,
    SCA_PACKED_INTERVALS,
    SCA_PACKED_SAMPLES,
    SCA_PACKED_PEERS,
    SCA_PACKED_COLLECTIVES,
    SCA_PACKED_MESSAGES,
    SCA_PACKED_EVENTS,
    SCA_PACKED_OPS,
    SCA_PACKED_TABLES
};

/* INTEGER: base + unsigned number; FLOAT: the upper bytes of a float. Values are read eight bytes
 * at a time, so that many follow the last. */
enum { SCA_PACKED_INTEGER, SCA_PACKED_FLOAT, SCA_PACKED_PADDING = 8 };

enum { SCA_PACKED_COLUMNS = 55 };

struct sca_packed_column {
    const uint8_t *bytes;
    uint64_t base;       /* added to each */
    uint8_t width, form; /* bytes per value, 0: all are the base; INTEGER or FLOAT */
};

/* What a rank's tables have become. */
struct sca_packed {
    uint32_t nevents, nops; /* of all windows, one behind the other */
    struct sca_packed_column columns[SCA_PACKED_COLUMNS];
};

struct sca_packed_field {
    uint8_t table, offset, size, stride;
};

struct sca_sizes { /* the most records that any rank has */
    size_t of[SCA_PACKED_TABLES], windows;
};
struct sca_sizes sca_packed_fields_sizes(const struct sca_profile *profile);

extern const struct sca_packed_field sca_packed_fields[SCA_PACKED_COLUMNS];

#endif
