/*
 * A growing, NULL-terminated list of words, each a copy of its own: a command, the libraries of a
 * binary. {0} is an empty one. Without memory the process ends with 1 and says so.
 */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

struct words {
    char **list;
    size_t count, capacity;
};

void sca_words_add(struct words *words, const char *word);
void sca_words_free(struct words *words);

/* `memory`, which is not NULL. */
void *must(void *memory);

#endif
