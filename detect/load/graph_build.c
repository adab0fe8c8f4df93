#include "load/graph_build.h"
#include "load/team_size.h"
#include "load/run_metrics.h"
#include "sca_arena.h"
#include "graph/context_tree.h"
#include "graph/known_objects.h"
#include "graph/ungraphed.h"
#include "sca_error.h"
#include "sca_progress.h"
#include "symbols/attribution.h"

#include <stdlib.h>
#include <string.h>

struct building {
    struct sca_ppg *ppg;
    struct sca_arena *arena; /* the graph's */
    struct sca_attribution attribution;
    struct sca_program program;
    struct sca_tree_input *inputs; /* per run */
    bool measured;
};

/* ---- the runs must be of one program ---- */

static bool join_worlds(struct sca_profile *const *profiles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < profiles[i]->ncomms; c++)
            if (profiles[i]->comms[c].joins_worlds)
                return true;
    return false;
}

static int check_same_program(struct sca_profile *const *profiles, uint32_t count)
{
    static const char *const keys[] = {"program", "build_id"};
    const char *names[] = {"program", "build-id of the program"};
    for (uint32_t i = 1; i < count; i++)
        for (int k = 0; k < 2; k++) {
            const char *a = sca_profile_meta(profiles[0], keys[k], "");
            const char *b = sca_profile_meta(profiles[i], keys[k], "");
            if (strcmp(a, b) && k == 1 && !join_worlds(profiles, count))
                return sca_fail(
                    SCA_EMISMATCH,
                    "%s and %s are runs of two builds of %s. Judge the runs of one "
                    "build; --view=diff BEFORE AFTER compares two (build-ids %s and %s)",
                    profiles[0]->directory, profiles[i]->directory,
                    sca_profile_meta(profiles[0], "program", ""), a, b);
            if (strcmp(a, b))
                return sca_fail(
                    SCA_EMISMATCH,
                    "runs of different programs cannot be compared%s: the %s is \"%s\" in "
                    "%s, but \"%s\" in %s",
                    join_worlds(profiles, count) ? ", unless they are worlds that met" : "",
                    names[k], a, profiles[0]->directory, b, profiles[i]->directory);
        }
    return SCA_OK;
}

/* ---- modules ---- */

/* The module the run's metadata calls its program, else the first with its name. */
static uint32_t find_program(const struct sca_profile *p)
{
    const char *path = sca_profile_meta(p, "path", ""), *name = sca_profile_meta(p, "program", "");
    for (uint32_t m = 0; m < p->nmodules; m++)
        if (*path && !strcmp(p->modules[m].path, path))
            return m;
    for (uint32_t m = 0; m < p->nmodules; m++) {
        const char *slash = strrchr(p->modules[m].path, '/');
        if (*name && !strcmp(slash ? slash + 1 : p->modules[m].path, name))
            return m;
    }
    return SCA_NONE;
}

static int add_modules(struct building *b, uint32_t run)
{
    const struct sca_profile *p = b->ppg->runs[run].profile;
    uint32_t program = find_program(p);
    uint32_t *index = calloc(p->nmodules + 1, sizeof *index);
    bool *used = calloc(p->nmodules + 1, sizeof *used);
    int status = index && used ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
    b->inputs[run] = (struct sca_tree_input){.profile = p, .module = index};
    for (uint32_t n = 1; !status && n < p->nnodes; n++)
        if (p->nodes[n].module < p->nmodules)
            used[p->nodes[n].module] = true;
    for (uint32_t m = 0; !status && m < p->nmodules; m++) {
        index[m] = SCA_NONE;
        if (used[m] || m == program)
            status = sca_attribution_add(&b->attribution, &p->modules[m], m == program, &index[m]);
    }
    free(used);
    return status;
}

/* A run always names its program; without the module there is nothing to hold names against. */
static int add_all_modules(struct building *b)
{
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < b->ppg->nruns; r++)
        status = add_modules(b, r);
    return status ? status : sca_attribution_ready(&b->attribution);
}

/* ---- building ---- */

