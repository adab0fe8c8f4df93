/* From a binary to its structure: all functions, one after the other. */
#include "flow/no_return.h"
#include "graph/emit.h"
#include "graph/instance.h"
#include "sca_error.h"
#include "sca_structure.h"

#include <stdlib.h>

struct recovery {
    struct sca_binary *binary;
    const struct sca_units *units;
    struct sca_code_image image;
    struct sca_code_functions functions;
    struct sca_no_return *names;
    struct sca_flow_code code;
    struct sca_draft draft;
    struct sca_naming naming;
    struct sca_stack_table stacks;
    struct sca_flow_graph graph;
    struct sca_source_map map;
    struct sca_loop_places places;
};

static int prepare(struct recovery *r)
{
    int status = sca_code_image_read(r->binary, &r->image);
    if (!status)
        status = sca_code_functions_read(r->binary, &r->image, &r->functions);
    r->code = (struct sca_flow_code){.image = &r->image, .functions = &r->functions};
    if (!status)
        status = sca_no_return_find(&r->code, r->units, &r->names);
    r->naming = (struct sca_naming){.binary = r->binary,
                                    .units = r->units,
                                    .code = &r->functions,
                                    .draft = &r->draft,
                                    .of_code = malloc((r->functions.count + 1ul) * 4)};
    for (uint32_t i = 0; r->naming.of_code && i < r->functions.count; i++)
        r->naming.of_code[i] = SCA_NO_DRAFT;
    return !status && !r->naming.of_code ? sca_fail(SCA_ENOMEM, "out of memory") : status;
}

/* What the compiler has described stays the compiler's. */
static bool has_graph(const struct recovery *r, uint64_t address)
{
    const struct sca_dwarf_unit *unit = sca_compile_units_at(r->units, address);
    return unit && unit->has_hash;
}

static int add_function(struct recovery *r, uint32_t index)
{
    const struct sca_code_function *f = &r->functions.list[index];
    if (f->owner != index || has_graph(r, f->low))
        return SCA_OK;
    int status = sca_flow_graph_fill(&r->code, index, true, &r->graph);
    if (!status && r->graph.ninstructions)
        status = sca_source_map_fill(r->units, &r->graph, &r->map);
    if (!status && r->graph.ninstructions)
        status = sca_loop_places_find(&r->graph, &r->map, &r->places);
    struct sca_instance instance = {&r->image, &r->naming, &r->stacks,
                                    &r->graph, &r->map,    &r->places};
    return status || !r->graph.ninstructions ? status : sca_instance_add(&instance, index);
}

static void release(struct recovery *r)
{
    sca_loop_places_free(&r->places);
    sca_source_map_free(&r->map);
    sca_flow_graph_free(&r->graph);
    sca_stack_table_free(&r->stacks);
    sca_draft_free(&r->draft);
    free(r->naming.of_code);
    sca_no_return_free(r->names);
    sca_code_functions_free(&r->functions);
    sca_code_image_free(&r->image);
}

int sca_structure_recover(struct sca_binary *binary, const struct sca_units *units,
                          struct sca_structure *out)
{
    struct recovery r = {.binary = binary, .units = units};
    *out = (struct sca_structure){0};
    int status = prepare(&r);
    for (uint32_t i = 0; !status && i < r.functions.count; i++)
        status = add_function(&r, i);
    if (!status)
        status = sca_emit(&r.draft, &r.stacks, binary->path, out);
    release(&r);
    if (status)
        sca_structure_free(out);
    return status;
}
