#include "graph/draft.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM            1
#define uthash_nonfatal_oom(element) sca_fail(SCA_ENOMEM, "out of memory for a binary's structure")
#include <uthash.h>

struct function_key {
    uint64_t key;
    uint32_t space, reserved;
};

enum { NAMES = UINT32_MAX }; /* the space of linkage names, by their interned text */

struct sca_draft_key {
    struct function_key key;
    uint32_t function;
    UT_hash_handle hh;
};

struct sca_draft_text {
    const char *text;
    UT_hash_handle hh;
};

const char *sca_draft_intern(struct sca_draft *d, const char *text)
{
    struct sca_draft_text *known = NULL;
    size_t length = strlen(text);
    HASH_FIND(hh, d->texts, text, length, known);
    if (known)
        return known->text;
    known = sca_arena_alloc(&d->arena, 1, sizeof *known);
    if (!known || !(known->text = sca_arena_string(&d->arena, text)))
        return NULL;
    HASH_ADD_KEYPTR(hh, d->texts, known->text, length, known);
    return known->text;
}

/* ---- functions ---- */

static struct sca_draft_key *find_key(struct sca_draft *d, struct function_key key)
{
    struct sca_draft_key *known = NULL;
    HASH_FIND(hh, d->by_key, &key, sizeof key, known);
    return known;
}

static int add_key(struct sca_draft *d, struct function_key key, uint32_t function)
{
    struct sca_draft_key *known = sca_arena_alloc(&d->arena, 1, sizeof *known);
    if (!known)
        return SCA_ENOMEM;
    known->key = key;
    known->function = function;
    HASH_ADD(hh, d->by_key, key, sizeof key, known);
    return SCA_OK;
}

bool sca_draft_find_function(struct sca_draft *d, uint32_t space, uint64_t key, uint32_t *function)
{
    struct sca_draft_key *known = find_key(d, (struct function_key){key, space, 0});
    if (known)
        *function = known->function;
    return known != NULL;
}

int sca_draft_add_key(struct sca_draft *d, uint32_t space, uint64_t key, uint32_t function)
{
    struct function_key whole = {key, space, 0};
    struct sca_draft_key *known = find_key(d, whole);
    if (known)
        known->function = function;
    return known ? SCA_OK : add_key(d, whole, function);
}

static int add_function(struct sca_draft *d, uint32_t *index)
{
    if (d->count >= SCA_NO_DRAFT - 1 ||
        sca_arena_grow(&d->functions, sizeof *d->functions, d->count, &d->capacity))
        return sca_fail(SCA_ENOMEM, "out of memory for the functions of a binary");
    struct sca_draft_function f = {.linkage = "", .name = ""};
    if (sca_arena_grow(&f.vertices, sizeof *f.vertices, 0, &f.capacity))
        return SCA_ENOMEM;
    f.vertices[f.count++] = (struct sca_draft_vertex){.kind = SCA_ROOT,
                                                      .first_child = SCA_NO_DRAFT,
                                                      .next = SCA_NO_DRAFT,
                                                      .called = SCA_NO_DRAFT,
                                                      .callee = "",
                                                      .file = ""};
    *index = d->count++;
    d->functions[*index] = f;
    return SCA_OK;
}

static int function_of(struct sca_draft *d, struct function_key key, uint32_t *function,
                       bool *is_new)
{
    struct sca_draft_key *known = find_key(d, key);
    *is_new = !known;
    if (known) {
        *function = known->function;
        return SCA_OK;
    }
    int status = add_function(d, function);
    return status ? status : add_key(d, key, *function);
}

int sca_draft_function(struct sca_draft *d, uint32_t space, uint64_t key, uint32_t *function,
                       bool *is_new)
{
    return function_of(d, (struct function_key){key, space, 0}, function, is_new);
}

int sca_draft_named_function(struct sca_draft *d, const char *linkage, uint32_t *function,
                             bool *is_new)
{
    const char *text = sca_draft_intern(d, linkage);
    if (!text)
        return SCA_ENOMEM;
    return function_of(d, (struct function_key){(uint64_t)(uintptr_t)text, NAMES, 0}, function,
                       is_new);
}

/* ---- vertices ---- */

static void link_child(struct sca_draft_function *f, uint32_t parent, uint32_t after, uint32_t v)
{
    uint32_t *link =
        after == SCA_NO_DRAFT ? &f->vertices[parent].first_child : &f->vertices[after].next;
    f->vertices[v].next = *link;
    *link = v;
}

struct vertex_question {
    const struct sca_draft *draft;
    uint32_t function, parent;
    const struct sca_draft_wish *wish;
};

