/*
 * A sort for lists that mostly are in order already, such as a rank's tables: these cost one look
 * at each element. What compares equal keeps its order, as with a merge sort.
 */
#ifndef SCA_DETECT_SORT_H
#define SCA_DETECT_SORT_H

#include <stddef.h>

/* `list` may be NULL when count is 0. */
void sca_put_in_order(void *list, size_t count, size_t size,
                      int (*compare)(const void *, const void *));

#endif
