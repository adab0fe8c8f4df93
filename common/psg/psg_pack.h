/*
 * Records of a graph, packed: the names of templates fill most of a section and repeat themselves.
 * zlib (RFC 1950), whose checksum also tells damage. Between common/psg/psg_write.c and
 * common/psg/psg_read.c.
 */
#ifndef PSG_PACK_H
#define PSG_PACK_H

#include "sca_wire.h"

/* The packed bytes behind their raw length, malloc()ed; NULL when out of memory or when packing
 * would save nothing. The same input gives the same output. */
uint8_t *sca_psg_pack(const void *bytes, size_t length, size_t *packed);
/* What the reader's rest unpacks to, malloc()ed. NULL and r->failed if it is damaged, NULL alone
 * when out of memory. */
uint8_t *sca_psg_unpack(struct sca_reader *r, size_t *length);

#endif
