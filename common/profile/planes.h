/*
 * The numbers of one section of a group of ranks, byte by byte: the first bytes of all of them,
 * then the second bytes of those that have one, and so on. High bytes resemble each other and low
 * ones do not: each plane packs by itself (doc/FORMATS.md section 3). Allocates nothing; any
 * thread.
 */
#ifndef SCA_PLANES_H
#define SCA_PLANES_H

#include "profile/image.h"

#include <stdbool.h>

/* How many varints a span holds; SIZE_MAX where it ends within one. */
size_t sca_planes_count(const struct sca_span *span);
/* Plane `plane`, from 0, of n spans of whole varints; false: none has so many bytes. */
bool sca_planes_put(struct sca_writer *out, const struct sca_span *spans, uint32_t n,
                    unsigned plane);

/* Puts planes together again, each rank's number of varints in front of them. `to` has room for
 * all that `in` has left. The spans, `stride` apart, are set to what lies there. Returns how many
 * bytes these are; in->failed where planes are missing. */
size_t sca_planes_get(struct sca_reader *in, uint8_t *to, struct sca_span *spans, size_t stride,
                      uint32_t n);
/* Reads over as much. The spans are as of ranks that have none of it. */
void sca_planes_skip(struct sca_reader *in, struct sca_span *spans, size_t stride, uint32_t n);

#endif
