#include "topology/topology_file.h"
#include "topology/topologies.h"
#include "sca_error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, WORDS = SCA_MOST_DIMENSIONS + 1, MISSING = 8 };

struct reading {
    struct sca_workspace *space;
    const char *path;
    uint32_t nranks, line, nwords;
    char text[LINE];
    char *words[WORDS];        /* of this line, */
    uint32_t counted;          /* which may have more */
    const char **names;        /* of the dimensions; NULL: there is no such line */
    uint32_t nnames, *seen_at; /* per rank: the line it stands in, 0: none yet */
    struct sca_topology *out;  /* made at the first rank's line */
};

static int fault(const struct reading *in, const char *what)
{
    return sca_fail(SCA_EFORMAT, "%s:%u: %s", in->path, in->line, what);
}

/* ---- lines ---- */

static bool is_between(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ';';
}

static void cut_up(struct reading *in)
{
    char *at = in->text;
    at[strcspn(at, "#\n")] = '\0';
    in->nwords = in->counted = 0;
    while (*at) {
        while (is_between(*at))
            *at++ = '\0';
        if (!*at)
            break;
        if (in->nwords < WORDS)
            in->words[in->nwords++] = at;
        in->counted++;
        while (*at && !is_between(*at))
            at++;
    }
}

static int check_line(const struct reading *in)
{
    char why[96];
    snprintf(why, sizeof why, "%u dimensions; a map has at most %d", in->counted - 1,
             SCA_MOST_DIMENSIONS);
    if (in->counted > WORDS)
        return fault(in, why);
    if (in->counted < 2)
        return fault(in, "expected a rank and its coordinates");
    return SCA_OK;
}

static int read_names(struct reading *in)
{
    in->nnames = in->nwords - 1;
    in->names = sca_workspace_alloc(in->space, in->nnames, sizeof *in->names);
    for (uint32_t d = 0; d < in->nnames; d++) {
        char *name = sca_workspace_alloc(in->space, strlen(in->words[d + 1]) + 1, 1);
        in->names[d] = strcpy(name, in->words[d + 1]);
        for (uint32_t k = 0; k < d; k++)
            if (!strcmp(in->names[k], name))
                return fault(in, "two dimensions have one name");
    }
    return SCA_OK;
}

/* ---- ranks ---- */

static bool read_number(const char *word, long below, int32_t *out)
{
    char *end;
    errno = 0;
    long number = strtol(word, &end, 10);
    *out = (int32_t)number;
    return end != word && !*end && !errno && number >= 0 && number < below;
}

static int begin(struct reading *in)
{
    uint32_t ndims = in->nwords - 1;
    const char *slash = strrchr(in->path, '/'), *name = slash ? slash + 1 : in->path;
    sca_topologies_new(in->space, in->nranks, ndims, in->out);
    in->out->name = strcpy(sca_workspace_alloc(in->space, strlen(name) + 1, 1), name);
    in->out->kind = "file";
    in->seen_at = sca_workspace_alloc(in->space, in->nranks, sizeof *in->seen_at);
    for (uint32_t d = 0; in->names && d < ndims && d < in->nnames; d++)
        in->out->dimension_names[d] = in->names[d];
    return SCA_OK;
}

static int read_place(struct reading *in, int32_t *place)
{
    for (uint32_t d = 0; d < in->out->ndims; d++) {
        if (!read_number(in->words[d + 1], INT32_MAX, &place[d]))
            return fault(in, "a coordinate is not a whole number from 0 on");
        if ((uint32_t)place[d] >= in->out->dims[d])
            in->out->dims[d] = (uint32_t)place[d] + 1;
    }
    return SCA_OK;
}

