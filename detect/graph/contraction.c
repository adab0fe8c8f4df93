#include "graph/contraction.h"
#include "symbols/framework.h"
#include "sca_error.h"

#include <stdlib.h>

int sca_contraction_open(const struct sca_program *program, struct sca_contraction *out)
{
    size_t n = program->nfunctions + 1ul;
    bool *memory = calloc(3 * n, sizeof *memory);
    if (!memory)
        return sca_fail(SCA_ENOMEM, "out of memory for the program's functions");
    *out = (struct sca_contraction){memory, memory + n, memory + 2 * n};
    for (uint32_t f = 0; f < program->nfunctions; f++) {
        out->goes_round[f] = program->functions[f].goes_round;
        out->has_mpi[f] = program->functions[f].calls_mpi;
    }
    return sca_framework_find(program, out->framework);
}

void sca_contraction_free(struct sca_contraction *contraction)
{
    free(contraction->goes_round);
    *contraction = (struct sca_contraction){0};
}

struct below { /* a node, in it or further down */
    bool round, mpi;
};

static bool set(bool *flag, bool value)
{
    bool news = value && !*flag;
    *flag |= value;
    return news;
}

/* From the innermost function outwards. User's code without a graph may go round. */
static bool add_place(struct sca_contraction *c, const struct sca_address_info *place,
                      struct below *at)
{
    bool news = false;
    for (uint32_t i = place->nframes; i-- > 0;) {
        uint32_t f = place->frames[i].function;
        if (f == SCA_NO_FUNCTION) {
            at->round |= place->user;
            continue;
        }
        news |= set(&c->goes_round[f], at->round);
        news |= set(&c->has_mpi[f], at->mpi);
        at->round |= c->goes_round[f];
        at->mpi |= c->has_mpi[f];
    }
    return news;
}

bool sca_contraction_add(struct sca_contraction *c, const struct sca_profile *profile,
                         const struct sca_address_info *const *places, int *status)
{
    struct below *below = calloc(profile->nnodes + 1ul, sizeof *below);
    bool news = false;
    if (!below) {
        *status = sca_fail(SCA_ENOMEM, "out of memory for call paths");
        return false;
    }
    for (uint32_t s = 1; s < profile->nsites; s++)
        if (profile->sites[s].node < profile->nnodes)
            below[profile->sites[s].node] = (struct below){true, true};
    for (uint32_t n = profile->nnodes; n-- > 1;) {
        news |= add_place(c, places[n], &below[n]);
        struct below *up = &below[profile->nodes[n].parent];
        up->round |= below[n].round;
        up->mpi |= below[n].mpi;
    }
    free(below);
    return news;
}

void sca_contraction_ready(const struct sca_program *program, struct sca_contraction *c)
{
    for (uint32_t f = 0; f < program->nfunctions; f++)
        c->framework[f] &= !c->has_mpi[f];
}

bool sca_contraction_joins(const struct sca_contraction *c, uint32_t caller, uint32_t callee)
{
    if (caller == SCA_NO_FUNCTION || callee == SCA_NO_FUNCTION)
        return false;
    return !c->goes_round[callee] || (c->framework[caller] && c->framework[callee]);
}
