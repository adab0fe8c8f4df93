#include "graph/context_tree.h"
#include "graph/context_growth.h"
#include "symbols/identical_code.h"
#include "graph/mpi_function.h"
#include "graph/program_order.h"
#include "symbols/tail_call.h"
#include "sca_calling_path.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

enum { BELOW_MAIN = 1, LEADS_TO_MAIN = 2, SAMPLED = 4 };

struct tree_walk { /* one run */
    struct sca_contexts *contexts;
    struct sca_attribution *attribution;
    const struct sca_tree_input *run;
    const struct sca_address_info **places; /* per node */
    struct sca_spot *spots;                 /* per node: the innermost function a user can see */
    uint8_t *marks;
};

/* ---- main, and what lies above it ---- */

static bool is_fortran_main(const struct sca_frame *frame)
{
    return !strcmp(frame->name, "_QQmain") || !strcmp(frame->name, "MAIN__");
}

static bool is_main(const struct tree_walk *w, const struct sca_frame *frame)
{
    if (frame->function != SCA_NO_FUNCTION) {
        const char *linkage = w->contexts->program->functions[frame->function].local->linkage;
        return frame->function == w->contexts->program->main || !strcmp(linkage, "main") ||
               !strcmp(linkage, "_QQmain") || !strcmp(linkage, "MAIN__");
    }
    return !strcmp(frame->name, "main") || is_fortran_main(frame);
}

/* The C library calls main, whatever a stripped program calls it. */
static bool is_called_by_start(const struct tree_walk *w, uint32_t node)
{
    const struct sca_address_info *up = w->places[w->run->profile->nodes[node].parent];
    return up->nframes && !strncmp(up->frames[up->nframes - 1].name, "__libc_start", 12);
}

static bool starts_here(const struct tree_walk *w, uint32_t node, uint32_t frame)
{
    const struct sca_address_info *place = w->places[node];
    return place->user &&
           (is_main(w, &place->frames[frame]) || (frame == 0 && is_called_by_start(w, node)));
}

static void mark_main(struct tree_walk *w)
{
    const struct sca_profile *p = w->run->profile;
    for (uint32_t n = 1; n < p->nnodes; n++) {
        w->marks[n] |= w->marks[p->nodes[n].parent] & BELOW_MAIN;
        for (uint32_t i = 0; i < w->places[n]->nframes; i++)
            if (starts_here(w, n, i))
                w->marks[n] |= BELOW_MAIN;
    }
    for (uint32_t n = p->nnodes; n-- > 1;)
        if (w->marks[n] & (BELOW_MAIN | LEADS_TO_MAIN))
            w->marks[p->nodes[n].parent] |= LEADS_TO_MAIN;
}

/* ---- along the paths ---- */

/* Where in the program's graph a function begins, or else where it was seen. */
static struct sca_inner inner_of(const struct tree_walk *w, const struct sca_frame *frame)
{
    const struct sca_program *program = w->contexts->program;
    struct sca_frame begin = *frame;
    if (frame->function != SCA_NO_FUNCTION)
        begin = sca_tail_call_frame(program, frame->function, 0);
    return (struct sca_inner){.function = frame->name, .file = begin.file, .line = begin.line};
}

/* The function is part of the one that calls it. */
static void join(struct tree_walk *w, struct sca_spot *spot, const struct sca_frame *frame,
                 bool inlined)
{
    struct sca_inner inner = inner_of(w, frame);
    inner.parent = spot->inner;
    inner.inlined = inlined;
    spot->inner = sca_inner_function_at(w->contexts->inners, &inner);
    spot->last = frame;
}

/* Of code that is not the user's the first function is told that has a name. */
static bool is_told(const struct sca_inners *inners, const struct sca_spot *spot)
{
    const struct sca_inner *inner = spot->inner ? &inners->items[spot->inner] : NULL;
    return inner && inner->foreign && !inner->unnamed;
}

