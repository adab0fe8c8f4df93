#include "graph/stack_table.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1 /* a stack that does not fit is kept twice */
#include <uthash.h>

struct sca_stack_known {
    struct sca_stack_frame frame;
    uint32_t index;
    UT_hash_handle hh;
};

static int add(struct sca_stack_table *t, const struct sca_stack_frame *frame, uint32_t *stack)
{
    struct sca_stack_known *known = sca_arena_alloc(&t->arena, 1, sizeof *known);
    if (!known || sca_arena_grow(&t->frames, sizeof *t->frames, t->count, &t->capacity))
        return SCA_ENOMEM;
    if (!t->count)
        t->frames[t->count++] = (struct sca_stack_frame){0};
    *stack = t->count;
    t->frames[t->count++] = *frame;
    known->frame = *frame;
    known->index = *stack;
    HASH_ADD(hh, t->known, frame, sizeof *frame, known);
    return SCA_OK;
}

int sca_stack_table_push(struct sca_stack_table *t, uint32_t outer, uint32_t function,
                         uint32_t vertex, uint32_t *stack)
{
    struct sca_stack_frame frame = {outer, function, vertex};
    struct sca_stack_known *known = NULL;
    HASH_FIND(hh, t->known, &frame, sizeof frame, known);
    if (!known)
        return add(t, &frame, stack);
    *stack = known->index;
    return SCA_OK;
}

int sca_stack_table_row(struct sca_stack_table *t, uint64_t address, uint32_t stack)
{
    if (t->nrows && t->rows[t->nrows - 1].stack == stack && t->rows[t->nrows - 1].address < address)
        return SCA_OK;
    if (t->nrows == UINT32_MAX ||
        sca_arena_grow(&t->rows, sizeof *t->rows, t->nrows, &t->rows_capacity))
        return sca_fail(SCA_ENOMEM, "out of memory for the addresses of a binary");
    t->rows[t->nrows++] = (struct sca_structure_row){address, stack};
    return SCA_OK;
}

/* At one address the row that says something comes last: it is the one that counts. */
static int by_address(const void *a, const void *b)
{
    const struct sca_structure_row *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->stack != SCA_NO_STACK) - (y->stack != SCA_NO_STACK);
}

void sca_stack_table_finish(struct sca_stack_table *t)
{
    uint32_t kept = 0;
    if (t->nrows)
        qsort(t->rows, t->nrows, sizeof *t->rows, by_address);
    for (uint32_t i = 0; i < t->nrows; i++) {
        if (kept && t->rows[kept - 1].address == t->rows[i].address)
            kept--;
        if (!kept || t->rows[kept - 1].stack != t->rows[i].stack)
            t->rows[kept++] = t->rows[i];
    }
    t->nrows = kept;
}

void sca_stack_table_free(struct sca_stack_table *t)
{
    HASH_CLEAR(hh, t->known); /* the elements are the arena's */
    free(t->frames);
    free(t->rows);
    sca_arena_free(&t->arena);
    *t = (struct sca_stack_table){0};
}
