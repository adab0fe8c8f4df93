#include "graph/callee.h"
#include "image/call_name.h"

/* The function whose address the code puts into that argument shortly before the call. */
static uint32_t function_in_argument(const struct sca_code_image *image,
                                     const struct sca_code_functions *functions,
                                     const struct sca_flow_graph *graph, size_t index,
                                     unsigned argument)
{
    enum { MOST_BACK = 24 };
    struct sca_code_bytes code;
    for (size_t i = index, back = 0; i-- > 0 && back < MOST_BACK; back++) {
        if (!sca_code_image_code(image, graph->instructions[i].address, &code))
            continue;
        struct sca_effect e = image->decoder->effect(code);
        if (e.to == SCA_NO_REGISTER || !image->decoder->is_argument(e.to, argument))
            continue;
        return e.kind == SCA_EFFECT_ADDRESS ? sca_code_functions_from(functions, e.value)
                                            : SCA_NO_CODE;
    }
    return SCA_NO_CODE;
}

static struct sca_callee named(const struct sca_code_image *image,
                               const struct sca_code_functions *functions,
                               const struct sca_flow_graph *graph, size_t index, const char *name)
{
    struct sca_callee callee = {.is_call = true, .code = SCA_NO_CODE, .name = name};
    unsigned argument;
    if (sca_call_name_starts_threads(name, &argument))
        callee.code = function_in_argument(image, functions, graph, index, argument);
    callee.is_mpi = sca_call_name_is_mpi(name);
    callee.is_call = callee.code != SCA_NO_CODE || !sca_call_name_is_runtime(name);
    return callee;
}

/* Calls to what is linked in have their code in the file, MPI's library too. */
static struct sca_callee inside(const struct sca_code_image *image,
                                const struct sca_code_functions *functions,
                                const struct sca_flow_graph *graph, size_t index, uint32_t code)
{
    const char *name = functions->list[code].name;
    unsigned argument;
    if (sca_call_name_starts_threads(name, &argument))
        return named(image, functions, graph, index, name);
    return (struct sca_callee){.is_call = true,
                               .is_mpi = sca_call_name_is_mpi(name),
                               .code = functions->list[code].owner,
                               .name = name};
}

static bool jumps_out(const struct sca_flow_graph *graph, const struct sca_instruction *in)
{
    return in->flow == SCA_FLOW_JUMP && !sca_flow_graph_mark(graph, in->target);
}

/* One without a name is the C library's choice between versions of a function. */
static bool is_stub(const struct sca_code_image *image, uint64_t address)
{
    struct sca_code_bytes code;
    uint64_t slot;
    return sca_code_image_code(image, address, &code) && image->decoder->stub_slot(code, &slot);
}

struct sca_callee sca_callee_find(const struct sca_code_image *image,
                                  const struct sca_code_functions *functions,
                                  const struct sca_flow_graph *graph, size_t index)
{
    static const struct sca_callee none = {.code = SCA_NO_CODE, .name = ""};
    const struct sca_instruction *in = &graph->instructions[index];
    struct sca_callee unknown = none;
    if (in->flow == SCA_FLOW_CALL || jumps_out(graph, in)) {
        uint32_t code = sca_code_functions_from(functions, in->target);
        const char *stub = code == SCA_NO_CODE ? sca_code_image_stub(image, in->target) : NULL;
        if (code != SCA_NO_CODE)
            return inside(image, functions, graph, index, code);
        if (stub)
            return named(image, functions, graph, index, stub);
        unknown.is_call = unknown.is_indirect = !is_stub(image, in->target);
        return unknown;
    }
    bool slot =
        in->target && (in->flow == SCA_FLOW_CALL_INDIRECT || in->flow == SCA_FLOW_JUMP_INDIRECT);
    const char *name = slot ? sca_code_image_slot(image, in->target) : NULL;
    if (name)
        return named(image, functions, graph, index, name);
    unknown.is_call = unknown.is_indirect = in->flow == SCA_FLOW_CALL_INDIRECT;
    return unknown;
}
