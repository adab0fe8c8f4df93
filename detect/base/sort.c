#include "base/sort.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

struct sorting {
    size_t size;
    int (*compare)(const void *, const void *);
    char *aside; /* room for half of the elements */
};

/* The usual sizes by themselves: of a length the compiler knows a copy is no call. */
static void copy(char *to, const char *from, size_t size)
{
    switch (size) {
    case 8:
        memcpy(to, from, 8);
        break;
    case 16:
        memcpy(to, from, 16);
        break;
    case 24:
        memcpy(to, from, 24);
        break;
    default:
        memcpy(to, from, size);
    }
}

/* Of equals the left one is taken first. What is left of the right half stands where it belongs. */
static void merge(const struct sorting *s, char *list, const char *middle, const char *end)
{
    const char *left = s->aside, *left_end = left + (middle - list), *right = middle;
    memcpy(s->aside, list, (size_t)(middle - list));
    while (left < left_end && right < end) {
        const char **from = s->compare(left, right) <= 0 ? &left : &right;
        copy(list, *from, s->size);
        *from += s->size;
        list += s->size;
    }
    memcpy(list, left, (size_t)(left_end - left));
}

static void sort(const struct sorting *s, char *list, size_t count)
{
    if (count < 2)
        return;
    char *middle = list + count / 2 * s->size;
    sort(s, list, count / 2);
    sort(s, middle, count - count / 2);
    if (s->compare(middle - s->size, middle) > 0)
        merge(s, list, middle, list + count * s->size);
}

static int is_in_order(const char *at, size_t count, size_t size,
                       int (*compare)(const void *, const void *))
{
    for (size_t i = 1; i < count; i++, at += size)
        if (compare(at, at + size) > 0)
            return 0;
    return 1;
}

int sca_sort_in_order(void *list, size_t count, size_t size,
                      int (*compare)(const void *, const void *))
{
    if (is_in_order(list, count, size, compare))
        return SCA_OK;
    struct sorting s = {size, compare, malloc(count / 2 * size)};
    if (!s.aside)
        return sca_fail(SCA_ENOMEM, "out of memory sorting %zu elements", count);
    sort(&s, list, count);
    free(s.aside);
    return SCA_OK;
}
