/* Which vertex of one side became which of the other. */
#include "views/diff.h"

#include <string.h>

struct matching {
    const struct sca_diff_side *before, *after;
    uint32_t *to, *from;                /* SCA_NONE: not matched */
    uint32_t *next_before, *next_after; /* the next sibling, SCA_NONE ends */
    uint32_t *first_before, *first_after;
};

static bool same_thing(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    return a->kind == b->kind && !strcmp(a->name, b->name) && !strcmp(a->function, b->function);
}

enum likeness { SAME_LINE, SAME_EXTENT, SAME_THING };

static bool is_like(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b,
                    enum likeness likeness)
{
    if (!same_thing(a, b))
        return false;
    return likeness == SAME_LINE     ? a->line == b->line
           : likeness == SAME_EXTENT ? a->end_line - a->line == b->end_line - b->line
                                     : true;
}

/* Whether siblings that are matched already stand on different sides of the two: an edit moves
 * lines, but seldom past each other. */
static bool crosses(const struct matching *m, uint32_t x, uint32_t y)
{
    const struct sca_ppg_vertex *before = m->before->vertices, *after = m->after->vertices;
    for (uint32_t z = m->first_before[before[x].parent]; z != SCA_NONE; z = m->next_before[z]) {
        if (m->to[z] == SCA_NONE || strcmp(before[z].function, before[x].function) != 0)
            continue;
        uint32_t there = after[m->to[z]].line;
        if ((before[z].line < before[x].line && there > after[y].line) ||
            (before[z].line > before[x].line && there < after[y].line))
            return true;
    }
    return false;
}

static void match_children(struct matching *m, uint32_t a, uint32_t b, enum likeness likeness)
{
    for (uint32_t x = m->first_before[a]; x != SCA_NONE; x = m->next_before[x])
        for (uint32_t y = m->first_after[b]; y != SCA_NONE && m->to[x] == SCA_NONE;
             y = m->next_after[y])
            if (m->from[y] == SCA_NONE &&
                is_like(&m->before->vertices[x], &m->after->vertices[y], likeness) &&
                (likeness == SAME_LINE || !crosses(m, x, y))) {
                m->to[x] = y;
                m->from[y] = x;
            }
}

static uint32_t *chain(struct sca_workspace *space, const struct sca_diff_side *side,
                       uint32_t **first)
{
    uint32_t *next = sca_workspace_alloc(space, side->nvertices, sizeof *next);
    *first = sca_workspace_alloc(space, side->nvertices, sizeof **first);
    memset(*first, 0xff, side->nvertices * sizeof **first);
    for (uint32_t v = side->nvertices; v-- > 0;) {
        uint32_t parent = side->vertices[v].parent;
        if (parent == v)
            continue;
        next[v] = (*first)[parent];
        (*first)[parent] = v;
    }
    return next;
}

uint32_t *sca_diff_match(struct sca_workspace *space, const struct sca_diff_side *before,
                         const struct sca_diff_side *after)
{
    struct matching m = {.before = before, .after = after};
    m.to = sca_workspace_alloc(space, before->nvertices, sizeof *m.to);
    m.from = sca_workspace_alloc(space, after->nvertices, sizeof *m.from);
    memset(m.to, 0xff, before->nvertices * sizeof *m.to);
    memset(m.from, 0xff, after->nvertices * sizeof *m.from);
    m.next_before = chain(space, before, &m.first_before);
    m.next_after = chain(space, after, &m.first_after);
    m.to[0] = m.from[0] = 0;
    for (uint32_t v = 0; v < before->nvertices; v++)
        if (m.to[v] != SCA_NONE)
            for (enum likeness likeness = SAME_LINE; likeness <= SAME_THING; likeness++)
                match_children(&m, v, m.to[v], likeness);
    return m.to;
}
