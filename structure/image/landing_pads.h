/*
 * Where control goes on when a call throws: the language-specific data that unwind tables point to
 * (.gcc_except_table; Itanium C++ ABI, "Exception Handling Tables"). C++ only.
 */
#ifndef STRUCTURE_LANDING_PADS_H
#define STRUCTURE_LANDING_PADS_H

#include "image/code_image.h"

struct sca_landing_pad {
    uint64_t low, high; /* calls in this range */
    uint64_t pad;       /* lead there when they throw */
};

struct sca_landing_pads { /* by `low` */
    struct sca_landing_pad *list;
    size_t count, capacity;
};

/* Adds those of one function, which begins at `function`; `table` is the address of its data. What
 * cannot be read is left out. SCA_ENOMEM. */
int sca_landing_pads_add(struct sca_landing_pads *pads, const struct sca_code_image *image,
                         uint64_t function, uint64_t table);
void sca_landing_pads_sort(struct sca_landing_pads *pads);
/* The pad of a call; 0: none. */
uint64_t sca_landing_pads_find(const struct sca_landing_pads *pads, uint64_t call);

#endif
