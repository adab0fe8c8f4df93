#include "follow/told.h"
#include "sca_words.h"

#include <stdlib.h>
#include <string.h>

static bool has(char *const *keys, uint32_t n, const char *key)
{
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(keys[i], key))
            return true;
    return false;
}

void sca_told_keep(struct sca_told *told, char *const *keys, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < told->n; i++)
        if (has(keys, n, told->keys[i]))
            told->keys[kept++] = told->keys[i];
        else
            free(told->keys[i]);
    told->n = kept;
}

bool sca_told_is_new(struct sca_told *told, const char *key)
{
    if (has(told->keys, told->n, key))
        return false;
    told->keys = sca_must(realloc(told->keys, (told->n + 1ul) * sizeof *told->keys));
    told->keys[told->n++] = sca_words_format("%s", key);
    return true;
}

void sca_told_free(struct sca_told *told)
{
    sca_told_keep(told, NULL, 0);
    free(told->keys);
    *told = (struct sca_told){0};
}
