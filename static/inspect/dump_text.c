#include "inspect/inspect.h"

#include <stdio.h>

/* Steps from the root, counted over the vertices that are shown. */
static unsigned depth_of(const struct sca_program_function *f, uint32_t v, bool contracted)
{
    unsigned depth = 0;
    for (uint32_t p = v; p;) {
        p = f->local->vertices[p].parent;
        bool shown = !contracted || (f->kept[p] == p && f->kind[p] != SCA_COMP);
        depth += shown;
    }
    return depth;
}

static void print_call(const struct sca_program *program, const struct sca_program_function *f,
                       uint32_t v)
{
    if (f->callee[v] != SCA_NO_FUNCTION)
        printf(" -> %s", program->functions[f->callee[v]].local->name);
    if (f->flags[v] & SCA_VF_RECURSIVE)
        printf(" (recursive)");
}

static void print_vertex(const struct sca_program *program, const struct sca_program_function *f,
                         uint32_t v, bool contracted)
{
    const struct sca_vertex *vertex = &f->local->vertices[v];
    enum sca_vertex_kind kind = contracted ? f->kind[v] : vertex->kind;
    uint32_t first = vertex->line, last = vertex->end_line;
    if (contracted)
        sca_inspect_merged_lines(f, v, &first, &last);
    printf("  %*s%s", (int)(2 * depth_of(f, v, contracted)), "", sca_psg_kind_name(kind));
    if (kind == SCA_CALL || kind == SCA_MPI)
        printf(" %s", sca_inspect_vertex_label(f, v, contracted));
    printf(" %u", first);
    if (last != first)
        printf("-%u", last);
    if (vertex->file && kind != SCA_ROOT)
        printf(" of %s", f->local->files[vertex->file]);
    if (v && f->local->vertices[vertex->parent].kind == SCA_BRANCH)
        printf(" [arm %u]", vertex->arm);
    if (f->flags[v] & SCA_VF_MARKED)
        printf(" *");
    print_call(program, f, v);
    printf("\n");
}

static void print_function(const struct sca_program *program, uint32_t index, bool contracted)
{
    const struct sca_program_function *f = &program->functions[index];
    printf(" %s%s%s, %s\n", f->local->name, index == program->main ? ", main program" : "",
           f->reaches_mpi ? ", reaches MPI" : "", f->local->files[0]);
    for (uint32_t v = 0; v < f->local->nvertices; v++)
        if (contracted ? f->kept[v] == v : f->whole[v] == v)
            print_vertex(program, f, v, contracted);
}

void sca_dump_text(const struct sca_program *program)
{
    printf("Program Structure Graph (loops marked at run time: *)\n");
    for (int contracted = 0; contracted < 2; contracted++) {
        printf("%s contraction", contracted ? "after" : "before");
        if (contracted)
            printf(", loops down to depth %u", program->max_loop_depth);
        printf(":\n");
        for (uint32_t f = 0; f < program->nfunctions; f++)
            print_function(program, f, contracted);
    }
}
