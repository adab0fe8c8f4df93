/*
 * The tables of a copy (sca_copy.h), as copy.c and copy_delta.c share them.
 */
#ifndef SCA_COPY_MEMORY_H
#define SCA_COPY_MEMORY_H

#include "sca_copy.h"

/* Room for n records, those that were not there before zeroed; false without memory. */
bool sca_copy_make_room(struct sca_copy *copy, int table, uint32_t n);

/* The series of a part's tables, by copy_series.c; false without memory. */
struct sca_tables;
bool sca_copy_series_take(const struct sca_tables *tables, struct sca_copy *out);

#endif
