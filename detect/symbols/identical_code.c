#include "symbols/identical_code.h"
#include "symbols/tail_call.h"

#include <string.h>

static bool same_shape(const struct sca_function *f, const struct sca_function *g)
{
    bool same = f->nvertices == g->nvertices;
    for (uint32_t v = 1; same && v < f->nvertices; v++)
        same = f->vertices[v].kind == g->vertices[v].kind &&
               f->vertices[v].arm == g->vertices[v].arm &&
               f->vertices[v].parent == g->vertices[v].parent;
    return same;
}

uint32_t sca_identical_code_into(const struct sca_program *program, const struct sca_frame *caller,
                                 const struct sca_frame *frame)
{
    if (caller->function == SCA_NO_FUNCTION || frame->function == SCA_NO_FUNCTION)
        return SCA_NO_FUNCTION;
    uint32_t called = program->functions[caller->function].callee[caller->vertex];
    if (called == SCA_NO_FUNCTION || called == frame->function)
        return SCA_NO_FUNCTION;
    const struct sca_function *meant = program->functions[called].local;
    const struct sca_function *found = program->functions[frame->function].local;
    bool other = meant->local || strcmp(meant->linkage, found->linkage);
    return other && same_shape(meant, found) ? called : SCA_NO_FUNCTION;
}

struct sca_frame sca_identical_code_frame(const struct sca_program *program, uint32_t function,
                                          const struct sca_frame *frame)
{
    const struct sca_vertex *there =
        &program->functions[frame->function].local->vertices[frame->vertex];
    const struct sca_vertex *here = &program->functions[function].local->vertices[frame->vertex];
    struct sca_frame result = sca_tail_call_frame(program, function, frame->vertex);
    if (here->end_line - here->line == there->end_line - there->line &&
        frame->line >= there->line && frame->line <= there->end_line)
        result.line += frame->line - there->line;
    return result;
}
