#include "sort.h"

#include <stdlib.h>

void sca_put_in_order(void *list, size_t count, size_t size,
                      int (*compare)(const void *, const void *))
{
    const char *at = list;
    for (size_t i = 1; i < count; i++, at += size)
        if (compare(at, at + size) > 0) {
            qsort(list, count, size, compare);
            return;
        }
}
