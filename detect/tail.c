#include "tail.h"

#include <string.h>
#include <strings.h>

/* Fortran's MPI_BARRIER, mpi_barrier_ and mpi_barrier_f08_ are MPI_Barrier. */
static bool is_named(const char *callee, const char *mpi)
{
    size_t length = strlen(mpi);
    return !strncasecmp(callee, mpi, length) && (!callee[length] || callee[length] == '_');
}

/* What a loop comes back from is not the function's last act. */
static bool is_in_loop(const struct sca_function *f, uint32_t v)
{
    while ((v = f->vertices[v].parent))
        if (f->vertices[v].kind == SCA_LOOP)
            return true;
    return false;
}

struct sca_frame sca_frame_in_graph(const struct sca_program *program, uint32_t function,
                                    uint32_t v)
{
    const struct sca_function *f = program->functions[function].local;
    const struct sca_vertex *vertex = &f->vertices[v];
    return (struct sca_frame){.function = function,
                              .vertex = v,
                              .name = f->name,
                              .file = vertex->file < f->nfiles ? f->files[vertex->file] : "",
                              .line = vertex->line};
}

bool sca_tail_call(const struct sca_program *program, const struct sca_frame *at, const char *mpi,
                   struct sca_frame *out)
{
    if (at->function == SCA_NO_FUNCTION)
        return false;
    const struct sca_program_function *caller = &program->functions[at->function];
    if (caller->local->vertices[at->vertex].kind != SCA_CALL ||
        caller->callee[at->vertex] == SCA_NO_FUNCTION)
        return false;
    uint32_t callee = caller->callee[at->vertex], found = 0;
    const struct sca_function *f = program->functions[callee].local;
    for (uint32_t v = 1; v < f->nvertices; v++) {
        if (f->vertices[v].kind != SCA_MPI || !is_named(f->vertices[v].callee, mpi) ||
            is_in_loop(f, v))
            continue;
        if (found)
            return false; /* which of them? The place that is sure is the caller's */
        found = v;
    }
    if (found)
        *out = sca_frame_in_graph(program, callee, found);
    return found;
}
