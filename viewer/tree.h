/*
 * All vertices as a tree that opens and closes. The rows are the vertices in sight, top to bottom.
 * Owns its tables until sca_tree_close(); borrows the model.
 */
#ifndef SCA_TREE_H
#define SCA_TREE_H

#include "model.h"

struct sca_tree {
    const struct sca_model *model;
    uint32_t *first; /* vertex to its first entry in child[]; one more than there are vertices */
    uint32_t *child;
    uint32_t *row; /* vertices in sight */
    uint32_t *depth;
    uint32_t *stack;
    bool *open;
    uint32_t nrows;
    enum sca_sort sort;
};

int sca_tree_open(struct sca_tree *tree, const struct sca_model *model);
void sca_tree_close(struct sca_tree *tree);
void sca_tree_sort(struct sca_tree *tree, enum sca_sort sort);
bool sca_tree_has_children(const struct sca_tree *tree, uint32_t vertex);
void sca_tree_expand(struct sca_tree *tree, uint32_t vertex, bool open);
void sca_tree_expand_all(struct sca_tree *tree, bool open);
/* Opens what hides the vertex and returns its row. */
uint32_t sca_tree_reveal(struct sca_tree *tree, uint32_t vertex);

#endif
