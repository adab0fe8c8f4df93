#include "symbols/tail_call.h"
#include "sca_function_name.h"

#include <string.h>
#include <strings.h>

#define REGION "OpenMP region" /* as the recorded call is named */

/* Fortran's MPI_BARRIER, mpi_barrier_ and mpi_barrier_f08_ are MPI_Barrier; MPI_Barrier_init is
 * not. */
static bool is_named(const char *callee, const char *mpi)
{
    size_t length = strlen(mpi);
    const char *rest = callee + length;
    if (strncasecmp(callee, mpi, length))
        return false;
    return !rest[strspn(rest, "_")] || !strncasecmp(rest, "_f08", strlen("_f08"));
}

/* What a loop comes back from is not the function's last act. */
static bool is_in_loop(const struct sca_function *f, uint32_t v)
{
    while ((v = f->vertices[v].parent))
        if (f->vertices[v].kind == SCA_LOOP)
            return true;
    return false;
}

struct sca_frame sca_tail_call_frame(const struct sca_program *program, uint32_t function,
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

/* What is called at the place by its name; SCA_NO_FUNCTION: nothing, or it has no graph. */
static uint32_t called_at(const struct sca_program *program, const struct sca_frame *at)
{
    if (at->function == SCA_NO_FUNCTION)
        return SCA_NO_FUNCTION;
    const struct sca_program_function *caller = &program->functions[at->function];
    bool call = caller->local->vertices[at->vertex].kind == SCA_CALL;
    return call ? caller->callee[at->vertex] : SCA_NO_FUNCTION;
}

/* In the graph a region's body is what is called; the path has "OpenMP region" for it. */
static bool starts_region(const struct sca_program *program, const struct sca_program_function *f,
                          uint32_t v)
{
    uint32_t callee = f->callee[v];
    return sca_function_name_is_region(callee == SCA_NO_FUNCTION
                                           ? f->local->vertices[v].callee
                                           : program->functions[callee].local->name);
}

/* Whether the vertex calls the function of MPI's, or the C library's, or starts the region, or else
 * calls the function with a graph. */
static bool is_call_of(const struct sca_program *program, const struct sca_program_function *f,
                       uint32_t v, const char *mpi, uint32_t function)
{
    const struct sca_vertex *vertex = &f->local->vertices[v];
    bool call = vertex->kind == SCA_CALL;
    if (!mpi)
        return call && f->callee[v] == function;
    return ((call || vertex->kind == SCA_MPI) && is_named(vertex->callee, mpi)) ||
           (call && !strcmp(mpi, REGION) && starts_region(program, f, v));
}

/* If several calls could be the last act, which it was the path does not tell: what is sure is the
 * caller's place. */
static bool find_last_act(const struct sca_program *program, uint32_t called, const char *mpi,
                          uint32_t function, struct sca_frame *out)
{
    const struct sca_program_function *f = &program->functions[called];
    uint32_t found = 0;
    for (uint32_t v = 1; v < f->local->nvertices; v++) {
        if (!is_call_of(program, f, v, mpi, function) || is_in_loop(f->local, v))
            continue;
        if (found)
            return false;
        found = v;
    }
    if (found)
        *out = sca_tail_call_frame(program, called, found);
    return found;
}

bool sca_tail_call_mpi(const struct sca_program *program, const struct sca_frame *at,
                       const char *mpi, struct sca_frame *out)
{
    uint32_t called = called_at(program, at);
    return called != SCA_NO_FUNCTION && find_last_act(program, called, mpi, SCA_NO_FUNCTION, out);
}

bool sca_tail_call(const struct sca_program *program, const struct sca_frame *at,
                   const struct sca_frame *below, struct sca_frame *out)
{
    uint32_t called = called_at(program, at);
    return called != SCA_NO_FUNCTION && below->function != SCA_NO_FUNCTION &&
           called != below->function && find_last_act(program, called, NULL, below->function, out);
}
