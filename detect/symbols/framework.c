#include "symbols/framework.h"
#include "sca_binary.h"
#include "sca_calling_path.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

static const char *file_of(const struct sca_program *program, uint32_t function)
{
    const struct sca_function *f = program->functions[function].local;
    return f->nvertices && f->vertices[0].file < f->nfiles ? f->files[f->vertices[0].file] : "";
}

/* ---- names ---- */

/* The class of "Relax::operator()(long) const"; 0: no such function. */
static size_t class_of_functor(const char *full)
{
    const char *at = strstr(full, "::operator()(");
    return at ? (size_t)(at - full) : 0;
}

/* Where the arguments of the function begin: the first bracket outside of template arguments. */
static size_t stem_of(const char *full)
{
    size_t depth = 0, i = 0;
    for (; full[i]; i++) {
        depth += full[i] == '<';
        depth -= full[i] == '>' && depth;
        if (full[i] == '(' && !depth && i && strncmp(full + i, "(anonymous", 10))
            break;
    }
    return i;
}

/* Whether a template argument anywhere in the name is a lambda. Its own names end with it. */
static bool is_over_lambda(const char *full)
{
    size_t depth = 0, stem = stem_of(full);
    for (size_t i = 0; i < stem; i++) {
        depth += full[i] == '<';
        depth -= full[i] == '>' && depth;
        if (depth && (!strncmp(full + i, "::$_", 4) || !strncmp(full + i, "{lambda(", 8) ||
                      !strncmp(full + i, "<lambda(", 8)))
            return true;
    }
    return false;
}

/* "main::$_0::operator()(int) const" */
static bool is_lambda(const char *full)
{
    size_t length = class_of_functor(full);
    return length && (memmem(full, length, "::$_", 4) || memmem(full, length, "{lambda(", 8) ||
                      memmem(full, length, "<lambda(", 8));
}

/* Whether one of the function's own template arguments is that class. */
static bool is_over_class(const char *full, const char *name, size_t length)
{
    size_t end = stem_of(full), depth = 0, begin = end;
    if (!end || full[end - 1] != '>')
        return false;
    do {
        begin--;
        depth += full[begin] == '>';
        depth -= full[begin] == '<';
    } while (begin && depth);
    for (size_t i = begin + 1; i + length < end; i++)
        if (!strncmp(full + i, name, length) && strchr(",>& ", full[i + length]) &&
            strchr("<, ", full[i - 1]))
            return true;
    return false;
}

/* ---- functions ---- */

struct finding {
    const struct sca_program *program;
    bool *framework;
    char **full; /* demangled names of C++ functions, else NULL */
};

/* With its arguments. Debug information of local templates has them without a linkage name. */
static char *full_name(const char *linkage)
{
    char *full = sca_symbol_table_demangle(linkage);
    return full || !strchr(linkage, '<') ? full : strdup(linkage);
}

static void find_system(struct finding *f)
{
    for (uint32_t i = 0; i < f->program->nfunctions; i++) {
        f->full[i] = full_name(f->program->functions[i].local->linkage);
        f->framework[i] = sca_calling_path_is_system_file(file_of(f->program, i));
    }
}

static bool is_below(const struct sca_function *f, uint32_t vertex, uint32_t v)
{
    while (v > vertex)
        v = f->vertices[v].parent;
    return v == vertex;
}

/* Whether it is a call of `functor`; SCA_NO_FUNCTION: of a lambda, or one that may lead to one. */
static bool may_drive(const struct finding *f, const struct sca_program_function *in, uint32_t v,
                      uint32_t functor)
{
    const struct sca_vertex *vertex = &in->local->vertices[v];
    uint32_t called = vertex->kind == SCA_CALL ? in->callee[v] : SCA_NO_FUNCTION;
    if (functor != SCA_NO_FUNCTION)
        return called == functor;
    if (called == SCA_NO_FUNCTION)
        return vertex->kind == SCA_CALL && vertex->flags & SCA_VF_INDIRECT;
    const char *full = f->full[called];
    return full && (is_lambda(full) || is_over_lambda(full) ||
                    (f->framework[called] && class_of_functor(full))); /* std::function */
}

/* Whether something goes round in it without what was passed to it. */
static bool has_loop_of_its_own(const struct finding *f, const struct sca_program_function *in,
                                uint32_t functor)
{
    const struct sca_vertex *vertices = in->local->vertices;
    for (uint32_t loop = 1; loop < in->local->nvertices; loop++) {
        bool drives = vertices[loop].kind != SCA_LOOP;
        for (uint32_t v = loop + 1; v < in->local->nvertices && !drives; v++)
            drives = is_below(in->local, loop, v) && may_drive(f, in, v, functor);
        if (!drives)
            return true;
    }
    return false;
}

static void find_over_lambda(struct finding *f)
{
    for (uint32_t i = 0; i < f->program->nfunctions; i++)
        f->framework[i] |= f->full[i] && is_over_lambda(f->full[i]) &&
                           !has_loop_of_its_own(f, &f->program->functions[i], SCA_NO_FUNCTION);
}

static bool is_in_loop(const struct sca_function *f, uint32_t v)
{
    while ((v = f->vertices[v].parent))
        if (f->vertices[v].kind == SCA_LOOP)
            return true;
    return false;
}

/* The one function that its loops call; SCA_NO_FUNCTION: none, or several calls. */
static uint32_t only_call_in_loops(const struct sca_program_function *f)
{
    uint32_t found = SCA_NO_FUNCTION, n = 0;
    for (uint32_t v = 1; v < f->local->nvertices; v++)
        if (f->local->vertices[v].kind == SCA_CALL && is_in_loop(f->local, v)) {
            found = f->callee[v];
            n++;
        }
    return n == 1 ? found : SCA_NO_FUNCTION;
}

/* Whether all that its loops call is a functor that it was made for. A matrix, whose operator() is
 * an accessor, is mostly called at several places. */
static bool drives_functor(const struct finding *f, uint32_t function)
{
    const char *full = f->full[function];
    uint32_t called = full ? only_call_in_loops(&f->program->functions[function]) : SCA_NO_FUNCTION;
    const char *functor = called == SCA_NO_FUNCTION ? NULL : f->full[called];
    size_t length = functor ? class_of_functor(functor) : 0;
    return length && is_over_class(full, functor, length) &&
           !has_loop_of_its_own(f, &f->program->functions[function], called);
}

int sca_framework_find(const struct sca_program *program, bool *framework)
{
    struct finding f = {program, framework, calloc(program->nfunctions + 1ul, sizeof(char *))};
    if (!f.full)
        return sca_fail(SCA_ENOMEM, "out of memory for the program's functions");
    find_system(&f);
    find_over_lambda(&f);
    for (uint32_t i = 0; i < program->nfunctions; i++)
        framework[i] |= drives_functor(&f, i);
    for (uint32_t i = 0; i < program->nfunctions; i++)
        free(f.full[i]);
    free(f.full);
    return SCA_OK;
}
