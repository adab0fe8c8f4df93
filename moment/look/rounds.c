#include "look/rounds.h"

#include <stdlib.h>

struct counts {               /* of a rank, of the call made most often */
    double always, sometimes; /* sometimes: branches may pass over it */
};

static uint32_t loop_around(const struct sca_look *look, uint32_t context, bool *branch)
{
    *branch = false;
    for (uint32_t c = look->contexts[context].parent; c; c = look->contexts[c].parent) {
        if (look->contexts[c].kind == SCALANA_LOOP)
            return c;
        *branch |= look->contexts[c].kind == SCALANA_BRANCH;
    }
    return SCALANA_NONE;
}

static void add_call(const double *calls, uint32_t nranks, bool branch, struct counts *of)
{
    for (uint32_t r = 0; r < nranks; r++) {
        double *most = branch ? &of[r].sometimes : &of[r].always;
        *most = calls[r] > *most ? calls[r] : *most;
    }
}

static struct sca_rounds of_rank(const struct counts *of)
{
    return of->always > 0 ? (struct sca_rounds){of->always, false}
                          : (struct sca_rounds){of->sometimes, true};
}

static struct sca_rounds fewest(const struct counts *of, uint32_t nranks)
{
    struct sca_rounds least = {0};
    for (uint32_t r = 0; r < nranks; r++) {
        struct sca_rounds own = of_rank(&of[r]);
        bool fewer = least.n <= 0 || own.n < least.n || (own.n == least.n && least.at_least);
        if (own.n > 0 && fewer)
            least = own;
    }
    return least;
}

static struct sca_rounds of_loop(const struct sca_look *look, const double *calls, uint32_t loop,
                                 struct counts *of)
{
    bool branch;
    for (uint32_t r = 0; r < look->nranks; r++)
        of[r] = (struct counts){0};
    for (uint32_t c = loop + 1; c < look->contexts[loop].end; c++)
        if (look->contexts[c].kind == SCALANA_MPI && loop_around(look, c, &branch) == loop)
            add_call(calls + (size_t)c * look->nranks, look->nranks, branch, of);
    return fewest(of, look->nranks);
}

int sca_rounds_find(const struct sca_look *look, const double *calls, struct sca_rounds *out)
{
    struct counts *of = calloc(look->nranks + 1ul, sizeof *of);
    for (uint32_t c = 0; of && c < look->ncontexts; c++)
        out[c] = look->contexts[c].kind == SCALANA_LOOP ? of_loop(look, calls, c, of)
                                                        : (struct sca_rounds){0};
    free(of);
    return of ? SCALANA_OK : SCALANA_ENOMEM;
}
