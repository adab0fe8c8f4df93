#include "topology/fold_wish.h"
#include "sca_error.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "x (0 to 3), y (0 to 1)" */
static const char *list(char *buffer, size_t size, const struct sca_topology *t)
{
    char name[64];
    size_t used = 0;
    buffer[0] = '\0';
    for (uint32_t d = 0; d < t->ndims && used < size; d++)
        used += (size_t)snprintf(buffer + used, size - used, "%s%s (0 to %u)", d ? ", " : "",
                                 sca_fold_name(name, t, d), t->dims[d] - 1);
    return buffer;
}

static int refuse(const char *option, const char *wish, const char *why,
                  const struct sca_topology *t)
{
    char dims[256];
    return sca_fail(SCA_EINVAL, "--%s=%s: %s; topology %s has %s", option, wish, why, t->name,
                    list(dims, sizeof dims, t));
}

/* By name, else by number; ndims: there is none. */
static uint32_t find(const struct sca_topology *t, const char *word, size_t length)
{
    char *end;
    for (uint32_t d = 0; d < t->ndims; d++)
        if (strlen(t->dimension_names[d]) == length &&
            !strncmp(t->dimension_names[d], word, length) && length)
            return d;
    if (!isdigit((unsigned char)*word))
        return t->ndims;
    unsigned long number = strtoul(word, &end, 10);
    return end == word + length && number < t->ndims ? (uint32_t)number : t->ndims;
}

int sca_fold_wish_slice(const char *wish, struct sca_fold *f)
{
    const struct sca_topology *t = f->topology;
    for (const char *at = wish;;) {
        char *end;
        size_t length = strcspn(at, "=,");
        uint32_t d = find(t, at, length);
        if (d == t->ndims || at[length] != '=' || !isdigit((unsigned char)at[length + 1]))
            return refuse("slice", wish, "expected DIMENSION=NUMBER, separated by commas", t);
        unsigned long number = strtoul(at + length + 1, &end, 10);
        if (number >= t->dims[d] || (*end && *end != ','))
            return refuse("slice", wish, "there is no such slice", t);
        if (f->fixed[d] >= 0)
            return refuse("slice", wish, "a dimension is named twice", t);
        f->fixed[d] = (int32_t)number;
        if (!*end)
            return SCA_OK;
        at = end + 1;
    }
}

/* Up to the slash or the end; NULL: all is well. */
static const char *read_axis(const char **at, const struct sca_fold *f, bool *named,
                             struct sca_fold_axis *axis)
{
    const struct sca_topology *t = f->topology;
    while (**at && **at != '/') {
        size_t length = strcspn(*at, ",/");
        uint32_t d = find(t, *at, length);
        if (d == t->ndims)
            return "expected ROWS/COLUMNS, each a list of dimensions separated by commas";
        if (named[d])
            return "a dimension is named twice";
        if (f->fixed[d] >= 0)
            return "a dimension is also sliced";
        named[d] = true;
        axis->dims[axis->n++] = d;
        *at += length + ((*at)[length] == ',');
    }
    return NULL;
}

static const char *check_all(const struct sca_fold *f, const bool *named)
{
    for (uint32_t d = 0; d < f->topology->ndims; d++)
        if (!named[d] && f->fixed[d] < 0 && f->topology->dims[d] > 1)
            return "a dimension is neither folded nor sliced";
    return NULL;
}

int sca_fold_wish_axes(const char *wish, struct sca_fold *f)
{
    bool named[SCA_MOST_DIMENSIONS] = {false};
    const char *at = wish, *why = read_axis(&at, f, named, &f->rows);
    if (!why && *at == '/') {
        at++;
        why = read_axis(&at, f, named, &f->columns);
    }
    if (!why && *at)
        why = "expected ROWS/COLUMNS, each a list of dimensions separated by commas";
    if (!why)
        why = check_all(f, named);
    return why ? refuse("fold", wish, why, f->topology) : SCA_OK;
}
