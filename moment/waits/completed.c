#include "waits/completed.h"

#include <string.h>

bool sca_completed_is_same(const char *a, const char *b)
{
    size_t n = strlen(a), k = strlen(b);
    n -= n > 2 && !strcmp(a + n - 2, "_c") ? 2 : 0;
    k -= k > 2 && !strcmp(b + k - 2, "_c") ? 2 : 0;
    return n == k && !strncmp(a, b, n);
}

struct calls {
    uint32_t group, root;
    const char *function; /* NULL: any */
    uint32_t context;     /* SCALANA_NONE: any */
};

static bool is_of(const struct sca_look *look, const struct scalana_edge *e, struct calls of)
{
    const char *name = look->contexts[e->to_context].name;
    return e->group == of.group && (of.root == SCA_ANY_ROOT || of.root == e->from_location) &&
           (of.context == SCALANA_NONE || of.context == e->to_context) &&
           (!of.function || sca_completed_is_same(name, of.function));
}

static uint64_t count(const struct sca_look *look, uint32_t rank, struct calls of)
{
    scalana_edges *edges;
    struct scalana_edge e;
    uint64_t sum = 0;
    uint32_t n = 0;
    if (scalana_edges_open(look->runs, 0, SCALANA_EDGE_COLLECTIVE, rank, 1, &edges))
        return 0;
    while (!scalana_edges_next(edges, 1, &e, sizeof e, &n) && n)
        if (is_of(look, &e, of))
            sum += e.messages;
    scalana_edges_close(edges);
    return sum;
}

uint64_t sca_completed_calls(const struct sca_look *look, uint32_t rank, uint32_t group,
                             const char *function, uint32_t root)
{
    return count(look, rank, (struct calls){group, root, function, SCALANA_NONE});
}

static bool is_more(const struct sca_look *look, uint32_t first, uint32_t second, struct calls of)
{
    return count(look, second, of) > count(look, first, of);
}

/* More of the function, and more of it here. */
static bool is_surplus(const struct sca_look *look, uint32_t first, uint32_t second,
                       const struct scalana_edge *e, bool by_root)
{
    struct calls of = {e->group, by_root ? e->from_location : SCA_ANY_ROOT,
                       look->contexts[e->to_context].name, SCALANA_NONE};
    if (!is_more(look, first, second, of))
        return false;
    of.context = e->to_context;
    return is_more(look, first, second, of);
}

bool sca_completed_surplus(const struct sca_look *look, uint32_t first, uint32_t second,
                           uint32_t group, const char *function, struct sca_surplus *out)
{
    const struct calls all = {group, SCA_ANY_ROOT, function, SCALANA_NONE};
    scalana_edges *edges;
    struct scalana_edge e;
    uint32_t n = 0;
    bool found = false;
    if (scalana_edges_open(look->runs, 0, SCALANA_EDGE_COLLECTIVE, second, 1, &edges))
        return false;
    while (!found && !scalana_edges_next(edges, 1, &e, sizeof e, &n) && n) {
        found = is_of(look, &e, all) && is_surplus(look, first, second, &e, function != NULL);
        *out = (struct sca_surplus){e.to_context, e.from_location};
    }
    scalana_edges_close(edges);
    return found;
}
