/*
 * Numbers with a point, whatever locale the program has set: in files, options and texts.
 */
#ifndef SCA_LIBRARY_PLAIN_NUMBERS_H
#define SCA_LIBRARY_PLAIN_NUMBERS_H

#include <locale.h>

struct sca_plain_numbers {
    locale_t plain, before; /* plain 0: there was no memory for it, nothing is changed */
};

/* For this thread, until the end. */
void sca_plain_numbers_begin(struct sca_plain_numbers *numbers);
void sca_plain_numbers_end(struct sca_plain_numbers *numbers);

#endif
