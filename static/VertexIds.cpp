#include "Psg.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace scalana
{

static void setId(Instruction &instruction, uint32_t id)
{
    if (const DILocation *at = instruction.getDebugLoc())
        instruction.setDebugLoc(at->cloneWithDiscriminator(id));
}

// Code that the optimizer adds to a loop takes its location from the loop's metadata.
static void setLoopId(MDNode *loop, uint32_t id)
{
    for (unsigned i = 1; loop && i < loop->getNumOperands(); i++)
        if (const auto *at = dyn_cast<DILocation>(loop->getOperand(i)))
            loop->replaceOperandWith(i, const_cast<DILocation *>(at->cloneWithDiscriminator(id)));
}

static void assignIds(FunctionGraph &graph)
{
    for (const Node *node : graph.order)
        setLoopId(node->loopId, graph.firstId + node->index);
    for (Instruction &instruction : instructions(graph.function))
        if (Node *node = graph.owner.lookup(&instruction))
            setId(instruction, graph.firstId + node->index);
}

// Functions that no longer fit below the limit of the line table keep their graph but get no ids.
void assignIds(Graphs &graphs)
{
    uint64_t next = 1;
    for (auto &graph : graphs) {
        uint64_t count = graph->order.size();
        if (next + count - 1 > SCA_PSG_MAX_ID)
            continue;
        graph->firstId = next;
        next += count;
        assignIds(*graph);
    }
}

// Own, or that of a call it was inlined at: details of the standard library have none of their own.
static bool hasId(const DILocation *at)
{
    if (!at || !at->getLine())
        return false;
    while (at && !at->getDiscriminator())
        at = at->getInlinedAt();
    return at;
}

// The location for an instruction that has none, or one without vertex.
static const DILocation *repaired(const DILocation *lost, const DILocation *neighbour)
{
    bool sameCode = lost && lost->getLine() &&
                    lost->getScope()->getSubprogram() == neighbour->getScope()->getSubprogram() &&
                    lost->getInlinedAt() == neighbour->getInlinedAt();
    return sameCode ? lost->cloneWithDiscriminator(neighbour->getDiscriminator()) : neighbour;
}

static bool adopt(Instruction &instruction, const DILocation *neighbour)
{
    const DILocation *lost = instruction.getDebugLoc();
    if (!neighbour || hasId(lost) || isa<PHINode>(instruction))
        return false;
    instruction.setDebugLoc(repaired(lost, neighbour));
    return true;
}

// Forwards from the last known location of the block, then backwards for what stands before the
// first one.
static bool repairBlock(BasicBlock &block, const DILocation *before)
{
    bool changed = false;
    const DILocation *last = nullptr;
    for (Instruction &instruction : block) {
        changed |= adopt(instruction, last);
        if (hasId(instruction.getDebugLoc()))
            last = instruction.getDebugLoc();
    }
    last = last ? nullptr : before;
    for (Instruction &instruction : reverse(block)) {
        changed |= adopt(instruction, last);
        if (hasId(instruction.getDebugLoc()))
            last = instruction.getDebugLoc();
    }
    return changed;
}

// A block without any takes the last one of its dominator.
bool repairLocations(Function &function)
{
    if (function.isDeclaration() || !function.getSubprogram())
        return false;
    bool changed = false;
    DominatorTree dominators(function);
    SmallVector<std::pair<DomTreeNode *, const DILocation *>, 16> open;
    open.emplace_back(dominators.getRootNode(), nullptr);
    while (!open.empty()) {
        auto [node, before] = open.pop_back_val();
        changed |= repairBlock(*node->getBlock(), before);
        const DILocation *last = node->getBlock()->getTerminator()->getDebugLoc();
        for (DomTreeNode *child : *node)
            open.emplace_back(child, hasId(last) ? last : before);
    }
    return changed;
}

} // namespace scalana