/* What is called there has no graph and is not the user's: the caller's graph knows its name. */
static void leave(struct tree_walk *w, struct sca_spot *spot, const struct sca_address_info *place)
{
    const struct sca_frame *at = spot->last ? spot->last : spot->frame;
    const struct sca_inners *inners = w->contexts->inners;
    if (!at || is_told(inners, spot))
        return;
    struct sca_inner inner = {.parent = spot->inner, .file = at->file, .line = at->line};
    inner.foreign = true;
    inner.unnamed = place->unnamed;
    inner.function = place->nframes ? place->frames[0].name : "";
    bool first = !spot->inner || !inners->items[spot->inner].foreign;
    if (first && at->function != SCA_NO_FUNCTION) {
        const struct sca_function *f = w->contexts->program->functions[at->function].local;
        const char *callee = f->vertices[at->vertex].callee;
        if (*callee && (strncmp(callee, "_Z", 2) || !*inner.function)) {
            inner.function = callee;
            inner.unnamed = false;
        }
    }
    if (*inner.function)
        spot->inner = sca_inner_function_at(w->contexts->inners, &inner);
}

static void push(struct tree_walk *w, struct sca_spot *spot, const struct sca_frame *frame,
                 bool inlined)
{
    const struct sca_contraction *contraction = w->contexts->contraction;
    if (spot->frame && sca_contraction_joins(contraction, spot->frame->function, frame->function)) {
        join(w, spot, frame, inlined);
        return;
    }
    bool fortran = spot->frame && !spot->base && is_main(w, frame) && is_main(w, spot->frame);
    if (fortran)
        sca_context_growth_main(w->contexts, frame); /* its C main only starts it */
    else if (spot->frame)
        spot->base = sca_context_growth_call(w->contexts, spot, frame);
    *spot = (struct sca_spot){.base = spot->base, .frame = frame};
}

/* The frame below a spot; that of the function meant, where the linker folded several into one. */
static const struct sca_frame *frame_below(struct tree_walk *w, const struct sca_spot *spot,
                                           uint32_t node, uint32_t i)
{
    const struct sca_program *program = w->contexts->program;
    const struct sca_node *n = &w->run->profile->nodes[node];
    const struct sca_frame *frame = &w->places[node]->frames[i];
    uint32_t meant =
        !i && spot->frame ? sca_identical_code_into(program, spot->frame, frame) : SCA_NO_FUNCTION;
    if (meant == SCA_NO_FUNCTION ||
        !sca_attribution_is_called(w->attribution, w->run->module[n->module], n->offset, n->kind,
                                   program->functions[meant].local->linkage))
        return frame;
    struct sca_frame *made = sca_arena_alloc(w->contexts->arena, 1, sizeof *made);
    if (!made)
        return frame;
    *made = sca_identical_code_frame(program, meant, frame);
    return made;
}

/* By the first `n` frames of the place. */
static struct sca_spot below_main(struct tree_walk *w, uint32_t node, uint32_t n)
{
    struct sca_spot spot = w->spots[w->run->profile->nodes[node].parent];
    const struct sca_address_info *place = w->places[node];
    for (uint32_t i = 0; i < n; i++) {
        if (spot.frame && place->user) {
            push(w, &spot, frame_below(w, &spot, node, i), i > 0);
        } else if (!spot.frame && starts_here(w, node, i)) {
            sca_context_growth_main(w->contexts, &place->frames[i]);
            spot.frame = &place->frames[i];
        }
    }
    if (!place->user)
        leave(w, &spot, place);
    return spot;
}

/* Threads do not come from main: their first function with a source stands for it. */
static struct sca_spot in_thread(struct tree_walk *w, uint32_t node, uint32_t n)
{
    struct sca_spot spot = w->spots[w->run->profile->nodes[node].parent];
    const struct sca_address_info *place = w->places[node];
    for (uint32_t i = 0; place->user && i < n; i++) {
        const struct sca_frame *frame = frame_below(w, &spot, node, i);
        if (!spot.frame)
            spot = (struct sca_spot){.base = sca_context_growth_thread(w->contexts, frame),
                                     .frame = frame};
        else
            push(w, &spot, frame, i > 0);
    }
    if (!place->user)
        leave(w, &spot, place);
    return spot;
}

static void walk_nodes(struct tree_walk *w, bool threads)
{
    for (uint32_t n = 1; n < w->run->profile->nnodes; n++) {
        bool below = w->marks[n] & BELOW_MAIN, above = w->marks[n] & LEADS_TO_MAIN;
        if (!threads && below)
            w->spots[n] = below_main(w, n, w->places[n]->nframes);
        else if (threads && !below && !above)
            w->spots[n] = in_thread(w, n, w->places[n]->nframes);
    }
}

