/* What a run leaves that did not end: one file per rank (doc/FORMATS.md, 2). */
#ifndef SCA_SCALE_PARTS_H
#define SCA_SCALE_PARTS_H

#include "rank_tables.h"

/* Writes directory/rank-<N>.part of every rank but `missing`. SCA_OK or SCA_EIO. */
int scale_write_parts(const struct scale_run *run, const struct scale_rows *meta,
                      const char *directory, uint32_t missing);

#endif
