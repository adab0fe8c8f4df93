/*
 * The rank's state: tables in one file mapped MAP_SHARED (layout: sca_part.h), or in anonymous
 * memory when no file can be had. Bounded: SCA_PART_BYTES of address space, pages are used only
 * as records come. Disk blocks are reserved before they are touched (fallocate, in steps): a
 * full disk makes the table stop growing and never raises SIGBUS.
 *
 * One per process. Adding records takes the state lock (guard.h): callable from any thread and
 * from the sample handler, never blocks on I/O but for the reservation steps, never allocates.
 */
#ifndef SCA_PROF_ARENA_H
#define SCA_PROF_ARENA_H

#include "sca_part.h"
#include <stddef.h>

/* Creates and maps `path`; falls back to anonymous memory if that fails (returns 1 then, 0 when
 * the file is there, -1 when there is no memory at all: the library switches itself off). */
int sca_arena_open(const char *path, uint32_t rank, uint32_t size);
void sca_arena_close(void);

struct sca_part_header *sca_arena_header(void);
/* First record of a table; stays valid until sca_arena_close(). */
void *sca_arena_table(enum sca_part_table table);
uint32_t sca_arena_count(enum sca_part_table table);
/* Room for one more record, zeroed, not yet counted; NULL (and counted as dropped) when full. */
void *sca_arena_next(enum sca_part_table table);
/* Makes the record handed out last visible; returns its index. */
uint32_t sca_arena_commit(enum sca_part_table table);
/* Appends bytes to a byte table; returns their offset, or SCA_NONE when full. */
uint32_t sca_arena_bytes(enum sca_part_table table, const void *bytes, uint32_t length);
/* The offset of a string, added once. */
uint32_t sca_arena_string(const char *text);
/* Adds or replaces nothing: appends "key\0value\0" to the metadata. */
void sca_arena_meta(const char *key, const char *value);

/* Index over a table: open addressing, keys are the first `key_words` 32-bit words of a record.
 * Finds the record or adds it with its key filled in; SCA_NONE when the table is full. */
uint32_t sca_arena_find(enum sca_part_table table, const uint32_t *key, unsigned key_words);

#endif
