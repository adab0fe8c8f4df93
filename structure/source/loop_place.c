#include "source/loop_place.h"
#include "source/loop_blocks.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_SHARE 0.9  /* of a loop's instructions, for the function that it is said to be in */
#define MOST_BEFORE 0.25 /* of a loop's lines, before the one that it begins with */

#define NO_INSTRUCTION SIZE_MAX

struct work {
    const struct sca_flow_graph *graph;
    const struct sca_source_map *map;
    struct sca_loop_blocks blocks;
    uint32_t *weight; /* per node: the loop's instructions in it or below */
    uint32_t *lines;  /* of the loop, sorted, each once */
    size_t nlines;
    uint32_t body_from, body_to; /* blocks of the loop as it is laid out */
};

/* ---- the branches of a loop ---- */

static size_t last_of(const struct sca_flow_graph *g, uint32_t block)
{
    return g->blocks[block].first + g->blocks[block].count - 1;
}

static bool leads_to(const struct sca_flow_graph *g, uint32_t block, uint32_t to)
{
    const struct sca_flow_block *b = &g->blocks[block];
    for (uint32_t i = 0; i < b->nsuccessors; i++)
        if (g->successors[b->successor + i] == to)
            return true;
    return false;
}

static bool leads_out(const struct sca_flow_graph *g, uint32_t loop, uint32_t block)
{
    const struct sca_flow_block *b = &g->blocks[block];
    bool out = b->nsuccessors < 2;
    for (uint32_t i = 0; i < b->nsuccessors; i++)
        out |= !sca_loop_blocks_holds(g, loop, g->successors[b->successor + i]);
    return out;
}

static bool is_branch(const struct sca_flow_graph *g, uint32_t block)
{
    return g->instructions[last_of(g, block)].flow == SCA_FLOW_BRANCH;
}

/* The last way back to the header; NO_INSTRUCTION if there is none of that kind. */
static size_t way_back(const struct work *w, uint32_t loop, bool conditional)
{
    const struct sca_flow_graph *g = w->graph;
    for (uint32_t k = w->blocks.first[loop + 1]; k-- > w->blocks.first[loop];) {
        uint32_t block = w->blocks.blocks[k];
        if (is_branch(g, block) == conditional && leads_to(g, block, g->loops[loop].header))
            return last_of(g, block);
    }
    return NO_INSTRUCTION;
}

/* ---- its body ---- */

static uint32_t block_of(const struct work *w, uint32_t loop, size_t instruction)
{
    for (uint32_t k = w->blocks.first[loop]; k < w->blocks.first[loop + 1]; k++)
        if (last_of(w->graph, w->blocks.blocks[k]) == instruction)
            return w->blocks.blocks[k];
    return SCA_NO_BLOCK;
}

/* From the header to the branch that closes the loop, and the loops inside. Compilers lay what they
 * expect seldom elsewhere: sqrt() of a negative number is such code, and its lines are vague. */
static void find_body(struct work *w, uint32_t loop, size_t closing)
{
    uint32_t header = w->graph->loops[loop].header;
    uint32_t last = closing == NO_INSTRUCTION ? SCA_NO_BLOCK : block_of(w, loop, closing);
    bool laid = last != SCA_NO_BLOCK && last >= header && !w->graph->loops[loop].many;
    w->body_from = laid ? header : 0;
    w->body_to = laid ? last : SCA_NO_BLOCK;
}

static bool is_body(const struct work *w, uint32_t loop, uint32_t block)
{
    return (block >= w->body_from && block <= w->body_to) || w->graph->blocks[block].loop != loop;
}

/* ---- in which function ---- */

static void weigh(const struct work *w, const struct sca_flow_block *block, uint32_t *weight)
{
    for (uint32_t i = block->first; i < block->first + block->count; i++)
        for (uint32_t n = w->map->node[i];; n = w->map->nodes[n].parent) {
            weight[n]++;
            if (!n)
                break;
        }
}

static void weigh_loop(const struct work *w, uint32_t loop)
{
    memset(w->weight, 0, w->map->nnodes * sizeof *w->weight);
    for (uint32_t k = w->blocks.first[loop]; k < w->blocks.first[loop + 1]; k++)
        if (is_body(w, loop, w->blocks.blocks[k]))
            weigh(w, &w->graph->blocks[w->blocks.blocks[k]], w->weight);
}

static uint32_t frame_of(const struct work *w)
{
    uint32_t frame = 0;
    for (uint32_t n = 1; n < w->map->nnodes; n++)
        if (w->weight[n] >= FRAME_SHARE * w->weight[0] &&
            w->map->nodes[n].depth > w->map->nodes[frame].depth)
            frame = n;
    return frame;
}

/* ---- at which line ---- */

