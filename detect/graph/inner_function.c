#include "graph/inner_function.h"

#include <stdlib.h>
#include <string.h>

static uint32_t append(struct sca_inners *all, const struct sca_inner *wanted)
{
    struct sca_inner made = *wanted;
    made.function = sca_arena_string(all->arena, wanted->function);
    made.file = sca_arena_string(all->arena, wanted->file);
    if (!made.function || !made.file ||
        sca_arena_grow(&all->items, sizeof *all->items, all->count, &all->capacity))
        return 0;
    struct sca_inner *parent = &all->items[wanted->parent];
    made.first_child = 0;
    made.next = all->count ? parent->first_child : 0;
    if (all->count)
        parent->first_child = all->count;
    all->items[all->count] = made;
    return all->count++;
}

static bool is_same(const struct sca_inner *a, const struct sca_inner *b)
{
    return a->line == b->line && a->foreign == b->foreign && !strcmp(a->function, b->function) &&
           !strcmp(a->file, b->file);
}

uint32_t sca_inner_function_at(struct sca_inners *all, const struct sca_inner *wanted)
{
    static const struct sca_inner vertex = {.function = "", .file = ""};
    if (!all->count)
        append(all, &vertex);
    uint32_t child = all->count ? all->items[wanted->parent].first_child : 0;
    while (child && !is_same(&all->items[child], wanted))
        child = all->items[child].next;
    return child || !all->count ? child : append(all, wanted);
}

void sca_inner_function_free(struct sca_inners *all)
{
    free(all->items);
    *all = (struct sca_inners){0};
}
