/*
 * What a struct sca_psg holds and who frees it: records pushed while a section is read, then put
 * in order. Between common/psg/psg_read.c (the bytes) and common/psg/psg_memory.c only.
 *
 * Everything lives in the arena behind psg->memory until sca_psg_free(); a failed push leaves
 * what was there. The arrays in struct sca_psg are sorted only after sca_psg_memory_settle().
 */
#ifndef PSG_MEMORY_H
#define PSG_MEMORY_H

#include "sca_psg.h"

/* Zeroed memory, never NULL for size 0; NULL only when out of memory (message set). */
void *sca_psg_memory_alloc(struct sca_psg *psg, size_t size);

int sca_psg_memory_push_function(struct sca_psg *psg, const struct sca_function *function);
int sca_psg_memory_push_unit(struct sca_psg *psg, const struct sca_unit *unit);
int sca_psg_memory_push_alias(struct sca_psg *psg, const struct sca_alias *alias);
/* Whether one with this key was pushed before: repeats cost no memory. */
bool sca_psg_memory_knows_function(const struct sca_psg *psg, uint64_t key);
/* The one copy of this text, NUL-terminated; NULL: out of memory. */
const char *sca_psg_memory_text(struct sca_psg *psg, const void *bytes, size_t length);
/* Sorts and drops repeats. */
int sca_psg_memory_settle(struct sca_psg *psg);

#endif
