#include "graph/emit.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct taken { /* linkage names */
    const char *name;
    UT_hash_handle hh;
};

struct emit {
    struct sca_draft *draft;
    struct sca_psg_output output;
    struct taken *taken;
    struct sca_vertex *vertices; /* of the function being written */
    const char **files;
    uint32_t *order; /* the function's vertices as they are written */
    size_t capacity;
    uint32_t loops, near;
};

/* ---- names: calls find their functions by them ---- */

static bool take(struct emit *e, const char *name)
{
    struct taken *known = NULL;
    HASH_FIND_STR(e->taken, name, known);
    if (known || !(known = sca_arena_alloc(&e->draft->arena, 1, sizeof *known)))
        return false;
    known->name = name;
    HASH_ADD_KEYPTR(hh, e->taken, name, strlen(name), known);
    return true;
}

static int make_unique(struct emit *e, struct sca_draft_function *f, uint32_t index)
{
    if (!f->local || take(e, f->linkage))
        return SCA_OK;
    f->linkage = sca_arena_format(&e->draft->arena, "%s@%u", f->linkage, index);
    return f->linkage ? SCA_OK : SCA_ENOMEM;
}

/* ---- one function ---- */

/* Numbers vertices in preorder. */
static int number(struct sca_draft_function *f)
{
    uint32_t at = 0, count = 0;
    f->number = malloc(f->count * sizeof *f->number);
    if (!f->number)
        return sca_fail(SCA_ENOMEM, "out of memory for the graph of a function");
    for (;;) {
        f->number[at] = count++;
        if (f->vertices[at].first_child != SCA_NO_DRAFT) {
            at = f->vertices[at].first_child;
            continue;
        }
        while (at && f->vertices[at].next == SCA_NO_DRAFT)
            at = f->vertices[at].parent;
        if (!at)
            return SCA_OK;
        at = f->vertices[at].next;
    }
}

static uint32_t file_index(struct emit *e, uint32_t *nfiles, const char *file)
{
    for (uint32_t i = 0; i < *nfiles; i++)
        if (e->files[i] == file || (!*file && !*e->files[i]))
            return i;
    e->files[*nfiles] = file;
    return (*nfiles)++;
}

static void fill_vertex(struct emit *e, const struct sca_draft_function *f, uint32_t index,
                        uint32_t *nfiles)
{
    const struct sca_draft_vertex *v = &f->vertices[index];
    const char *callee =
        v->called == SCA_NO_DRAFT ? v->callee : e->draft->functions[v->called].linkage;
    e->vertices[f->number[index]] =
        (struct sca_vertex){.kind = v->kind,
                            .flags = v->flags,
                            .parent = f->number[v->parent],
                            .file = file_index(e, nfiles, v->file),
                            .line = v->line,
                            .end_line = v->end_line > v->line ? v->end_line : v->line,
                            .callee = callee};
    e->loops += v->kind == SCA_LOOP;
    e->near += v->kind == SCA_LOOP && (v->flags & SCA_VF_NEAR);
}

static int make_room(struct emit *e, size_t wanted)
{
    if (wanted <= e->capacity)
        return SCA_OK;
    free(e->vertices);
    free(e->files);
    free(e->order);
    e->order = malloc(2 * wanted * sizeof *e->order);
    e->vertices = malloc(2 * wanted * sizeof *e->vertices);
    e->files = malloc(2 * wanted * sizeof *e->files);
    e->capacity = e->vertices && e->files && e->order ? 2 * wanted : 0;
    return e->capacity ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory for a binary's structure");
}

/* The function covers all that is in it. */
static uint32_t last_line(const struct sca_draft_function *f)
{
    uint32_t last = f->vertices[0].line;
    for (uint32_t v = 1; v < f->count; v++)
        if (!strcmp(f->vertices[v].file, f->vertices[0].file) && f->vertices[v].end_line > last)
            last = f->vertices[v].end_line;
    return last;
}