/* Library functions between the user's code and an MPI call appear; elsewhere they do not. */
static struct sca_spot full_spot(struct tree_walk *w, uint32_t node)
{
    const struct sca_address_info *place = w->places[node];
    if (!node || place->user || !(w->spots[node].frame))
        return w->spots[node];
    struct sca_spot spot = full_spot(w, w->run->profile->nodes[node].parent);
    for (uint32_t i = 0; i < place->nframes; i++)
        push(w, &spot, &place->frames[i], i > 0);
    return spot;
}

/* Code of C++'s standard library, in its headers or in itself, or ScalAna's own (scalana/region.h).
 */
static bool is_standard(const struct tree_walk *w, uint32_t node, const struct sca_frame *frame)
{
    uint32_t m = w->run->profile->nodes[node].module;
    const char *path = m < w->run->profile->nmodules ? w->run->profile->modules[m].path : "";
    return sca_calling_path_is_system_file(frame->file) ||
           strstr(frame->file, "/scalana/region.") || strstr(path, "/libstdc++.so") ||
           strstr(path, "/libc++.so");
}

/* Whoever calls the standard library, which waits, is told: nobody changes its headers. */
static struct sca_spot own_spot(struct tree_walk *w, uint32_t node)
{
    for (uint32_t n = node; n; n = w->run->profile->nodes[n].parent) {
        const struct sca_address_info *place = w->places[n];
        for (uint32_t i = place->nframes; i-- > 0;) {
            if (is_standard(w, n, &place->frames[i]))
                continue;
            if (i + 1 == place->nframes || !place->user)
                return full_spot(w, n);
            return w->marks[n] & BELOW_MAIN ? below_main(w, n, i + 1) : in_thread(w, n, i + 1);
        }
    }
    return full_spot(w, node);
}

static struct sca_spot spot_of(struct tree_walk *w, const struct sca_site *site)
{
    bool own = sca_mpi_function_blocks(site->function) ||
               sca_mpi_function_is_of_thread(site->function) ||
               sca_mpi_function_ends(site->function);
    return own ? own_spot(w, site->node) : full_spot(w, site->node);
}

static void end_paths(struct tree_walk *w)
{
    const struct sca_profile *p = w->run->profile;
    for (uint32_t s = 1; s < p->nsites; s++) {
        struct sca_spot spot = spot_of(w, &p->sites[s]);
        w->run->site_vertex[s] = sca_context_growth_mpi(w->contexts, &spot, p->sites[s].function);
    }
    for (uint32_t n = 0; n < p->nnodes; n++)
        w->run->node_vertex[n] = w->marks[n] & SAMPLED
                                     ? sca_context_growth_sample(w->contexts, &w->spots[n])
                                     : w->spots[n].base;
    for (uint32_t n = 0; n < p->nnodes; n++)
        w->run->node_inner[n] = w->spots[n].inner;
}

/* ---- set-up of one run ---- */

static int damaged(const struct sca_profile *p, const char *what, uint32_t index)
{
    return sca_fail(SCA_EFORMAT, "%s: %s %u refers to something that is not there", p->directory,
                    what, index);
}

static int mark_samples_of(struct tree_walk *w, const struct sca_rank *rank)
{
    const struct sca_profile *p = w->run->profile;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        if (s->node >= p->nnodes || s->previous >= p->nsites)
            return damaged(p, "sample", i);
        if (!s->in_mpi)
            w->marks[s->node] |= SAMPLED;
    }
    return SCA_OK;
}

static int mark_samples(struct tree_walk *w)
{
    const struct sca_profile *p = w->run->profile;
    void *memory = calloc(1, sca_rank_open_size(p));
    int status = memory ? SCA_OK : sca_fail(SCA_ENOMEM, "%s: out of memory", p->directory);
    struct sca_opened *opened = memory ? sca_rank_open_init(memory, p) : NULL;
    for (uint32_t r = 0; !status && r < p->nranks; r++)
        status = mark_samples_of(w, sca_rank_open(opened, r, SCA_OPEN_SAMPLES));
    free(memory);
    return status;
}

static int check_sites(const struct sca_profile *p)
{
    for (uint32_t s = 0; s < p->nsites; s++)
        if (p->sites[s].node >= p->nnodes)
            return damaged(p, "call site", s);
    return SCA_OK;
}

