#include "tree.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

static const struct sca_report_vertex *vertices(const struct sca_tree *tree)
{
    return tree->model->report->vertices;
}

static uint32_t count(const struct sca_tree *tree)
{
    return tree->model->report->nvertices;
}

static bool is_root(const struct sca_tree *tree, uint32_t vertex)
{
    return vertices(tree)[vertex].parent == vertex;
}

/* Children by parent, each family in the order of the sort. */
static void arrange(struct sca_tree *tree)
{
    uint32_t n = count(tree), *order = tree->row, *next = tree->stack;
    sca_model_order_vertices(tree->model, tree->sort, order);
    memset(tree->first, 0, (n + 1ul) * sizeof *tree->first);
    for (uint32_t v = 0; v < n; v++)
        if (!is_root(tree, v))
            tree->first[vertices(tree)[v].parent + 1]++;
    for (uint32_t v = 0; v < n; v++)
        tree->first[v + 1] += tree->first[v];
    memcpy(next, tree->first, n * sizeof *next);
    for (uint32_t i = 0; i < n; i++)
        if (!is_root(tree, order[i]))
            tree->child[next[vertices(tree)[order[i]].parent]++] = order[i];
}

static void list_rows(struct sca_tree *tree)
{
    uint32_t filled = 0;
    tree->nrows = 0;
    for (uint32_t v = count(tree); v-- > 0;)
        if (is_root(tree, v))
            tree->stack[filled++] = v;
    while (filled) {
        uint32_t v = tree->stack[--filled];
        tree->depth[v] = is_root(tree, v) ? 0 : tree->depth[vertices(tree)[v].parent] + 1;
        tree->row[tree->nrows++] = v;
        for (uint32_t i = tree->first[v + 1]; tree->open[v] && i > tree->first[v]; i--)
            tree->stack[filled++] = tree->child[i - 1];
    }
}

int sca_tree_open(struct sca_tree *tree, const struct sca_model *model)
{
    size_t n = model->report->nvertices + 1ul;
    *tree = (struct sca_tree){.model = model, .sort = SCA_BY_PROGRAM};
    uint32_t **tables[] = {&tree->first, &tree->child, &tree->row, &tree->depth, &tree->stack};
    bool complete = (tree->open = calloc(n, sizeof *tree->open)) != NULL;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        complete &= (*tables[i] = calloc(n, sizeof **tables[i])) != NULL;
    if (!complete) {
        sca_tree_close(tree);
        return sca_error(SCA_ENOMEM, "out of memory");
    }
    for (uint32_t v = 0; v < count(tree); v++)
        tree->open[v] = is_root(tree, v);
    sca_tree_sort(tree, SCA_BY_PROGRAM);
    return SCA_OK;
}

void sca_tree_close(struct sca_tree *tree)
{
    free(tree->first);
    free(tree->child);
    free(tree->row);
    free(tree->depth);
    free(tree->stack);
    free(tree->open);
    *tree = (struct sca_tree){0};
}

void sca_tree_sort(struct sca_tree *tree, enum sca_sort sort)
{
    tree->sort = sort;
    arrange(tree);
    list_rows(tree);
}

bool sca_tree_has_children(const struct sca_tree *tree, uint32_t vertex)
{
    return tree->first[vertex + 1] > tree->first[vertex];
}

void sca_tree_expand(struct sca_tree *tree, uint32_t vertex, bool open)
{
    tree->open[vertex] = open;
    list_rows(tree);
}

void sca_tree_expand_all(struct sca_tree *tree, bool open)
{
    for (uint32_t v = 0; v < count(tree); v++)
        tree->open[v] = open;
    list_rows(tree);
}

uint32_t sca_tree_reveal(struct sca_tree *tree, uint32_t vertex)
{
    for (uint32_t v = vertex; !is_root(tree, v);) {
        v = vertices(tree)[v].parent;
        tree->open[v] = true;
    }
    list_rows(tree);
    for (uint32_t i = 0; i < tree->nrows; i++)
        if (tree->row[i] == vertex)
            return i;
    return 0;
}