static int by_value(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool same_file(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static void collect_lines(struct work *w, uint32_t loop, const struct sca_loop_place *place)
{
    size_t n = 0, kept = 0;
    for (uint32_t k = w->blocks.first[loop]; k < w->blocks.first[loop + 1]; k++) {
        const struct sca_flow_block *b = &w->graph->blocks[w->blocks.blocks[k]];
        for (uint32_t i = b->first; i < b->first + b->count; i++) {
            struct sca_source_line at = sca_source_map_line(w->map, i, place->node);
            if (at.line && same_file(at.file, place->file))
                w->lines[n++] = at.line;
        }
    }
    if (n)
        qsort(w->lines, n, sizeof *w->lines, by_value);
    for (size_t i = 0; i < n; i++)
        if (!i || w->lines[i] != w->lines[i - 1])
            w->lines[kept++] = w->lines[i];
    w->nlines = kept;
}

static bool begins_with(const struct work *w, uint32_t line)
{
    size_t before = 0;
    while (before < w->nlines && w->lines[before] < line)
        before++;
    return line && (double)before <= MOST_BEFORE * (double)w->nlines;
}

static uint32_t line_at(const struct work *w, size_t instruction, const struct sca_loop_place *p)
{
    if (instruction == NO_INSTRUCTION)
        return 0;
    struct sca_source_line at = sca_source_map_line(w->map, instruction, p->node);
    return same_file(at.file, p->file) ? at.line : 0;
}

static uint32_t line_of_header(const struct work *w, uint32_t loop, const struct sca_loop_place *p)
{
    uint32_t header = w->graph->loops[loop].header;
    bool test = is_branch(w->graph, header) && leads_out(w->graph, loop, header);
    return test ? line_at(w, last_of(w->graph, header), p) : 0;
}

static uint32_t line_of_exit(const struct work *w, uint32_t loop, const struct sca_loop_place *p)
{
    for (uint32_t k = w->blocks.first[loop]; k < w->blocks.first[loop + 1]; k++) {
        uint32_t block = w->blocks.blocks[k];
        uint32_t line = is_branch(w->graph, block) && leads_out(w->graph, loop, block)
                            ? line_at(w, last_of(w->graph, block), p)
                            : 0;
        if (line && begins_with(w, line))
            return line;
    }
    return 0;
}

/* The first line past that of the loop around, if it is in the same function. */
static uint32_t first_line(const struct work *w, const struct sca_loop_place *p,
                           const struct sca_loop_place *around)
{
    bool inside = around && around->node == p->node && same_file(around->file, p->file);
    for (size_t i = 0; inside && i < w->nlines; i++)
        if (w->lines[i] > around->line)
            return w->lines[i];
    return w->nlines ? w->lines[0] : 0;
}

static void find_line(const struct work *w, uint32_t loop, size_t closing,
                      const struct sca_loop_place *around, struct sca_loop_place *p)
{
    p->line = line_at(w, closing, p);
    if (!begins_with(w, p->line))
        p->line = line_of_header(w, loop, p);
    if (!begins_with(w, p->line))
        p->line = line_of_exit(w, loop, p);
    bool told = p->line && p->line == w->lines[0];
    if (!p->line)
        p->line = first_line(w, p, around);
    p->near = p->line && !told; /* something of the loop stands before it, or it was not told */
    p->end_line =
        w->nlines && w->lines[w->nlines - 1] > p->line ? w->lines[w->nlines - 1] : p->line;
}

/* ---- all loops ---- */

/* The file of the branch, else that of any instruction. */
static const char *file_of(const struct work *w, uint32_t loop, size_t closing, uint32_t node)
{
    if (closing != NO_INSTRUCTION) {
        struct sca_source_line at = sca_source_map_line(w->map, closing, node);
        if (at.file)
            return at.file;
    }
    for (uint32_t k = w->blocks.first[loop]; k < w->blocks.first[loop + 1]; k++) {
        const struct sca_flow_block *b = &w->graph->blocks[w->blocks.blocks[k]];
        for (uint32_t i = b->first; i < b->first + b->count; i++) {
            struct sca_source_line at = sca_source_map_line(w->map, i, node);
            if (at.file)
                return at.file;
        }
    }
    return NULL;
}

static void place_loop(struct work *w, uint32_t loop, struct sca_loop_places *out)
{
    struct sca_loop_place *p = &out->list[loop];
    uint32_t parent = w->graph->loops[loop].parent;
    const struct sca_loop_place *around = parent == SCA_NO_LOOP ? NULL : &out->list[parent];
    size_t closing = way_back(w, loop, true);
    size_t limit = closing == NO_INSTRUCTION ? way_back(w, loop, false) : closing;
    find_body(w, loop, closing);
    weigh_loop(w, loop);
    p->node = frame_of(w);
    while (limit != NO_INSTRUCTION &&
           !sca_source_map_is_within(w->map, w->map->node[limit], p->node))
        p->node = w->map->nodes[p->node].parent;
    if (around && sca_source_map_is_within(w->map, around->node, p->node))
        p->node = around->node;
    p->file = file_of(w, loop, closing, p->node);
    collect_lines(w, loop, p);
    find_line(w, loop, closing, around, p);
}

static int make_room(const struct work *w, struct sca_loop_places *out)
{
    size_t loops = w->graph->nloops + 1;
    if (loops > out->capacity) {
        free(out->list);
        out->list = malloc(2 * loops * sizeof *out->list);
        out->capacity = out->list ? 2 * loops : 0;
    }
    return out->list ? SCA_OK : SCA_ENOMEM;
}

int sca_loop_places_find(const struct sca_flow_graph *graph, const struct sca_source_map *map,
                         struct sca_loop_places *out)
{
    struct work w = {.graph = graph,
                     .map = map,
                     .weight = malloc(map->nnodes * sizeof *w.weight),
                     .lines = malloc((graph->ninstructions + 1) * sizeof *w.lines)};
    int status = sca_loop_blocks_list(graph, &w.blocks);
    if (!status)
        status = w.weight && w.lines ? make_room(&w, out) : SCA_ENOMEM;
    for (uint32_t l = 0; !status && l < graph->nloops; l++)
        place_loop(&w, l, out);
    if (status)
        sca_fail(status, "out of memory for the loops of a function");
    sca_loop_blocks_free(&w.blocks);
    free(w.weight);
    free(w.lines);
    return status;
}

void sca_loop_places_free(struct sca_loop_places *places)
{
    free(places->list);
    *places = (struct sca_loop_places){0};
}