static int read_rank(struct reading *in)
{
    char why[128];
    int32_t rank, place[SCA_MOST_DIMENSIONS];
    if (!in->seen_at)
        begin(in);
    snprintf(why, sizeof why, "expected ranks 0 to %u, as in the run", in->nranks - 1);
    if (!read_number(in->words[0], in->nranks, &rank))
        return fault(in, why);
    snprintf(why, sizeof why, "%u coordinates, but the lines above have %u", in->nwords - 1,
             in->names ? in->nnames : in->out->ndims);
    if (in->nwords - 1 != in->out->ndims || (in->names && in->nwords - 1 != in->nnames))
        return fault(in, why);
    snprintf(why, sizeof why, "line %u also has rank %d", in->seen_at[rank], rank);
    if (in->seen_at[rank])
        return fault(in, why);
    int status = read_place(in, place);
    if (status != SCA_OK)
        return status;
    in->seen_at[rank] = in->line;
    memcpy(&in->out->coordinates[(size_t)rank * in->out->ndims], place,
           in->out->ndims * sizeof *place);
    in->out->members++;
    return SCA_OK;
}

static int read_line(struct reading *in)
{
    bool whole = strchr(in->text, '\n') || strlen(in->text) < LINE - 1;
    in->line++;
    if (!whole)
        return fault(in, "the line is too long");
    cut_up(in);
    int status = in->counted ? check_line(in) : SCA_OK;
    if (!in->counted || status != SCA_OK)
        return status;
    if (!in->names && !in->seen_at && !strcmp(in->words[0], "rank"))
        return read_names(in);
    return read_rank(in);
}

/* ---- the whole ---- */

static int check_ranks(const struct reading *in)
{
    char list[160];
    size_t used = 0;
    uint32_t missing = 0;
    for (uint32_t r = 0; r < in->nranks; r++)
        if (!in->seen_at || !in->seen_at[r])
            if (missing++ < MISSING)
                used +=
                    (size_t)snprintf(list + used, sizeof list - used, "%s%u", used ? ", " : "", r);
    if (!missing)
        return SCA_OK;
    return sca_fail(SCA_EFORMAT, "%s: no line for rank%s %s%s (%u of %u ranks)", in->path,
                    missing > 1 ? "s" : "", list, missing > MISSING ? " ..." : "", missing,
                    in->nranks);
}

struct placed {
    const int32_t *place;
    uint32_t ndims, rank;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    for (uint32_t d = 0; d < x->ndims; d++)
        if (x->place[d] != y->place[d])
            return x->place[d] < y->place[d] ? -1 : 1;
    return 0;
}

static int check_places(const struct reading *in)
{
    struct placed *all = sca_workspace_alloc(in->space, in->nranks, sizeof *all);
    for (uint32_t r = 0; r < in->nranks; r++)
        all[r] = (struct placed){sca_topology_place(in->out, r), in->out->ndims, r};
    sca_workspace_put_in_order(in->space, all, in->nranks, sizeof *all, by_place);
    for (uint32_t i = 1; i < in->nranks; i++)
        if (!by_place(&all[i - 1], &all[i]))
            return sca_fail(SCA_EFORMAT, "%s:%u: rank %u has the coordinates of rank %u (line %u)",
                            in->path, in->seen_at[all[i].rank], all[i].rank, all[i - 1].rank,
                            in->seen_at[all[i - 1].rank]);
    return SCA_OK;
}

int sca_topology_file_read(struct sca_workspace *space, const char *path, uint32_t nranks,
                           struct sca_topology *out)
{
    struct reading *in = sca_workspace_alloc(space, 1, sizeof *in);
    *in = (struct reading){.space = space, .path = path, .nranks = nranks, .out = out};
    FILE *file = fopen(path, "re");
    if (!file)
        return sca_fail(errno == ENOENT ? SCA_ENOTFOUND : SCA_EIO,
                        "%s: neither a topology of the run nor a readable file: %s", path,
                        strerror(errno));
    int status = SCA_OK;
    while (status == SCA_OK && fgets(in->text, LINE, file))
        status = read_line(in);
    if (status == SCA_OK && ferror(file))
        status = sca_fail(SCA_EIO, "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    if (status == SCA_OK)
        status = check_ranks(in);
    return status == SCA_OK ? check_places(in) : status;
}
