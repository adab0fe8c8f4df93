/* Lists of words, each different one once, by numbers from 0 in the order in which they came. */
#ifndef SCA_DETECT_WORD_LISTS_H
#define SCA_DETECT_WORD_LISTS_H

#include "base/workspace.h"

struct sca_word_list {
    const uint32_t *words;
    uint32_t n;
    uint64_t hash;
};

struct sca_word_lists { /* zeroed but for `space`: empty */
    struct sca_workspace *space;
    uint32_t n, room, table_room;
    struct sca_word_list *of; /* [n] */
    uint32_t *table;          /* by their hash; 0 is free, else the number + 1 */
    uint32_t last;            /* that was asked for */
};

/* The number of that list, which is copied where it is new. */
uint32_t sca_word_lists_add(struct sca_word_lists *lists, const uint32_t *words, uint32_t n);

#endif
