#include "graph/ungraphed.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 1024 /* that are looked at */, MOST_OBJECTS = 64, TOLD = 4, NAME = 128 };

struct object {
    char name[NAME]; /* of a library, or of a source file of the program */
    uint64_t samples;
    bool system; /* a library of the distribution */
};

struct counts {
    struct sca_attribution *attribution;
    const struct sca_profile *profile;
    const uint32_t *module;
    uint64_t samples;
    uint32_t nobjects;
    struct object objects[MOST_OBJECTS];
};

static void count(struct counts *c, const char *name, bool system, uint64_t samples)
{
    uint32_t i = 0;
    while (i < c->nobjects && strcmp(c->objects[i].name, name))
        i++;
    if (i == MOST_OBJECTS)
        return;
    if (i == c->nobjects)
        snprintf(c->objects[c->nobjects++].name, NAME, "%s", name);
    c->objects[i].system = system;
    c->objects[i].samples += samples;
}

static int count_node(struct counts *c, uint32_t n, uint64_t samples)
{
    const struct sca_node *node = &c->profile->nodes[n];
    const struct sca_address_info *place;
    const char *name;
    uint32_t module = node->module < c->profile->nmodules ? c->module[node->module] : SCA_NONE;
    c->samples += samples;
    if (!samples || module == SCA_NONE)
        return SCA_OK;
    int status = sca_attribution_lookup(c->attribution, module, node->offset, node->kind, &place);
    if (!status && (name = sca_attribution_ungraphed(c->attribution, module, place)))
        count(c, name, false, samples);
    else if (!status && (name = sca_attribution_system_library(c->attribution, module)))
        count(c, name, true, samples);
    return status;
}

/* Samples of computation at each node, of some ranks all over the run. */
static int add_samples(const struct sca_profile *p, uint64_t *samples)
{
    void *memory = calloc(1, sca_rank_open_size(p));
    if (!memory)
        return sca_fail(SCA_ENOMEM, "out of memory");
    struct sca_opened *opened = sca_rank_open_init(memory, p);
    uint32_t step = p->nranks / MOST_RANKS + 1;
    for (uint32_t r = 0; r < p->nranks; r += step) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_SAMPLES);
        for (uint32_t i = 0; i < rank->nsamples; i++)
            if (!rank->sample[i].in_mpi && rank->sample[i].node < p->nnodes)
                samples[rank->sample[i].node] += rank->sample[i].count;
    }
    free(memory);
    return SCA_OK;
}

static int most_first(const void *left, const void *right)
{
    const struct object *a = left, *b = right;
    if (a->samples != b->samples)
        return a->samples < b->samples ? 1 : -1;
    return strcmp(a->name, b->name);
}

static int tell_own(struct counts *c)
{
    char list[TOLD * (NAME + 16) + 16] = "";
    uint64_t sum = 0;
    uint32_t told = 0;
    size_t used = 0;
    for (uint32_t i = 0; i < c->nobjects; i++)
        sum += c->objects[i].system ? 0 : c->objects[i].samples;
    if (!c->samples || (double)sum < SCA_TRIFLE * (double)c->samples)
        return SCA_OK;
    for (uint32_t i = 0; i < c->nobjects; i++)
        if (!c->objects[i].system && told++ < TOLD)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s, %.0f %%%s",
                                     told > 1 ? "; " : "", c->objects[i].name,
                                     100 * (double)c->objects[i].samples / (double)c->samples,
                                     told > 1 ? "" : " of the samples");
    return sca_attribution_note(c->attribution,
                                "No graph (not compiled with scalana-static): %s%s. Functions are "
                                "known there, and lines if compiled with -g, but no loops.",
                                list, told > TOLD ? "; ..." : "");
}

/* The work of the distribution's own program may be in such a library. */
static int tell_system(struct counts *c)
{
    int status = SCA_OK;
    for (uint32_t i = 0; !status && i < c->nobjects; i++)
        if (c->objects[i].system &&
            (double)c->objects[i].samples >= SCA_QUARTER * (double)c->samples)
            status = sca_attribution_note(
                c->attribution,
                "%.0f %% of the samples are in %s, a system library without MPI. Its loops are not "
                "analysed; a cause in it is reported at the call that leads there.",
                100 * (double)c->objects[i].samples / (double)c->samples, c->objects[i].name);
    return status;
}

static int tell(struct counts *c)
{
    qsort(c->objects, c->nobjects, sizeof *c->objects, most_first);
    int status = tell_own(c);
    return status ? status : tell_system(c);
}

int sca_ungraphed_note(struct sca_attribution *a, const struct sca_profile *profile,
                       const uint32_t *module)
{
    uint64_t *samples = calloc(profile->nnodes + 1ul, sizeof *samples);
    struct counts *c = calloc(1, sizeof *c);
    int status = samples && c ? add_samples(profile, samples) : sca_fail(SCA_ENOMEM, "no memory");
    if (c)
        *c = (struct counts){.attribution = a, .profile = profile, .module = module};
    for (uint32_t n = 0; !status && n < profile->nnodes; n++)
        status = count_node(c, n, samples[n]);
    if (!status)
        status = tell(c);
    free(samples);
    free(c);
    return status;
}
