#include "measure/core_use.h"
#include "base/degrees.h"
#include "topology/ran_on.h"

#include <math.h>
#include <string.h>

enum {
    NUMBERS = 256, /* of cores, as the runtime folds them */
    SWEEPS = 300   /* bounds time: ranks that use cores almost alike need so many */
};

/* Parts need not add up to all: the least are not written. Adds nothing where the text is not of
 * that form. */
static void read_rank(const struct sca_rank *rank, struct sca_core_use *out, uint32_t r)
{
    const char *next;
    struct sca_ran_on of = sca_ran_on_first(rank, &next);
    uint32_t from = out->first[r], to = from;
    double sum = 0;
    for (size_t at = 0; sca_ran_on_part(&of, &at, &out->core[to], &out->part[to]); to++) {
        if (out->core[to] >= NUMBERS)
            break;
        sum += out->part[to];
    }
    for (uint32_t i = from; i < to; i++)
        out->part[i] /= sum > 0 ? sum : 1;
    out->first[r + 1] = sum > 0 ? to : from;
}

static size_t count_words(const struct sca_profile *profile)
{
    size_t n = 0;
    for (uint32_t r = 0; r < profile->nranks; r++)
        for (const char *at = profile->ranks[r].core_use; at && *at; at++)
            n += *at == ':';
    return n;
}

void sca_core_use_fill(struct sca_workspace *space, const struct sca_profile *profile,
                       struct sca_core_use *out)
{
    size_t words = count_words(profile);
    *out = (struct sca_core_use){.nranks = profile->nranks};
    if (words < profile->nranks)
        return;
    out->first = sca_workspace_alloc(space, profile->nranks + 1, sizeof *out->first);
    out->core = sca_workspace_alloc(space, words + 1, sizeof *out->core);
    out->part = sca_workspace_alloc(space, words + 1, sizeof *out->part);
    out->ncores = NUMBERS;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        read_rank(&profile->ranks[r], out, r);
        if (out->first[r + 1] == out->first[r])
            out->ncores = 0;
    }
}

struct fit {
    const struct sca_core_use *use;
    double *core; /* [NUMBERS] seconds that the work takes on it */
    double *rest; /* [nranks] what these leave */
};

bool sca_core_use_moves(const struct sca_core_use *use, const double *excess)
{
    double all = 0, stayed = 0;
    for (uint32_t r = 0; use->ncores && r < use->nranks; r++) {
        double most = 0;
        for (uint32_t i = use->first[r]; i < use->first[r + 1]; i++)
            most = fmax(most, use->part[i]);
        stayed += most * excess[r];
        all += excess[r];
    }
    return stayed < SCA_NEARLY_ALL * all;
}

/* What is missing at each core, as its ranks are on it, and how many ranks it has, in parts. */
static void gather(const struct fit *f, double *towards, double *weight)
{
    const struct sca_core_use *use = f->use;
    memset(towards, 0, NUMBERS * sizeof *towards);
    memset(weight, 0, NUMBERS * sizeof *weight);
    for (uint32_t r = 0; r < use->nranks; r++)
        for (uint32_t i = use->first[r]; i < use->first[r + 1]; i++) {
            towards[use->core[i]] += use->part[i] * f->rest[r];
            weight[use->core[i]] += use->part[i];
        }
}

static void leave(const struct fit *f, const double *seconds)
{
    for (uint32_t r = 0; r < f->use->nranks; r++) {
        f->rest[r] = seconds[r];
        for (uint32_t i = f->use->first[r]; i < f->use->first[r + 1]; i++)
            f->rest[r] -= f->use->part[i] * f->core[f->use->core[i]];
    }
}

static void sweep(const struct fit *f, const double *seconds, double *towards, double *weight)
{
    double least = INFINITY;
    gather(f, towards, weight);
    for (uint32_t c = 0; c < NUMBERS; c++)
        if (weight[c] > 0) {
            f->core[c] = fmax(0, f->core[c] + towards[c] / weight[c]);
            least = fmin(least, f->core[c]);
        }
    for (uint32_t c = 0; c < NUMBERS; c++)
        f->core[c] = weight[c] > 0 ? fmin(f->core[c], SCA_SHARED_HARDWARE * least) : 0;
    leave(f, seconds);
}

/* From cores that are equally fast. */
static void fit_cores(const struct fit *f, const double *seconds, double *towards, double *weight)
{
    double sum = 0;
    for (uint32_t r = 0; r < f->use->nranks; r++)
        sum += seconds[r];
    for (uint32_t c = 0; c < NUMBERS; c++)
        f->core[c] = sum / f->use->nranks;
    leave(f, seconds);
    for (int i = 0; i < SWEEPS; i++)
        sweep(f, seconds, towards, weight);
}

/* What the ranks have more than the others, on average. */
static double excess_of(const double *seconds, uint32_t nranks, const uint32_t *ranks, uint32_t n)
{
    double named = 0, others = 0;
    for (uint32_t r = 0, i = 0; r < nranks; r++) {
        bool is = i < n && ranks[i] == r;
        i += is;
        *(is ? &named : &others) += seconds[r];
    }
    return named / n - others / (nranks - n);
}

bool sca_core_use_explains(struct sca_workspace *space, const struct sca_core_use *use,
                           const double *seconds, const uint32_t *ranks, uint32_t n)
{
    if (!use->ncores || n == 0 || n >= use->nranks)
        return false;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct fit f = {use, sca_workspace_alloc(&scratch, NUMBERS, sizeof(double)),
                    sca_workspace_alloc(&scratch, use->nranks, sizeof(double))};
    double *towards = sca_workspace_alloc(&scratch, NUMBERS, sizeof *towards);
    double *weight = sca_workspace_alloc(&scratch, NUMBERS, sizeof *weight);
    fit_cores(&f, seconds, towards, weight);
    double before = excess_of(seconds, use->nranks, ranks, n);
    double after = excess_of(f.rest, use->nranks, ranks, n);
    sca_workspace_free(&scratch);
    return before > 0 && after <= SCA_HALF * before;
}
