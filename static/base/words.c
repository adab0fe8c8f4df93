#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *must(void *memory)
{
    if (!memory) {
        fputs("scalana-static: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

void sca_words_add(struct words *words, const char *word)
{
    if (words->count + 2 > words->capacity) {
        words->capacity = words->capacity ? words->capacity * 2 : 32;
        words->list = must(realloc(words->list, words->capacity * sizeof *words->list));
    }
    words->list[words->count++] = must(strdup(word));
    words->list[words->count] = NULL;
}

void sca_words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
    *words = (struct words){0};
}
