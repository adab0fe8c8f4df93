#include "symbols/graph_match.h"
#include "sca_die.h"

#include <string.h>

/* ---- names ---- */

/* Bytes of a name before its template arguments: all of "operator<", as far as "operator=<int>". */
static size_t stem(const char *name)
{
    static const char *const symbols[] = {
        /* longer ones first */
        "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "==", "<", ">", "="};
    static const char word[] = "operator";
    size_t length = strlen(word);
    if (strncmp(name, word, length))
        return strcspn(name, "<");
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!strncmp(name + length, symbols[i], strlen(symbols[i])))
            return length + strlen(symbols[i]);
    return length + strcspn(name + length, "<");
}

static bool contains(const char *text, const char *part, size_t length)
{
    for (; *text; text++)
        if (!strncmp(text, part, length))
            return true;
    return false;
}

static bool is_named(const struct sca_function *function, const char *linkage, const char *name)
{
    if (*linkage)
        return !strcmp(function->linkage, linkage);
    size_t length = stem(name);
    return !length || contains(function->name, name, length) ||
           contains(function->linkage, name, length);
}

struct sca_identity sca_graph_match_identify(const struct sca_units *units,
                                             const struct sca_dwarf_unit *unit, Dwarf_Die *die)
{
    Dwarf_Die origin = sca_die_origin(die); /* its unit numbers the vertices */
    const struct sca_dwarf_unit *home = sca_compile_units_of(units, &origin);
    const char *name = dwarf_diename(die);
    return (struct sca_identity){home ? home : unit, sca_die_linkage(die), name ? name : ""};
}

/* ---- vertices ---- */

static bool find_in_unit(struct sca_psg *psg, uint64_t hash, uint32_t id, struct sca_frame *frame)
{
    const struct sca_unit *unit = sca_psg_unit(psg, hash);
    return unit && id && !sca_psg_find(psg, unit, id, &frame->function, &frame->vertex);
}

/* -g1 under LTO repeats a foreign function's DIE in the unit it was inlined into: its ids are still
 * those of the unit it was compiled in. */
static bool find_anywhere(struct sca_psg *psg, uint32_t id, const char *linkage, const char *name,
                          struct sca_frame *frame)
{
    bool known = *linkage || *name;
    for (uint32_t u = 0; known && id && u < psg->nunits; u++)
        if (!sca_psg_find(psg, &psg->units[u], id, &frame->function, &frame->vertex) &&
            is_named(&psg->functions[frame->function], linkage, name))
            return true;
    return false;
}

/* Without an id: the unit's function by name, and the innermost vertex around the line. */
static bool find_by_line(struct sca_psg *psg, uint64_t hash, const char *linkage, const char *name,
                         struct sca_frame *frame)
{
    const struct sca_unit *unit = sca_psg_unit(psg, hash);
    for (uint32_t e = 0; unit && e < unit->nentries; e++) {
        if (sca_psg_find(psg, unit, unit->entries[e].first_id, &frame->function, &frame->vertex))
            continue;
        const struct sca_function *f = &psg->functions[frame->function];
        if (!is_named(f, linkage, name) || (!*linkage && strcmp(f->name, name)))
            continue;
        for (uint32_t v = 1; v < f->nvertices; v++)
            if (f->vertices[v].kind == SCA_LOOP && f->vertices[v].line <= frame->line &&
                frame->line <= f->vertices[v].end_line)
                frame->vertex = v;
        return true;
    }
    return false;
}

void sca_graph_match_vertex(struct sca_psg *psg, const struct sca_identity *who, uint32_t id,
                            struct sca_frame *frame)
{
    uint64_t hash = who->unit->hash;
    const char *linkage = who->linkage, *name = who->name;
    if (who->unit->has_hash && find_in_unit(psg, hash, id, frame) &&
        is_named(&psg->functions[frame->function], linkage, name))
        return;
    if (who->unit->has_hash && (find_anywhere(psg, id, linkage, name, frame) ||
                                find_by_line(psg, hash, linkage, name, frame)))
        return;
    frame->function = SCA_NO_FUNCTION;
    frame->vertex = 0;
}