static int copy_names(struct building *b)
{
    struct sca_ppg *g = b->ppg;
    const struct sca_profile *p = g->runs[0].profile;
    g->program = sca_arena_string(b->arena, sca_profile_meta(p, "program", ""));
    g->path = sca_arena_string(b->arena, sca_profile_meta(p, "path", ""));
    g->build_id = sca_arena_string(b->arena, sca_profile_meta(p, "build_id", ""));
    g->notes = sca_arena_alloc(b->arena, b->attribution.nnotes + 1, sizeof *g->notes);
    if (!g->program || !g->path || !g->build_id || !g->notes)
        return SCA_ENOMEM;
    for (; g->nnotes < b->attribution.nnotes; g->nnotes++) {
        g->notes[g->nnotes] = sca_arena_string(b->arena, b->attribution.notes[g->nnotes]);
        if (!g->notes[g->nnotes])
            return SCA_ENOMEM;
    }
    return SCA_OK;
}

static int measure(struct building *b)
{
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < b->ppg->nruns; r++) {
        struct sca_ppg_run *run = &b->ppg->runs[r];
        run->site_vertex = b->inputs[r].site_vertex;
        run->node_vertex = b->inputs[r].node_vertex;
        run->node_inner = b->inputs[r].node_inner;
        status = b->measured ? sca_run_metrics_build(b->arena, b->ppg, run)
                             : sca_run_metrics_refuse(b->ppg, run);
        if (!status)
            status = sca_known_objects_read(b->arena, &b->attribution, &b->inputs[r], run);
    }
    return status;
}

static int build(struct building *b, uint32_t max_loop_depth)
{
    struct sca_ppg *g = b->ppg;
    sca_progress_watch("reading the program's symbols and lines");
    int status = add_all_modules(b);
    sca_progress_watch("building the tree of calls");
    if (max_loop_depth == SCA_NONE)
        max_loop_depth = sca_psg_max_loop_depth(&b->attribution.psg);
    if (!status)
        status = sca_psg_link(&b->attribution.psg, max_loop_depth, &b->program);
    if (!status)
        status = sca_context_tree_build(b->arena, &b->attribution, &b->program, b->inputs, g->nruns,
                                        &g->vertices, &g->nvertices, &g->inners);
    if (!status)
        status = measure(b);
    if (!status) /* of the largest run */
        status = sca_ungraphed_note(&b->attribution, g->runs[g->nruns - 1].profile,
                                    b->inputs[g->nruns - 1].module);
    return status ? status : copy_names(b);
}

static int take_memory(struct building *b, struct sca_profile *const *profiles, uint32_t count)
{
    b->ppg = calloc(1, sizeof *b->ppg);
    b->arena = calloc(1, sizeof *b->arena);
    b->inputs = calloc(count + 1, sizeof *b->inputs);
    if (b->ppg && b->arena)
        b->ppg->runs = sca_arena_alloc(b->arena, count + 1, sizeof *b->ppg->runs);
    if (!b->ppg || !b->arena || !b->inputs || !b->ppg->runs)
        return sca_fail(SCA_ENOMEM, "out of memory");
    b->ppg->memory = b->arena;
    b->ppg->nruns = count;
    for (uint32_t r = 0; r < count; r++) {
        b->ppg->runs[r].profile = profiles[r];
        b->ppg->runs[r].nranks = profiles[r]->nranks;
        b->ppg->runs[r].threads = sca_team_size(profiles[r]);
    }
    return SCA_OK;
}

int sca_graph_build(struct sca_profile *const *profiles, uint32_t nprofiles,
                    const struct sca_graph_wish *wish, struct sca_ppg **out)
{
    struct building b = {
        .measured = !wish->unmeasured,
        .attribution = {.cache = wish->cache, .places = {wish->symfs, profiles, nprofiles}}};
    *out = NULL;
    if (!nprofiles)
        return sca_fail(SCA_EINVAL, "no run was given");
    int status = check_same_program(profiles, nprofiles);
    if (status)
        return status;
    status = take_memory(&b, profiles, nprofiles);
    if (!status)
        status = build(&b, wish->max_loop_depth);
    sca_psg_program_free(&b.program);
    sca_attribution_free(&b.attribution);
    for (uint32_t r = 0; b.inputs && r < nprofiles; r++)
        free((void *)b.inputs[r].module);
    free(b.inputs);
    if (!status) {
        *out = b.ppg;
        return SCA_OK;
    }
    if (b.ppg)
        b.ppg->memory = b.arena;
    else if (b.arena)
        sca_arena_free(b.arena);
    if (!b.ppg)
        free(b.arena);
    sca_ppg_free(b.ppg);
    return status;
}
