/*
 * The bytes of `.scalana.psg` (doc/FORMATS.md) as common/psg_write.c puts them down and
 * common/psg_read.c takes them up.
 */
#ifndef PSG_RECORDS_H
#define PSG_RECORDS_H

enum { RECORD_MARK = 0xA5, RECORD_VERSION = 1 };
enum record {
    RECORD_FUNCTION = 'F',
    RECORD_UNIT = 'U',
    RECORD_TEXT = 'T',
    RECORD_ALIAS = 'A',
    RECORD_PACKED = 'Z' /* any of the others, but no packed ones */
};

/* The first byte of a vertex: kind in the low bits, what follows, then the flags. */
enum { VERTEX_KIND = 7, VERTEX_ARM = 8, VERTEX_FILE = 16, VERTEX_FLAGS = 5 };

#endif
