#include "framework.h"
#include "module.h"
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
        if (depth && (!strncmp(full + i, "::$_", 4) || !strncmp(full + i, "{lambda(", 8)))
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
    uint32_t *functors, nfunctors;
};

static void find_by_name(struct finding *f)
{
    for (uint32_t i = 0; i < f->program->nfunctions; i++) {
        const char *full = f->full[i] = sca_demangle(f->program->functions[i].local->linkage);
        f->framework[i] =
            sca_is_system_file(file_of(f->program, i)) || (full && is_over_lambda(full));
        if (full && class_of_functor(full) && !f->framework[i])
            f->functors[f->nfunctors++] = i;
    }
}

/* Whether the callee drives a functor that stands in the caller's file. */
static bool drives_functor(const struct finding *f, uint32_t caller, uint32_t callee)
{
    const char *full = f->full[callee], *file = file_of(f->program, caller);
    if (!full || !strchr(full, '<') || !strcmp(file, file_of(f->program, callee)))
        return false;
    for (uint32_t i = 0; i < f->nfunctors; i++) {
        const char *functor = f->full[f->functors[i]];
        if (!strcmp(file_of(f->program, f->functors[i]), file) &&
            is_over_class(full, functor, class_of_functor(functor)))
            return true;
    }
    return false;
}

static void find_by_functor(struct finding *f)
{
    for (uint32_t i = 0; f->nfunctors && i < f->program->nfunctions; i++) {
        const struct sca_program_function *caller = &f->program->functions[i];
        for (uint32_t v = 1; v < caller->local->nvertices; v++) {
            uint32_t callee = caller->callee[v];
            if (callee != SCA_NO_FUNCTION && !f->framework[callee])
                f->framework[callee] = drives_functor(f, i, callee);
        }
    }
}

int sca_framework_find(const struct sca_program *program, bool *framework)
{
    size_t n = program->nfunctions + 1ul;
    struct finding f = {program, framework, calloc(n, sizeof *f.full),
                        calloc(n, sizeof *f.functors), 0};
    int status = f.full && f.functors ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
    if (!status) {
        find_by_name(&f);
        find_by_functor(&f);
    }
    for (uint32_t i = 0; f.full && i < program->nfunctions; i++)
        free(f.full[i]);
    free(f.full);
    free(f.functors);
    return status;
}
