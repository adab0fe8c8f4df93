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

static void find_by_name(struct finding *f)
{
    for (uint32_t i = 0; i < f->program->nfunctions; i++) {
        const char *full = f->full[i] = full_name(f->program->functions[i].local->linkage);
        f->framework[i] = sca_calling_path_is_system_file(file_of(f->program, i)) ||
                          (full && is_over_lambda(full));
    }
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
    return length && is_over_class(full, functor, length);
}

int sca_framework_find(const struct sca_program *program, bool *framework)
{
    struct finding f = {program, framework, calloc(program->nfunctions + 1ul, sizeof(char *))};
    if (!f.full)
        return sca_fail(SCA_ENOMEM, "out of memory for the program's functions");
    find_by_name(&f);
    for (uint32_t i = 0; i < program->nfunctions; i++)
        framework[i] |= drives_functor(&f, i);
    for (uint32_t i = 0; i < program->nfunctions; i++)
        free(f.full[i]);
    free(f.full);
    return SCA_OK;
}
