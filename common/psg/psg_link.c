#include "psg/psg_link.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

/* A definition a call may resolve to; unit SCA_NO_FUNCTION: visible to all units. */
struct name {
    const char *linkage;
    uint32_t unit, function;
};

struct names {
    const struct sca_psg *psg;
    struct name *list;
    uint32_t count;
    uint32_t *unit_of; /* per function: a unit that holds it */
};

static int by_name(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int order = strcmp(x->linkage, y->linkage);
    return order ? order : x->unit < y->unit ? -1 : x->unit > y->unit;
}

static uint32_t function_of_key(const struct sca_psg *psg, uint64_t key)
{
    uint32_t low = 0, high = psg->nfunctions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (psg->functions[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < psg->nfunctions && psg->functions[low].key == key ? low : SCA_NO_FUNCTION;
}

/* Every unit's own definitions, so that a unit finds its static functions and its own copies
 * first, then all that others can see. */
static int collect_names(struct names *n)
{
    size_t most = n->psg->nfunctions;
    for (uint32_t u = 0; u < n->psg->nunits; u++)
        most += n->psg->units[u].nentries;
    n->list = calloc(most + 1, sizeof *n->list);
    n->unit_of = malloc((n->psg->nfunctions + 1) * sizeof *n->unit_of);
    if (!n->list || !n->unit_of || most > UINT32_MAX)
        return sca_fail(SCA_ENOMEM, "out of memory for the program's functions");
    for (uint32_t f = 0; f < n->psg->nfunctions; f++) {
        n->unit_of[f] = SCA_NO_FUNCTION;
        if (!n->psg->functions[f].local)
            n->list[n->count++] = (struct name){n->psg->functions[f].linkage, SCA_NO_FUNCTION, f};
    }
    for (uint32_t u = 0; u < n->psg->nunits; u++)
        for (uint32_t e = 0; e < n->psg->units[u].nentries; e++) {
            uint32_t f = function_of_key(n->psg, n->psg->units[u].entries[e].key);
            if (f == SCA_NO_FUNCTION)
                continue;
            n->unit_of[f] = n->unit_of[f] == SCA_NO_FUNCTION ? u : n->unit_of[f];
            n->list[n->count++] = (struct name){n->psg->functions[f].linkage, u, f};
        }
    qsort(n->list, n->count, sizeof *n->list, by_name);
    return SCA_OK;
}

static uint32_t find_name(const struct names *n, const char *linkage, uint32_t unit)
{
    struct name key = {linkage, unit, 0}, *found = NULL;
    if (n->count)
        found = bsearch(&key, n->list, n->count, sizeof key, by_name);
    return found ? found->function : SCA_NO_FUNCTION;
}

static uint32_t resolve(const struct names *n, const char *linkage, uint32_t unit)
{
    uint32_t own = find_name(n, linkage, unit);
    return own != SCA_NO_FUNCTION ? own : find_name(n, linkage, SCA_NO_FUNCTION);
}

static const char *alias_target(const struct sca_psg *psg, const char *linkage)
{
    uint32_t low = 0, high = psg->naliases;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(psg->aliases[middle].linkage, linkage) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < psg->naliases && !strcmp(psg->aliases[low].linkage, linkage)
               ? psg->aliases[low].target
               : NULL;
}

/* An MPI_ name that the program defines itself is its own code. */
static uint32_t callee_of(const struct names *n, uint32_t function, const struct sca_vertex *v)
{
    if ((v->kind != SCA_CALL && v->kind != SCA_MPI) || !*v->callee)
        return SCA_NO_FUNCTION;
    uint32_t unit = n->unit_of[function], found = resolve(n, v->callee, unit);
    const char *target = found == SCA_NO_FUNCTION ? alias_target(n->psg, v->callee) : NULL;
    return target ? resolve(n, target, unit) : found;
}

static int link_function(const struct names *n, uint32_t index, struct sca_program_function *f)
{
    const struct sca_function *local = &n->psg->functions[index];
    size_t count = local->nvertices;
    uint32_t *words = malloc(count * (3 * sizeof *words + 2));
    if (!words)
        return sca_fail(SCA_ENOMEM, "out of memory for the program's functions");
    f->local = local;
    f->callee = words;
    f->whole = words + count;
    f->kept = words + 2 * count;
    f->kind = (uint8_t *)(words + 3 * count);
    f->flags = f->kind + count;
    for (uint32_t v = 0; v < count; v++) {
        f->callee[v] = callee_of(n, index, &local->vertices[v]);
        f->flags[v] = local->vertices[v].flags;
        f->kind[v] = local->vertices[v].kind;
        if (f->kind[v] == SCA_MPI && f->callee[v] != SCA_NO_FUNCTION)
            f->kind[v] = SCA_CALL;
    }
    return SCA_OK;
}

static uint32_t find_main(const struct names *n)
{
    static const char *const mains[] = {"main", "_QQmain", "MAIN__"};
    for (size_t i = 0; i < sizeof mains / sizeof *mains; i++) {
        uint32_t found = find_name(n, mains[i], SCA_NO_FUNCTION);
        if (found != SCA_NO_FUNCTION)
            return found;
    }
    return SCA_NO_FUNCTION;
}

static int link_all(struct names *n, struct sca_program *out)
{
    int status = collect_names(n);
    out->functions = calloc(n->psg->nfunctions + 1, sizeof *out->functions);
    if (!out->functions)
        return sca_fail(SCA_ENOMEM, "out of memory for the program's functions");
    for (uint32_t f = 0; !status && f < n->psg->nfunctions; f++) {
        status = link_function(n, f, &out->functions[f]);
        out->nfunctions += !status;
    }
    if (!status)
        out->main = find_main(n);
    return status;
}

int sca_psg_link(const struct sca_psg *psg, uint32_t max_loop_depth, struct sca_program *out)
{
    struct names names = {.psg = psg};
    *out = (struct sca_program){.main = SCA_NO_FUNCTION, .max_loop_depth = max_loop_depth};
    int status = link_all(&names, out);
    free(names.list);
    free(names.unit_of);
    if (!status)
        status = sca_psg_cycles(out);
    if (!status)
        status = sca_psg_contract(out);
    if (status)
        sca_psg_program_free(out);
    return status;
}

void sca_psg_program_free(struct sca_program *program)
{
    for (uint32_t f = 0; f < program->nfunctions; f++)
        free(program->functions[f].callee);
    free(program->functions);
    *program = (struct sca_program){.main = SCA_NO_FUNCTION};
}
