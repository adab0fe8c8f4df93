/*
 * Did you mean ...? The name that a misspelt word is nearest to: by the fewest letters that are
 * missing, too many, wrong, or swapped with the next (optimal string alignment; F. J. Damerau, CACM
 * 7(3), 1964). Does not allocate; also for what is loaded into programs.
 */
#ifndef SCA_NEAREST_H
#define SCA_NEAREST_H

#include <stddef.h>

struct sca_nearest {
    const char *word; /* as it was given, of so many bytes */
    size_t length;
    const char *name; /* the nearest so far; NULL: none is near */
    size_t name_length, distance;
};

struct sca_nearest sca_nearest_to(const char *word, size_t length);
/* Names of more than 63 bytes are never near. */
void sca_nearest_try(struct sca_nearest *nearest, const char *name, size_t length);
/* Tries each word of a list with blanks (or commas) between. */
void sca_nearest_try_all(struct sca_nearest *nearest, const char *names);

/* "; did you mean --name?" with that text before the name and behind it, "" where none is near. */
enum { SCA_NEAREST_PHRASE = 128 };
const char *sca_nearest_phrase(char text[SCA_NEAREST_PHRASE], const struct sca_nearest *nearest,
                               const char *before, const char *behind);

#endif
