#include "symbols/inline_chain.h"

#include <dwarf.h>

static bool is_scope(int tag)
{
    return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
           tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static bool child_with(Dwarf_Die *scope, uint64_t address, Dwarf_Die *found)
{
    Dwarf_Die die;
    if (dwarf_child(scope, &die))
        return false;
    for (;;) {
        Dwarf_Off offset = dwarf_dieoffset(&die);
        if (is_scope(dwarf_tag(&die)) && dwarf_haspc(&die, address) > 0) {
            *found = die;
            return true;
        }
        if (dwarf_siblingof(&die, &die) || dwarf_dieoffset(&die) <= offset)
            return false;
    }
}

/* The concrete tree of a function nests as the inlining did: walking down loses no level. */
static void find_chain(Dwarf_Die *function, uint64_t address, struct sca_inline_chain *chain)
{
    Dwarf_Die scope = *function, next;
    chain->die[0] = scope;
    chain->count = 1;
    while (chain->count < SCA_DEEPEST_CHAIN && child_with(&scope, address, &next)) {
        scope = next;
        if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
            chain->die[chain->count++] = scope;
    }
}

static bool same_die(Dwarf_Die *a, Dwarf_Die *b)
{
    return a->addr == b->addr;
}

/* Code without a line of its own, as the jump behind a call: LLVM takes it for inlined no further
 * than what stands before it in its basic block, so if that is the same call its row is the row
 * before. Else it begins a block, which the next row tells of. */
void sca_inline_chain(struct sca_dwarf_unit *unit, Dwarf_Die *function, struct sca_piece piece,
                      struct sca_line_row *row, struct sca_inline_chain *chain)
{
    struct sca_line_row before;
    struct sca_inline_chain earlier;
    uint64_t address = row->address;
    bool found = sca_compile_units_row(unit, address, piece, row);
    find_chain(function, address, chain);
    if (found && row->address == address)
        return;
    size_t last = chain->count - 1;
    if (last && sca_compile_units_row_before(unit, address, piece, &before)) {
        find_chain(function, before.address, &earlier);
        if (last < earlier.count && same_die(&earlier.die[last], &chain->die[last])) {
            *row = before;
            *chain = earlier;
            return;
        }
    }
    find_chain(function, row->address, chain);
}
