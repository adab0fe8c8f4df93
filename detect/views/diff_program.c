/* Whether two sides are one program, perhaps before and after a change. */
#include "views/diff.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Every program has one. */
static bool is_main(const char *function)
{
    return !strcmp(function, "main") || !strcmp(function, "MAIN__") || !strcmp(function, "_QQmain");
}

static bool is_source(const struct sca_ppg_vertex *v)
{
    return v->line && *v->file && v->kind != SCA_ROOT;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A function's name, or the file where it is main. */
static const char *name_of(const struct sca_ppg_vertex *v)
{
    return is_main(v->function) ? base_name(v->file) : v->function;
}

/* Sorted names of a side's functions and source files. */
static uint32_t names_of(struct sca_workspace *space, const struct sca_diff_side *side,
                         const char ***out)
{
    uint32_t n = 0;
    *out = sca_workspace_alloc(space, 2 * (size_t)side->nvertices, sizeof **out);
    for (uint32_t v = 0; v < side->nvertices; v++)
        if (is_source(&side->vertices[v])) {
            (*out)[n++] = name_of(&side->vertices[v]);
            (*out)[n++] = base_name(side->vertices[v].file);
        }
    sca_workspace_put_in_order(space, *out, n, sizeof **out, by_name);
    return n;
}

static bool has(const char *const *names, uint32_t n, const char *name)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(names[middle], name);
        if (!order)
            return true;
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

/* The part of a side's time in source code that the other has by name. */
static double part_in_common(struct sca_workspace *space, const struct sca_diff_side *side,
                             const struct sca_diff_side *other)
{
    const char **names;
    uint32_t n = names_of(space, other, &names);
    double all = 0, common = 0;
    for (uint32_t v = 0; v < side->nvertices; v++) {
        const struct sca_ppg_vertex *vertex = &side->vertices[v];
        if (!is_source(vertex))
            continue;
        all += side->own[v];
        if (has(names, n, name_of(vertex)) || has(names, n, base_name(vertex->file)))
            common += side->own[v];
    }
    return all > 0 ? common / all : 1;
}

int sca_diff_check(struct sca_workspace *space, const struct sca_diff_side *before,
                   const struct sca_diff_side *after)
{
    double part = part_in_common(space, before, after);
    double back = part_in_common(space, after, before);
    bool same_name = !strcmp(before->program, after->program);
    if (same_name ? part > 0 || back > 0 : part >= SCA_HALF && back >= SCA_HALF)
        return SCA_OK;
    return sca_fail(SCA_EINVAL,
                    "%s ran \"%s\" and %s ran \"%s\": two different programs, which have %s of "
                    "their functions and source files in common",
                    before->name, before->program, after->name, after->program,
                    part > 0 || back > 0 ? "few" : "none");
}
