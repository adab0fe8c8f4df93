/*
 * Stacks of vertices, each once, and which one every stretch of code has.
 *
 * Owned by sca_stack_table_free(). SCA_ENOMEM.
 */
#ifndef STRUCTURE_STACK_TABLE_H
#define STRUCTURE_STACK_TABLE_H

#include "base/index_map.h"
#include "sca_structure.h"

struct sca_stack_frame { /* while vertices of the draft still grow */
    uint32_t outer, function, vertex;
};

struct sca_stack_table {
    struct sca_stack_frame *frames; /* 0: none */
    uint32_t count;
    size_t capacity;
    struct sca_index_map known;
    struct sca_structure_row *rows;
    uint32_t nrows;
    size_t rows_capacity;
};

/* The stack of a vertex inside another stack. */
int sca_stack_table_push(struct sca_stack_table *table, uint32_t outer, uint32_t function,
                         uint32_t vertex, uint32_t *stack);
/* From `address` on it is that stack. Stretches of code may come in any order, each with its rows
 * by address and one of no stack at its end. */
int sca_stack_table_row(struct sca_stack_table *table, uint64_t address, uint32_t stack);
/* Sorts the rows, and leaves out those that change nothing. */
void sca_stack_table_finish(struct sca_stack_table *table);
void sca_stack_table_free(struct sca_stack_table *table);

#endif
