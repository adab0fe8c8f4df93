/*
 * The bytes of `.scalana.psg` (doc/FORMATS.md) as common/psg/psg_write.c puts them down and
 * common/psg/psg_read.c takes them up.
 */
#ifndef PSG_RECORDS_H
#define PSG_RECORDS_H

#include "sca_psg.h"

enum { RECORD_MARK = 0xA5, RECORD_VERSION = 2 };
enum record {
    RECORD_UNIT = 'U',
    RECORD_PACKED = 'Z' /* units, but no packed ones */
};

/* How a text is referred to: none, the next one not used before, or the n-th last that was, plus
 * what the others take. Most are used for the first time, or again soon. */
enum { TEXT_NONE, TEXT_NEXT, TEXT_USED };

/* What is said of a function. */
enum { FUNCTION_LOCAL = 1, FUNCTION_NUMBERED = 2 };

/* The first byte of a vertex: kind in the low bits, what follows, then the flags. A loop whose line
 * is near by is of a kind of its own. */
enum { VERTEX_KIND = 7, VERTEX_NEAR_LOOP = 6, VERTEX_ARM = 8, VERTEX_FILE = 16, VERTEX_FLAGS = 5 };

/* The hash of all that a function is, in whatever unit. */
uint64_t sca_psg_key(const struct sca_function *function);
/* The hash of a unit: its source, depth and entries. */
uint64_t sca_psg_key_unit_hash(const struct sca_unit *unit);

#endif
