/*
 * Words of a command line: lists, texts that are made, programs in PATH. Without memory the process
 * ends with 1 and says so. For the tools, which are one process for one task; not for signal
 * handlers, nor for what is loaded into other programs.
 */
#ifndef SCA_WORDS_H
#define SCA_WORDS_H

#include <stddef.h>

/* A growing, NULL-terminated list of words, each a copy of its own. {0} is an empty one, whose list
 * is NULL. */
struct sca_words {
    char **list;
    size_t count, capacity;
};

void sca_words_add(struct sca_words *words, const char *word);
/* Adds each word of a NULL-terminated list; NULL is an empty one. */
void sca_words_add_all(struct sca_words *words, char *const *list);
/* Adds the words of a text, which has blanks between. */
void sca_words_split(struct sca_words *words, const char *text);
void sca_words_free(struct sca_words *words);

/* `memory`, which is not NULL. */
void *sca_must(void *memory);

/* In memory of its own, which the caller frees. */
char *sca_words_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What stands behind the last slash. */
const char *sca_words_base_name(const char *path);
/* Where a program is found in PATH (or itself, if it has a slash), in memory of the caller's; NULL:
 * nowhere. */
char *sca_words_find_program(const char *name);

#endif
