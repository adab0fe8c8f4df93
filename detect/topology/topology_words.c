#include "topology/topology_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "4,2" behind the label; how many numbers, 0 if it is not there. */
static uint32_t numbers_after(const char *text, const char *label, int32_t *out)
{
    const char *at = strstr(text, label);
    uint32_t n = 0;
    if (!at)
        return 0;
    for (at += strlen(label); n < SCA_MOST_DIMENSIONS; at++) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end == at || number < 0 || number > INT32_MAX)
            return 0;
        out[n++] = (int32_t)number;
        if (*(at = end) != ',')
            break;
    }
    return n;
}

static bool read_grid(const char *text, struct sca_topology_words *w)
{
    w->ndims = w->width = numbers_after(text, "cart ", w->dims);
    if (!w->ndims || numbers_after(text, " periodic ", w->periodic) != w->ndims ||
        numbers_after(text, " at ", w->place) != w->ndims)
        return false;
    for (uint32_t d = 0; d < w->ndims; d++)
        if (w->place[d] >= w->dims[d])
            return false;
    return true;
}

bool sca_topology_words_read(const char *text, struct sca_topology_words *w)
{
    static const char label[] = " name ";
    *w = (struct sca_topology_words){.name = ""};
    if (sscanf(text, "%15s", w->kind) != 1)
        return false;
    const char *name = strstr(text, label);
    w->name = name ? name + strlen(label) : "";
    if (!strcmp(w->kind, "cart"))
        return read_grid(text, w);
    const char *to = strstr(text, " to ");
    w->nto = to && (!name || to < name) ? numbers_after(text, " to ", w->to) : 0;
    w->width = !strcmp(w->kind, "graph") ? 1 : 2;
    if (w->width == 1)
        return numbers_after(text, " degree ", w->place) == 1;
    return numbers_after(text, " in ", w->place) == 1 &&
           numbers_after(text, " out ", w->place + 1) == 1;
}

/* ---- names ---- */

static bool is_between(char c)
{
    return c == ',' || c == ' ' || c == ';' || c == '\t';
}

/* Words of a list, each ended by a NUL; at most `most` are kept, all are counted. */
static uint32_t cut_up(char *list, uint32_t most, const char **words)
{
    uint32_t n = 0;
    while (*list) {
        while (is_between(*list))
            *list++ = '\0';
        if (!*list)
            break;
        if (n < most)
            words[n] = list;
        n++;
        while (*list && !is_between(*list))
            list++;
    }
    return n;
}

static uint32_t count_words(const char *list, size_t length)
{
    uint32_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += !is_between(list[i]) && (!i || is_between(list[i - 1]));
    return n;
}

static void print_only(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = ' ';
}

static void cut_end(char *text)
{
    size_t length = strlen(text);
    while (length && text[length - 1] == ' ')
        text[--length] = '\0';
}

bool sca_topology_words_split(char *text, uint32_t ndims, const char **names)
{
    for (uint32_t d = 0; d < ndims; d++)
        names[d] = "";
    print_only(text);
    cut_end(text);
    size_t length = strlen(text);
    char *open = length && text[length - 1] == ')' ? strrchr(text, '(') : NULL;
    if (!open || !ndims || count_words(open + 1, (size_t)(text + length - 1 - (open + 1))) != ndims)
        return false;
    text[length - 1] = '\0';
    cut_up(open + 1, ndims, names);
    *open = '\0';
    cut_end(text);
    return true;
}
