#include "pass/Psg.h"

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace scalana
{

// Locations with an id, made once for all instructions of a vertex that share one; and the scopes
// in which they stand, for these carry the id. Distinct nodes: that none is made twice is known
// here, so LLVM need not look for an equal one.
struct Numbered {
    DenseMap<std::pair<const DILocation *, uint32_t>, const DILocation *> locations;
    DenseMap<std::pair<const DILocalScope *, uint32_t>, DILocalScope *> scopes;
    const DILocation *get(const DILocation *at, uint32_t id);
};

static DILocalScope *numberedScope(DILocalScope *scope, const DIFile *file, uint32_t id)
{
    while (auto *block = dyn_cast<DILexicalBlockFile>(scope)) { // which may carry one already
        if (!block->getDiscriminator())
            break;
        scope = block->getScope();
    }
    return DILexicalBlockFile::getDistinct(scope->getContext(), scope, const_cast<DIFile *>(file),
                                           id);
}

const DILocation *Numbered::get(const DILocation *at, uint32_t id)
{
    const DILocation *&made = locations[{at, id}];
    if (made)
        return made;
    DILocalScope *&scope = scopes[{at->getScope(), id}];
    if (!scope)
        scope = numberedScope(at->getScope(), at->getFile(), id);
    return made = DILocation::getDistinct(at->getContext(), at->getLine(), at->getColumn(), scope,
                                          at->getInlinedAt(), at->isImplicitCode());
}

// Code that the optimizer adds to a loop takes its location from the loop's metadata.
static void setLoopId(MDNode *loop, uint32_t id, Numbered &numbered)
{
    for (unsigned i = 1; loop && i < loop->getNumOperands(); i++)
        if (const auto *at = dyn_cast<DILocation>(loop->getOperand(i)))
            loop->replaceOperandWith(i, const_cast<DILocation *>(numbered.get(at, id)));
}

static void assignIds(FunctionGraph &graph, Numbered &numbered)
{
    numbered.locations.clear();
    numbered.scopes.clear();
    for (const Node *node : graph.order)
        setLoopId(node->loopId, graph.firstId + node->index, numbered);
    const DILocation *last = nullptr, *made = nullptr;
    const Node *of = nullptr;
    for (auto [instruction, node] : graph.owners) {
        const DILocation *at = instruction->getDebugLoc();
        if (!at)
            continue;
        if (at != last || node != of) // one expression after the other
            made = numbered.get(at, graph.firstId + node->index);
        last = at;
        of = node;
        instruction->setDebugLoc(made);
    }
}

// Functions that no longer fit below the limit of the line table keep their graph but get no ids.
void assignIds(Graphs &graphs)
{
    Numbered numbered; // one for all: what it holds is cleared, its memory kept
    uint64_t next = 1;
    for (auto &graph : graphs) {
        uint64_t count = graph->order.size();
        if (next + count - 1 > SCA_PSG_MAX_ID)
            continue;
        graph->firstId = next;
        next += count;
        assignIds(*graph, numbered);
    }
}

} // namespace scalana
