#include "graph/stack_table.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

struct frame_question {
    const struct sca_stack_table *table;
    struct sca_stack_frame frame;
};

static bool is_frame(const void *context, uint32_t index)
{
    const struct frame_question *q = context;
    return !memcmp(&q->table->frames[index], &q->frame, sizeof q->frame);
}

static int add(struct sca_stack_table *t, const struct sca_stack_frame *frame, uint64_t hash,
               uint32_t *stack)
{
    if (!t->count && sca_arena_grow(&t->frames, sizeof *t->frames, 0, &t->capacity))
        return SCA_ENOMEM;
    if (!t->count)
        t->frames[t->count++] = (struct sca_stack_frame){0};
    if (t->count == UINT32_MAX ||
        sca_arena_grow(&t->frames, sizeof *t->frames, t->count, &t->capacity))
        return sca_fail(SCA_ENOMEM, "out of memory for the addresses of a binary");
    *stack = t->count;
    t->frames[t->count++] = *frame;
    return sca_index_map_add(&t->known, hash, *stack);
}

int sca_stack_table_push(struct sca_stack_table *t, uint32_t outer, uint32_t function,
                         uint32_t vertex, uint32_t *stack)
{
    struct frame_question q = {t, {outer, function, vertex}};
    uint64_t hash = sca_index_map_hash(&q.frame, sizeof q.frame);
    *stack = sca_index_map_find(&t->known, hash, is_frame, &q);
    return *stack != SCA_NO_INDEX ? SCA_OK : add(t, &q.frame, hash, stack);
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
    sca_index_map_free(&t->known);
    free(t->frames);
    free(t->rows);
    *t = (struct sca_stack_table){0};
}
