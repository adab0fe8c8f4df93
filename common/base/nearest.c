#include "sca_nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64, ONE_IN = 3 }; /* a third of the letters may be wrong */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int letter(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    unsigned char rows[3][MOST]; /* the one before the last, the last, this one */
    for (size_t j = 0; j <= m; j++)
        rows[1][j] = (unsigned char)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned char *before = rows[(i - 1) % 3], *last = rows[i % 3], *now = rows[(i + 1) % 3];
        now[0] = (unsigned char)i;
        for (size_t j = 1; j <= m; j++) {
            size_t wrong = letter(a[i - 1]) != letter(b[j - 1]);
            size_t best = least(last[j - 1] + wrong, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) &&
                letter(a[i - 2]) == letter(b[j - 1]))
                best = least(best, before[j - 2] + 1u);
            now[j] = (unsigned char)best;
        }
    }
    return rows[(n + 1) % 3][m];
}

struct sca_nearest sca_nearest_to(const char *word, size_t length)
{
    return (struct sca_nearest){.word = word, .length = length, .distance = length / ONE_IN + 1};
}

void sca_nearest_try(struct sca_nearest *nearest, const char *name, size_t length)
{
    if (length >= MOST || nearest->length >= MOST || nearest->length < 2)
        return;
    size_t d = distance(nearest->word, nearest->length, name, length);
    if (d >= nearest->distance)
        return;
    nearest->name = name;
    nearest->name_length = length;
    nearest->distance = d;
}

void sca_nearest_try_all(struct sca_nearest *nearest, const char *names)
{
    static const char between[] = " ,";
    for (names += strspn(names, between); *names; names += strspn(names, between)) {
        size_t length = strcspn(names, between);
        sca_nearest_try(nearest, names, length);
        names += length;
    }
}

const char *sca_nearest_phrase(char text[SCA_NEAREST_PHRASE], const struct sca_nearest *nearest,
                               const char *before, const char *behind)
{
    text[0] = '\0';
    if (nearest->name)
        snprintf(text, SCA_NEAREST_PHRASE, "%s%.*s%s", before, (int)nearest->name_length,
                 nearest->name, behind);
    return text;
}
