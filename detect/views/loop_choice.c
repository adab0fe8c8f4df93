#include "views/loop_choice.h"
#include "sca_error.h"
#include "views/selection.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 3 };

struct wish {
    char *line;   /* FILE:LINE */
    uint32_t nth; /* of the loops there, from 1; 0: not said */
};

static struct wish read_wish(const struct sca_view_input *in)
{
    size_t length = strlen(in->settings->loop) + 1;
    struct wish wish = {sca_workspace_alloc(in->space, length, 1), 0};
    memcpy(wish.line, in->settings->loop, length);
    char *hash = strrchr(wish.line, '#');
    if (hash && isdigit((unsigned char)hash[1])) {
        wish.nth = (uint32_t)strtoul(hash + 1, NULL, 10);
        *hash = '\0';
    }
    return wish;
}

static bool is_loop(const struct sca_ppg_vertex *v)
{
    return v->kind == SCA_LOOP && *v->file;
}

/* One loop of the source, in whatever context. */
static bool is_same(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    return a->nested == b->nested && a->end_line == b->end_line && !strcmp(a->file, b->file) &&
           !strcmp(a->function, b->function);
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* ---- what else there is ---- */

/* How far the loop's line is from the one that was wished; UINT32_MAX: it is in another file. */
static uint32_t distance(const struct sca_ppg_vertex *v, const char *wish)
{
    const char *colon = strrchr(wish, ':');
    size_t length = colon ? (size_t)(colon - wish) : strlen(wish);
    const char *name = base_name(v->file), *file = wish;
    for (size_t i = 0; i < length; i++)
        file = wish[i] == '/' ? &wish[i + 1] : file;
    length -= (size_t)(file - wish);
    if (strlen(name) != length || strncmp(name, file, length) != 0)
        return UINT32_MAX;
    long line = colon ? strtol(colon + 1, NULL, 10) : 0;
    return (uint32_t)labs((long)v->line - line);
}

static bool is_named(const struct sca_ppg_vertex *const *named, uint32_t n,
                     const struct sca_ppg_vertex *v)
{
    for (uint32_t i = 0; i < n; i++)
        if (named[i]->line == v->line && !strcmp(named[i]->file, v->file))
            return true;
    return false;
}

static const struct sca_ppg_vertex *nearest(const struct sca_ppg *ppg, const char *wish,
                                            const struct sca_ppg_vertex *const *named, uint32_t n)
{
    const struct sca_ppg_vertex *best = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < ppg->nvertices; i++) {
        const struct sca_ppg_vertex *v = &ppg->vertices[i];
        if (!is_loop(v) || is_named(named, n, v) || (best && distance(v, wish) >= least))
            continue;
        best = v;
        least = distance(v, wish);
    }
    return best;
}

static int refuse(const struct sca_view_input *in, const struct wish *wish)
{
    const struct sca_ppg_vertex *named[MOST_NAMED];
    char list[512] = "";
    uint32_t n = 0;
    size_t used = 0;
    while (n < MOST_NAMED && (named[n] = nearest(in->ppg, wish->line, named, n))) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.100s:%u", n ? ", " : "",
                                 base_name(named[n]->file), named[n]->line);
        n++;
    }
    if (!n)
        return sca_fail(SCA_EINVAL, "--loop=%s: no loop of the program was reached by this run",
                        in->settings->loop);
    return sca_fail(SCA_EINVAL, "--loop=%s: no such loop in this run. Did you mean %s?",
                    in->settings->loop, list);
}

/* ---- the choice ---- */

/* The loops at the line, each by its first context, the outermost first. */
static uint32_t find_different(const struct sca_view_input *in, const struct wish *wish,
                               const struct sca_ppg_vertex **loops)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->ppg->nvertices; i++) {
        const struct sca_ppg_vertex *v = &in->ppg->vertices[i];
        bool known = !is_loop(v) || !sca_selection_is_at_line(v, wish->line);
        for (uint32_t k = 0; k < n && !known; k++)
            known = is_same(v, loops[k]);
        if (!known)
            loops[n++] = v;
    }
    return n;
}

int sca_loop_choose(const struct sca_view_input *in, struct sca_loop_choice *out)
{
    uint32_t nv = in->ppg->nvertices;
    struct wish wish = read_wish(in);
    const struct sca_ppg_vertex **loops = sca_workspace_alloc(in->space, nv, sizeof *loops);
    uint32_t n = find_different(in, &wish, loops);
    if (!n)
        return refuse(in, &wish);
    if (n > 1 && !wish.nth)
        return sca_fail(SCA_EINVAL, "--loop=%s: %u loops are there; --loop=%s#1 is the outermost",
                        in->settings->loop, n, wish.line);
    if (wish.nth > n)
        return sca_fail(SCA_EINVAL, "--loop=%s: there %s %u loop%s at %s", in->settings->loop,
                        n == 1 ? "is" : "are", n, n == 1 ? "" : "s", wish.line);
    *out =
        (struct sca_loop_choice){.contexts = sca_workspace_alloc(in->space, nv, sizeof(uint32_t))};
    for (uint32_t i = 0; i < nv; i++)
        if (is_loop(&in->ppg->vertices[i]) &&
            sca_selection_is_at_line(&in->ppg->vertices[i], wish.line) &&
            is_same(&in->ppg->vertices[i], loops[wish.nth ? wish.nth - 1 : 0]))
            out->contexts[out->n++] = i;
    return SCA_OK;
}
