/*
 * Where the encoded events of windows lie in SCA_T_EVENTS, which only grows: what a window leaves
 * is a hole for others, until the end closes all. For window_store.c; compaction for
 * window_choice.c, too. State lock held.
 */
#ifndef SCA_PROF_WINDOW_SPACE_H
#define SCA_PROF_WINDOW_SPACE_H

#include <stdint.h>

enum {
    SCA_MOST_WINDOWS = 128, /* no rank keeps more, but for SCALANA_RECORD=full; */
    SCA_MOST_BESIDE = 48,   /* and besides, of long iterations (long_iterations.h) */
    SCA_MOST_RECORDS = SCA_MOST_WINDOWS + SCA_MOST_BESIDE,
    SCA_MOST_CHOSEN = 16,       /* nor the profile (window_choice.h); */
    SCA_MOST_CHOSEN_BESIDE = 16 /* and besides */
};

/* What a run on so many ranks may keep of all together, in bytes. */
uint64_t sca_window_space_of(uint32_t ranks);
void sca_window_space_begin(void);
/* Copies the bytes to a place of their own; its offset, SCA_NONE if there is none. */
uint32_t sca_window_space_take(const void *events, uint32_t size);
/* Zeroes them: nobody reads what has gone. */
void sca_window_space_free(uint32_t offset, uint32_t size);
/* Records with `kept` taken away are gone, and there are no bytes between those that stay. */
void sca_window_space_compact(void);
/* Compact ones: bytes as well as records in the order of their iterations, where neighbours differ
 * least. */
void sca_window_space_order(void);

#endif
