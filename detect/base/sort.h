/*
 * A merge sort for lists that mostly are in order already, such as a rank's tables: these cost one
 * look at each element and no memory, any others count * log(count) looks and memory for half of
 * the elements. What compares equal keeps its order, so that no result depends on how it sorts.
 */
#ifndef SCA_DETECT_SORT_H
#define SCA_DETECT_SORT_H

#include <stddef.h>

/* `list` may be NULL when count is 0. SCA_ENOMEM: the list is as it was. */
int sca_sort_in_order(void *list, size_t count, size_t size,
                      int (*compare)(const void *, const void *));

#endif