static int find_places(struct tree_walk *w)
{
    const struct sca_profile *p = w->run->profile;
    int status = SCA_OK;
    for (uint32_t n = 0; !status && n < p->nnodes; n++) {
        const struct sca_node *node = &p->nodes[n];
        bool known = n && node->module < p->nmodules && !(node->kind & SCA_NODE_OBJECT);
        if (n && node->parent >= n)
            return damaged(p, "call-path node", n);
        status =
            sca_attribution_lookup(w->attribution, known ? w->run->module[node->module] : SCA_NONE,
                                   node->offset, node->kind, &w->places[n]);
    }
    return status;
}

static int set_up(struct tree_walk *w, struct sca_arena *arena, struct sca_tree_input *run)
{
    const struct sca_profile *p = run->profile;
    run->site_vertex = sca_arena_alloc(arena, p->nsites + 1, sizeof *run->site_vertex);
    run->node_vertex = sca_arena_alloc(arena, p->nnodes + 1, sizeof *run->node_vertex);
    run->node_inner = sca_arena_alloc(arena, p->nnodes + 1, sizeof *run->node_inner);
    w->run = run;
    w->places = calloc(p->nnodes + 1, sizeof *w->places);
    w->spots = calloc(p->nnodes + 1, sizeof *w->spots);
    w->marks = calloc(p->nnodes + 1, 1);
    if (!run->site_vertex || !run->node_vertex || !run->node_inner || !w->places || !w->spots ||
        !w->marks)
        return sca_fail(SCA_ENOMEM, "out of memory for the call paths of %s", p->directory);
    run->site_vertex[0] = SCA_NONE;
    int status = find_places(w);
    if (!status)
        status = mark_samples(w);
    if (!status)
        status = check_sites(w->run->profile);
    if (!status)
        mark_main(w);
    return status;
}

/* ---- all runs ---- */

/* What one run shows of a function holds in all. */
static int contract(const struct tree_walk *walks, uint32_t nruns,
                    struct sca_contraction *contraction)
{
    int status = SCA_OK;
    bool news = true;
    while (news && !status) {
        news = false;
        for (uint32_t r = 0; r < nruns; r++)
            news |=
                sca_contraction_add(contraction, walks[r].run->profile, walks[r].places, &status);
    }
    sca_contraction_ready(walks[0].contexts->program, contraction);
    return status;
}

static int grow_all(struct tree_walk *walks, struct sca_arena *arena, struct sca_tree_input *runs,
                    uint32_t nruns, struct sca_contraction *contraction)
{
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < nruns; r++)
        status = set_up(&walks[r], arena, &runs[r]);
    if (!status)
        status = contract(walks, nruns, contraction);
    /* Threads come last: they attach to what the masters went through. */
    for (uint32_t step = 0; !status && step < 2 * nruns; step++)
        walk_nodes(&walks[step % nruns], step >= nruns);
    for (uint32_t r = 0; !status && r < nruns; r++)
        end_paths(&walks[r]);
    return status;
}

static void free_walks(struct tree_walk *walks, uint32_t nruns)
{
    for (uint32_t r = 0; r < nruns; r++) {
        free(walks[r].places);
        free(walks[r].spots);
        free(walks[r].marks);
    }
    free(walks);
}

int sca_context_tree_build(struct sca_arena *arena, struct sca_attribution *attribution,
                           const struct sca_program *program, struct sca_tree_input *runs,
                           uint32_t nruns, struct sca_ppg_vertex **vertices, uint32_t *nvertices,
                           struct sca_inners *inners)
{
    struct sca_contexts contexts = {0};
    struct sca_contraction contraction = {0};
    struct tree_walk *walks = calloc(nruns + 1, sizeof *walks);
    if (!walks)
        return sca_fail(SCA_ENOMEM, "out of memory for the call paths");
    sca_context_growth_init(&contexts, arena, program, &contraction, inners,
                            sca_profile_meta(runs[0].profile, "program", ""));
    for (uint32_t r = 0; r < nruns; r++)
        walks[r] =
            (struct tree_walk){.contexts = &contexts, .attribution = attribution, .run = &runs[r]};
    int status = contexts.status ? contexts.status : sca_contraction_open(program, &contraction);
    if (!status)
        status = grow_all(walks, arena, runs, nruns, &contraction);
    if (!status)
        status = contexts.status;
    if (!status)
        status = sca_program_order(&contexts, runs, nruns, vertices, nvertices);
    free_walks(walks, nruns);
    sca_contraction_free(&contraction);
    free(contexts.nodes);
    return status;
}