/* Computation is told by what it stands behind, all else by what the source says of it. */
static bool is_wished(const void *context, uint32_t index)
{
    const struct vertex_question *q = context;
    const struct sca_draft_entry *entry = &q->draft->entries[index];
    if (entry->function != q->function || entry->tag != q->wish->tag)
        return false;
    const struct sca_draft_vertex *v =
        &q->draft->functions[entry->function].vertices[entry->vertex];
    bool same = v->kind == q->wish->kind && v->parent == q->parent;
    return same &&
           (v->kind == SCA_COMP || (v->line == q->wish->line && v->file == q->wish->file &&
                                    v->called == q->wish->called && v->callee == q->wish->callee));
}

static uint64_t hash_of(const struct vertex_question *q)
{
    const struct sca_draft_wish *w = q->wish;
    bool comp = w->kind == SCA_COMP;
    uint64_t words[] = {(uint64_t)q->function << 32 | q->parent,
                        (uint64_t)w->kind << 32 | (comp ? 0 : w->line),
                        comp ? 0 : (uint64_t)(uintptr_t)w->file,
                        comp ? 0 : (uint64_t)(uintptr_t)w->callee ^ w->called, w->tag};
    return sca_index_map_hash(words, sizeof words);
}

static int add_entry(struct sca_draft *d, const struct vertex_question *q, uint64_t hash,
                     uint32_t vertex)
{
    if (d->nentries >= SCA_NO_DRAFT - 1 ||
        sca_arena_grow(&d->entries, sizeof *d->entries, d->nentries, &d->entries_capacity))
        return sca_fail(SCA_ENOMEM, "out of memory for a binary's structure");
    d->entries[d->nentries++] = (struct sca_draft_entry){q->function, vertex, q->wish->tag};
    return sca_index_map_add(&d->known, hash, d->nentries - 1);
}

static int add_vertex(struct sca_draft *d, const struct vertex_question *q, uint32_t after,
                      uint32_t *vertex)
{
    struct sca_draft_function *f = &d->functions[q->function];
    if (f->count >= SCA_NO_DRAFT - 1 ||
        sca_arena_grow(&f->vertices, sizeof *f->vertices, f->count, &f->capacity))
        return sca_fail(SCA_ENOMEM, "out of memory for a binary's structure");
    *vertex = f->count++;
    f->vertices[*vertex] = (struct sca_draft_vertex){.kind = q->wish->kind,
                                                     .flags = q->wish->flags,
                                                     .parent = q->parent,
                                                     .first_child = SCA_NO_DRAFT,
                                                     .called = q->wish->called,
                                                     .callee = q->wish->callee,
                                                     .file = q->wish->file,
                                                     .line = q->wish->line,
                                                     .end_line = q->wish->line};
    link_child(f, q->parent, after, *vertex);
    return SCA_OK;
}

int sca_draft_vertex(struct sca_draft *d, uint32_t function, uint32_t parent,
                     const struct sca_draft_wish *wish, uint32_t after, uint32_t *vertex)
{
    struct vertex_question q = {d, function, parent, wish};
    uint64_t hash = hash_of(&q);
    uint32_t known = sca_index_map_find(&d->known, hash, is_wished, &q);
    if (known != SCA_NO_INDEX) {
        *vertex = d->entries[known].vertex;
        return SCA_OK;
    }
    int status = add_vertex(d, &q, after, vertex);
    return status ? status : add_entry(d, &q, hash, *vertex);
}

void sca_draft_cover(struct sca_draft *d, uint32_t function, uint32_t vertex, const char *file,
                     uint32_t line)
{
    struct sca_draft_vertex *root = d->functions[function].vertices, *v = &root[vertex];
    bool home = file == root->file && v->file != file && v->kind == SCA_COMP;
    if (!line || !file || (*v->file && v->file != file && !home))
        return;
    if (!*v->file || home) { /* the function's own file says most of its code */
        v->file = file;
        v->line = v->end_line = line;
    }
    if (!v->line || (line < v->line && v->kind == SCA_COMP))
        v->line = line;
    if (line > v->end_line)
        v->end_line = line;
}

void sca_draft_free(struct sca_draft *d)
{
    for (uint32_t f = 0; f < d->count; f++) {
        free(d->functions[f].vertices);
        free(d->functions[f].number);
    }
    free(d->functions);
    HASH_CLEAR(hh, d->by_key); /* the elements are the arena's */
    HASH_CLEAR(hh, d->texts);
    sca_index_map_free(&d->known);
    free(d->entries);
    sca_arena_free(&d->arena);
    *d = (struct sca_draft){0};
}
