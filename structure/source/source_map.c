#include "source/source_map.h"
#include "sca_die.h"
#include "sca_error.h"

#include <dwarf.h>
#include <stdlib.h>

enum { DEEPEST = 64 /* inlined calls, and scopes, in each other */ };

struct fill {
    const struct sca_units *units;
    const struct sca_flow_graph *graph;
    struct sca_source_map *map;
    Dwarf_Die unit; /* whose file table the calls name */
};

/* ---- lines ---- */

static bool row_at(Dwarf_Lines *lines, size_t index, uint64_t *address)
{
    Dwarf_Addr at;
    if (dwarf_lineaddr(dwarf_onesrcline(lines, index), &at))
        return false;
    *address = at;
    return true;
}

/* The last row at or below the address, `count` if there is none. */
static size_t find_row(Dwarf_Lines *lines, size_t count, uint64_t address)
{
    size_t low = 0, high = count;
    uint64_t at;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (!row_at(lines, middle, &at) || at > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low ? low - 1 : count;
}

static struct sca_source_line line_of(Dwarf_Line *row)
{
    int line = 0;
    bool ends = true;
    if (!row || dwarf_lineendsequence(row, &ends) || ends || dwarf_lineno(row, &line) || line <= 0)
        return (struct sca_source_line){0};
    return (struct sca_source_line){dwarf_linesrc(row, NULL, NULL), (uint32_t)line};
}

/* Instructions and rows both go by address. */
static void set_lines(struct fill *f, const struct sca_flow_span *span)
{
    const struct sca_flow_graph *g = f->graph;
    struct sca_dwarf_unit *unit = sca_compile_units_at(f->units, span->low);
    size_t count, i = sca_flow_graph_find(g, span->low);
    Dwarf_Lines *lines;
    uint64_t at;
    if (!unit || dwarf_getsrclines(&unit->die, &lines, &count))
        return;
    size_t row = find_row(lines, count, span->low);
    for (; row < count && i < g->ninstructions && g->instructions[i].address < span->high; i++) {
        while (row + 1 < count && row_at(lines, row + 1, &at) && at <= g->instructions[i].address)
            row++;
        f->map->line[i] = line_of(dwarf_onesrcline(lines, row));
    }
}

/* ---- inlined calls ---- */

static struct sca_source_line call_of(struct fill *f, Dwarf_Die *inlined)
{
    return (struct sca_source_line){sca_die_file(&f->unit, inlined, DW_AT_call_file),
                                    sca_die_number(inlined, DW_AT_call_line)};
}

static void paint(struct fill *f, Dwarf_Die *die, uint32_t node)
{
    const struct sca_flow_graph *g = f->graph;
    Dwarf_Addr base, low, high;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;)
        for (size_t i = sca_flow_graph_find(g, low);
             i < g->ninstructions && g->instructions[i].address < high; i++)
            f->map->node[i] = node;
}

static int add_node(struct fill *f, Dwarf_Die *die, uint32_t parent, uint32_t *index)
{
    struct sca_source_map *map = f->map;
    if (map->nnodes >= UINT32_MAX ||
        sca_arena_grow(&map->nodes, sizeof *map->nodes, map->nnodes, &map->nodes_capacity))
        return sca_fail(SCA_ENOMEM, "out of memory for inlined calls");
    *index = (uint32_t)map->nnodes++;
    map->nodes[*index] = (struct sca_source_node){.parent = parent,
                                                  .depth = map->nodes[parent].depth + 1,
                                                  .call = call_of(f, die),
                                                  .die = *die,
                                                  .described = true};
    paint(f, die, *index);
    return SCA_OK;
}

static bool is_block(int tag)
{
    return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static int add_below(struct fill *f, Dwarf_Die *scope, uint32_t parent, unsigned depth)
{
    Dwarf_Die die;
    int status = SCA_OK;
    if (depth > DEEPEST || dwarf_child(scope, &die))
        return SCA_OK;
    for (;;) {
        Dwarf_Off offset = dwarf_dieoffset(&die);
        int tag = dwarf_tag(&die);
        uint32_t node = parent;
        if (tag == DW_TAG_inlined_subroutine)
            status = add_node(f, &die, parent, &node);
        if (!status && (tag == DW_TAG_inlined_subroutine || is_block(tag)))
            status = add_below(f, &die, node, depth + 1);
        if (status || dwarf_siblingof(&die, &die) || dwarf_dieoffset(&die) <= offset)
            return status;
    }
}

static int add_nodes(struct fill *f)
{
    struct sca_source_map *map = f->map;
    uint64_t low = f->graph->spans[0].low;
    struct sca_dwarf_unit *unit = sca_compile_units_at(f->units, low);
    struct sca_piece piece;
    Dwarf_Die *die = unit ? sca_compile_units_function(unit, low, &piece) : NULL;
    if (sca_arena_grow(&map->nodes, sizeof *map->nodes, 0, &map->nodes_capacity))
        return SCA_ENOMEM;
    map->nodes[0] = (struct sca_source_node){.described = die != NULL};
    map->nnodes = 1;
    if (!die)
        return SCA_OK;
    map->nodes[0].die = *die;
    f->unit = unit->die;
    return add_below(f, die, 0, 0);
}

/* ---- all of it ---- */

static int make_room(struct sca_source_map *map, size_t wanted)
{
    if (wanted <= map->capacity)
        return SCA_OK;
    free(map->line);
    free(map->node);
    map->line = malloc(2 * wanted * sizeof *map->line);
    map->node = malloc(2 * wanted * sizeof *map->node);
    map->capacity = map->line && map->node ? 2 * wanted : 0;
    return map->capacity ? SCA_OK
                         : sca_fail(SCA_ENOMEM, "out of memory for the lines of a function");
}

int sca_source_map_fill(const struct sca_units *units, const struct sca_flow_graph *graph,
                        struct sca_source_map *map)
{
    struct fill f = {.units = units, .graph = graph, .map = map};
    int status = make_room(map, graph->ninstructions + 1);
    if (status)
        return status;
    for (size_t i = 0; i < graph->ninstructions; i++) {
        map->line[i] = (struct sca_source_line){0};
        map->node[i] = 0;
    }
    for (size_t s = 0; s < graph->nspans; s++)
        set_lines(&f, &graph->spans[s]);
    return add_nodes(&f);
}

void sca_source_map_free(struct sca_source_map *map)
{
    free(map->nodes);
    free(map->line);
    free(map->node);
    *map = (struct sca_source_map){0};
}

uint32_t sca_source_map_child(const struct sca_source_map *map, uint32_t node, uint32_t deeper)
{
    while (map->nodes[deeper].depth > map->nodes[node].depth + 1)
        deeper = map->nodes[deeper].parent;
    return deeper;
}

bool sca_source_map_is_within(const struct sca_source_map *map, uint32_t node, uint32_t other)
{
    while (map->nodes[node].depth > map->nodes[other].depth)
        node = map->nodes[node].parent;
    return node == other;
}

struct sca_source_line sca_source_map_line(const struct sca_source_map *map, size_t instruction,
                                           uint32_t node)
{
    uint32_t own = map->node[instruction];
    if (own == node)
        return map->line[instruction];
    if (!sca_source_map_is_within(map, own, node))
        return (struct sca_source_line){0};
    return map->nodes[sca_source_map_child(map, node, own)].call;
}
