#include "profile/worlds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char start[] = "worlds ";

bool sca_worlds_is_told(const char *words)
{
    return !strncmp(words, start, sizeof start - 1);
}

static void read_moment(const char *words, struct sca_worlds_words *out)
{
    const char *met = strstr(words, " met ");
    uint64_t took;
    out->met = met && sscanf(met, " met %lf after %" SCNu64, &out->at, &took) == 2;
    if (out->met)
        out->took = (double)took * 1e-9;
    else
        out->at = 0;
}

bool sca_worlds_read(const char *words, struct sca_worlds_words *out)
{
    char kind[8];
    const char *of = strstr(words, " of "), *key = strstr(words, " key ");
    *out = (struct sca_worlds_words){0};
    if (!sca_worlds_is_told(words) ||
        sscanf(words + sizeof start - 1, "%7s %" SCNu32, kind, &out->remote) != 2)
        return false;
    out->inter = !strcmp(kind, "inter");
    if (of && sscanf(of, " of %" SCNx64 " as %" SCNu32, &out->parent, &out->order) != 2)
        out->parent = 0;
    if (key && sscanf(key, " key %" SCNx64, &out->key) != 1)
        out->key = 0;
    read_moment(words, out);
    return true;
}
