/*
 * One rank's tables in memory, wherever they come from: a live arena, a mapped .part file, a
 * decoded image or a test. Inside common/, prof/ and tests/support only; everyone else sees
 * sca_profile.h.
 *
 * Nothing here allocates. Encoding is used by the preloaded runtime inside Finalize.
 */
#ifndef SCA_TABLES_H
#define SCA_TABLES_H

#include "sca_part.h"
#include "sca_wire.h"

/* The header's directories give count, dropped (and in a .part the offset) of each table. */
struct sca_tables {
    struct sca_part_header header;
    const void *record[SCA_T_COUNT];
    const void *series;                  /* marks of a .part (header.series), else NULL */
    const struct sca_part_phase *phases; /* [nphases], that the program names; of a .part */
    uint32_t nphases;
    struct sca_tables_durations { /* of a .part, or as an image has them; of neither: not known */
        const struct sca_part_durations *live;
        uint32_t n; /* of these: of the first so many records */
        const uint8_t *coded;
        size_t length;
    } durations[SCA_TIMED_COUNT];
};

/* How a field is written. FLOOR to FLAG do not give back what was put in. */
enum sca_coding {
    SCA_CODE_PLAIN, /* varint */
    SCA_CODE_DELTA, /* svarint of the difference from the record before */
    SCA_CODE_AFTER, /* svarint of the difference from the 64-bit field in front of it */
    SCA_CODE_ROUND, /* exact, and short for numbers with few significant bits: totals of times */
    SCA_CODE_ROUND_AFTER, /* the same of the difference from the 64-bit field in front */
    SCA_CODE_FLOOR,       /* 7 significant bits, rounded down: a minimum */
    SCA_CODE_CEIL,        /* the same, rounded up: a maximum */
    SCA_CODE_SPAN,        /* AFTER and CEIL together: the end of a time */
    SCA_CODE_TICKS,       /* DELTA, in units of 1,024: an instant in nanoseconds */
    SCA_CODE_FLAG,        /* 0 or 1: whether there is anything but 0 */
    SCA_CODE_BYTES        /* as they are */
};

static inline int sca_coding_looks_ahead(uint8_t coding)
{
    return coding == SCA_CODE_AFTER || coding == SCA_CODE_ROUND_AFTER || coding == SCA_CODE_SPAN;
}

/* More is damage, not a machine. */
enum { SCA_MAX_RANKS = 1 << 22 };

struct sca_column {
    uint8_t table, offset, size, coding;
};

/* The columns of an image, in order: section 0 is the header, section i + 1 is column i. Durations
 * come behind them, and then the rows of the events' gaps. */
enum {
    SCA_COLUMNS = 76,
    SCA_FIRST_DURATIONS = SCA_COLUMNS + 1, /* of sites, then of intervals (durations.h) */
    SCA_FIRST_ROWS = SCA_FIRST_DURATIONS + SCA_TIMED_COUNT, /* of the gaps (event_rows.h) */
    SCA_SECTIONS = SCA_FIRST_ROWS + 2,
    SCA_LEAST_SECTIONS = SCA_COLUMNS + 1 - 3, /* of images of version 3 */
    SCA_HEADER_NUMBERS = 16
};
extern const struct sca_column sca_columns[SCA_COLUMNS];
extern const uint32_t sca_table_stride[SCA_T_COUNT];
/* The header's numbers that travel, in order. */
void sca_columns_header_numbers(const struct sca_part_header *header,
                                uint64_t out[SCA_HEADER_NUMBERS]);
void sca_columns_header_from_numbers(struct sca_part_header *header,
                                     const uint64_t numbers[SCA_HEADER_NUMBERS]);

/* Appends a rank image: SCA_SECTIONS times (varint length, bytes). */
void sca_image_encode(const struct sca_tables *tables, struct sca_writer *out);

/* Where tables are wrong: `what` is NULL when they are not. */
struct sca_fault {
    const char *what;
    enum sca_part_table table;
    uint32_t index;
};
/* Every index, string and order that a reader relies on. SCA_NONE passes as "unknown" where the
 * runtime writes it when a table is full. */
struct sca_fault sca_tables_check(const struct sca_tables *tables);
const char *sca_tables_name(enum sca_part_table table);

/* A string of checked tables. */
static inline const char *sca_tables_string(const struct sca_tables *t, uint32_t offset)
{
    return (const char *)t->record[SCA_T_STRINGS] + offset;
}

#endif
