#include "sca_words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void *sca_must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
        exit(1);
    }
    return memory;
}

static void add(struct sca_words *words, char *word)
{
    if (words->count + 2 > words->capacity) {
        words->capacity = words->capacity ? words->capacity * 2 : 32;
        words->list = sca_must(realloc(words->list, words->capacity * sizeof *words->list));
    }
    words->list[words->count++] = sca_must(word);
    words->list[words->count] = NULL;
}

void sca_words_add(struct sca_words *words, const char *word)
{
    add(words, strdup(word));
}

void sca_words_add_all(struct sca_words *words, char *const *list)
{
    for (; list && *list; list++)
        sca_words_add(words, *list);
}

void sca_words_split(struct sca_words *words, const char *text)
{
    static const char blanks[] = " \t\n";
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        size_t length = strcspn(text, blanks);
        add(words, strndup(text, length));
        text += length;
    }
}

void sca_words_free(struct sca_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
    *words = (struct sca_words){0};
}

char *sca_words_format(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    return sca_must(length < 0 ? NULL : text);
}

const char *sca_words_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_program(const char *path)
{
    struct stat st;
    return !access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode);
}

char *sca_words_find_program(const char *name)
{
    if (strchr(name, '/'))
        return is_program(name) ? sca_must(strdup(name)) : NULL;
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/usr/bin:/bin"; *at;) {
        size_t length = strcspn(at, ":");
        char *candidate =
            sca_words_format("%.*s/%s", (int)(length ? length : 1), length ? at : ".", name);
        if (is_program(candidate))
            return candidate;
        free(candidate);
        at += length + (at[length] == ':');
    }
    return NULL;
}