static int put_function(struct emit *e, struct sca_draft_function *f)
{
    uint32_t nfiles = 0;
    int status = make_room(e, f->count + 1);
    if (!status)
        status = number(f);
    if (status)
        return status;
    f->vertices[0].end_line = last_line(f);
    for (uint32_t v = 0; v < f->count; v++)
        e->order[f->number[v]] = v;
    for (uint32_t i = 0; i < f->count; i++) /* files are numbered as vertices come */
        fill_vertex(e, f, e->order[i], &nfiles);
    struct sca_function function = {.linkage = f->linkage,
                                    .name = f->name,
                                    .local = f->local,
                                    .nfiles = nfiles,
                                    .files = e->files,
                                    .nvertices = f->count,
                                    .vertices = e->vertices};
    sca_psg_put_function(&e->output, &function, true);
    f->first_id = e->output.failed ? 0 : e->output.next_id - f->count;
    return e->output.failed ? sca_fail(SCA_ENOMEM, "out of memory for a binary's structure")
                            : SCA_OK;
}

/* ---- the unit ---- */

static int put_unit(struct emit *e, const char *source, struct sca_structure *out)
{
    size_t size = sca_psg_unit_size(&e->output, source);
    uint8_t *plain = malloc(size), *packed = malloc(size);
    struct sca_writer w, p;
    int status = plain && packed ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory for a graph");
    if (!status) {
        sca_wire_writer_init(&w, plain, size);
        out->unit = sca_psg_put_unit(&w, &e->output, source, SCA_PSG_DEFAULT_DEPTH);
        sca_wire_writer_init(&p, packed, size);
        sca_psg_put_packed(&p, plain, w.length);
        if (w.failed || p.failed)
            status = sca_fail(SCA_ENOMEM, "out of memory for a graph");
    }
    free(plain);
    out->psg = packed;
    out->psg_size = status ? 0 : p.length;
    return status;
}

static int put_stacks(const struct emit *e, struct sca_stack_table *t, struct sca_structure *out)
{
    out->nstacks = t->count ? t->count : 1;
    out->stacks = calloc(out->nstacks, sizeof *out->stacks);
    if (!out->stacks)
        return sca_fail(SCA_ENOMEM, "out of memory for the addresses of a binary");
    for (uint32_t i = 1; i < t->count; i++) {
        const struct sca_stack_frame *frame = &t->frames[i];
        const struct sca_draft_function *f = &e->draft->functions[frame->function];
        out->stacks[i] =
            (struct sca_structure_stack){frame->outer, f->first_id + f->number[frame->vertex]};
    }
    sca_stack_table_finish(t);
    out->rows = t->rows;
    out->nrows = t->nrows;
    t->rows = NULL;
    t->nrows = 0;
    return SCA_OK;
}

static int emit_all(struct emit *e, struct sca_stack_table *stacks, const char *source,
                    struct sca_structure *out)
{
    int status = SCA_OK;
    for (uint32_t f = 0; f < e->draft->count; f++)
        if (!e->draft->functions[f].local)
            take(e, e->draft->functions[f].linkage);
    for (uint32_t f = 0; !status && f < e->draft->count; f++)
        status = make_unique(e, &e->draft->functions[f], f);
    for (uint32_t f = 0; !status && f < e->draft->count; f++)
        status = put_function(e, &e->draft->functions[f]);
    if (!status)
        status = put_unit(e, source, out);
    return status ? status : put_stacks(e, stacks, out);
}

int sca_emit(struct sca_draft *draft, struct sca_stack_table *stacks, const char *source,
             struct sca_structure *out)
{
    struct emit e = {.draft = draft};
    int status = emit_all(&e, stacks, source, out);
    out->loops = e.loops;
    out->near = e.near;
    sca_psg_output_free(&e.output);
    HASH_CLEAR(hh, e.taken); /* the elements are the arena's */
    free(e.vertices);
    free(e.files);
    free(e.order);
    return status;
}
