/*
 * The rank's state: tables in one file mapped MAP_SHARED (layout: sca_part.h), or in anonymous
 * memory when no file can be had. Bounded: SCA_PART_BYTES of address space, pages are used only
 * as records come. Disk blocks are reserved before they are touched (fallocate, in steps): a
 * full disk makes the table stop growing and never raises SIGBUS.
 *
 * One per process. The caller holds the state lock (guard.h) around every function below that
 * adds or finds, from sca_arena_next() or sca_arena_find() until the record is filled in; nothing
 * here takes it, except sca_arena_meta(). Callable from any thread and from the sample handler;
 * never blocks on I/O but for the reservation steps, never allocates. A NULL or SCA_NONE result
 * is already counted as dropped. Before sca_arena_open() every table is full.
 */
#ifndef SCA_PROF_ARENA_H
#define SCA_PROF_ARENA_H

#include "sca_part.h"
#include <stdbool.h>
#include <stddef.h>

/* Creates and maps `path`; falls back to anonymous memory if that fails or path is NULL (returns
 * 1 then, 0 when the file is there, -1 when there is no memory at all: the library switches itself
 * off). String 0, node 0 (parent SCA_NONE) and site 0 ("MPI_Init") are in place; communicator 0 is
 * for comm.c to add. */
int sca_arena_open(const char *path, uint32_t rank, uint32_t size);
/* Unmaps; the file stays. Nothing may add records any more. */
void sca_arena_close(void);
/* Why there is no file, 0 if there is one: an errno. */
int sca_arena_error(void);

struct sca_part_header *sca_arena_header(void); /* NULL before sca_arena_open() */
/* First record of a table; stays valid until sca_arena_close(). */
void *sca_arena_table(enum sca_part_table table);
uint32_t sca_arena_count(enum sca_part_table table);
/* Room for one more record, zeroed, not yet counted; NULL (and counted as dropped) when full. */
void *sca_arena_next(enum sca_part_table table);
/* Makes the record handed out last visible; returns its index. */
uint32_t sca_arena_commit(enum sca_part_table table);
/* Appends bytes to a byte table; returns their offset, or SCA_NONE when full. */
uint32_t sca_arena_bytes(enum sca_part_table table, const void *bytes, uint32_t length);
/* The offset of a string, added once. SCA_NONE when full. */
uint32_t sca_arena_string(const char *text);
/* Appends "key\0value\0" to the metadata; of two equal keys the later counts. Takes the state
 * lock itself. Not for the handler. */
void sca_arena_meta(const char *key, const char *value);

/* What stands beside record `index` of sites or intervals. NULL without room. */
struct sca_part_durations *sca_arena_durations(enum sca_timed timed, uint32_t index);
/* The first, and of how many records; 0: none. */
const struct sca_part_durations *sca_arena_durations_first(enum sca_timed timed, uint32_t *n);

/* The marks of all sources (sca_part.h), SCA_SERIES_MARKS each, which the caller counts itself.
 * NULL without room; then the header says that there are none. */
struct sca_part_mark *sca_arena_series(void);
/* The phases behind them, SCA_SERIES_PHASES; NULL where there are no marks, too. */
struct sca_part_phase *sca_arena_phases(void);

/* Index over a table: open addressing, keys are the first `key_words` 32-bit words of a record,
 * which never change afterwards. Finds the record, or adds it with its key filled in and the rest
 * zero; SCA_NONE when the table is full. One key_words per table for the whole run. Records that
 * came in through sca_arena_next() are found too. */
uint32_t sca_arena_find(enum sca_part_table table, const uint32_t *key, unsigned key_words);

/* The same, but adds none: SCA_NONE if there is no such record. */
uint32_t sca_arena_known(enum sca_part_table table, const uint32_t *key, unsigned key_words);

/* The same, for keys of up to four words, the first of them a site, that come again and again. */
uint32_t sca_arena_find_again(enum sca_part_table table, const uint32_t *key, unsigned key_words);

/* Inner seams, for arena*.c alone. */
struct sca_arena_map {
    uint8_t *base;
    char path[4096]; /* "" when anonymous */
    uint64_t device, inode;
};
uint64_t sca_arena_file_layout(struct sca_part_directory *directory); /* returns the bytes needed */
uint64_t sca_arena_file_timed(struct sca_part_timed *timed, uint64_t offset);    /* as this */
uint64_t sca_arena_file_series(struct sca_part_series *series, uint64_t offset); /* as this */
int sca_arena_file_map(struct sca_arena_map *map, const char *path, uint64_t bytes);
/* The file goes, the mapping stays. */
void sca_arena_file_remove(const struct sca_arena_map *map);
int sca_arena_file_map_anonymous(struct sca_arena_map *map, uint64_t bytes);
/* Backs [offset, offset + length) with disk blocks; 0 or an errno. */
int sca_arena_file_reserve(const struct sca_arena_map *map, uint64_t offset, uint64_t length);
/* Whether the disk has room for many times as much: what can be done without takes no more. */
bool sca_arena_file_has_room(const struct sca_arena_map *map, uint64_t length);
/* Index slots: one hash table per arena table, in anonymous memory that grows in place. */
struct sca_index {
    uint32_t *slots; /* 0 is free */
    uint32_t mask;   /* slots in use - 1 */
    uint32_t entries;
    uint32_t limit; /* slots mapped */
};
/* For sca_arena_index_find(): of a table with fewer than 2^20 records. */
int sca_arena_index_map(struct sca_index *index, uint32_t capacity);
void sca_arena_index_unmap(struct sca_index *index);
/* Twice the slots, all free. False when the limit is reached. */
bool sca_arena_index_grow(struct sca_index *index);
struct sca_records {
    const void *first;
    uint32_t stride, count;
};
/* The record with that key, or SCA_NONE. */
uint32_t sca_arena_index_find(struct sca_index *index, const struct sca_records *records,
                              const uint32_t *key, unsigned words);
int sca_arena_texts_begin(uint32_t bytes);
void sca_arena_texts_end(void);
uint32_t sca_arena_index_hash_words(const uint32_t *words, unsigned n);
uint32_t sca_arena_index_hash_text(const char *text);

#endif
