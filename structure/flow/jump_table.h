/*
 * The table behind an indirect jump, as compilers write them for `switch`: found by following the
 * registers backwards (Cifuentes and Van Emmerik 1999) through the instructions before the jump.
 */
#ifndef STRUCTURE_JUMP_TABLE_H
#define STRUCTURE_JUMP_TABLE_H

#include "flow/flow_graph.h"

struct sca_jump_table {
    uint64_t address; /* of the first entry */
    uint64_t base;    /* added to every entry */
    uint32_t count;   /* of entries, at most */
    uint8_t width;    /* of an entry in bytes */
    uint8_t shift;    /* of what is read, before the base is added */
    bool is_signed;
};

/* Of graph->instructions[jump]; false if it is not such a jump. Instructions are looked at in the
 * order in which they were followed. */
bool sca_jump_table_find(const struct sca_code_image *image, const struct sca_flow_graph *graph,
                         size_t jump, struct sca_jump_table *out);
/* Where the entry leads; false if it is not in the file. */
bool sca_jump_table_entry(const struct sca_code_image *image, const struct sca_jump_table *table,
                          uint32_t index, uint64_t *target);

#endif
