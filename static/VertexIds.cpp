#include "Psg.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
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
    for (auto [instruction, node] : graph.owners)
        if (const DILocation *at = instruction->getDebugLoc())
            instruction->setDebugLoc(numbered.get(at, graph.firstId + node->index));
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

// Whether a location names its vertex. What has no graph (details of the standard library) cannot:
// there the call it was inlined at has to.
bool Repair::hasId(const DILocation *at) const
{
    if (!at || !at->getLine())
        return false;
    while (at && !at->getDiscriminator() && !numbered.contains(at->getScope()->getSubprogram()))
        at = at->getInlinedAt();
    return at && at->getDiscriminator();
}

Repair::Repair(const Module &module)
{
    SmallPtrSet<const DILocation *, 32> seen;
    const DILocation *last = nullptr;
    for (const Function &function : module)
        for (const Instruction &instruction : instructions(function)) {
            const DILocation *at = instruction.getDebugLoc();
            if (at == last)
                continue;
            for (last = at; at && seen.insert(at).second; at = at->getInlinedAt())
                if (at->getDiscriminator())
                    numbered.insert(at->getScope()->getSubprogram());
        }
}

// The location for an instruction that has none, or one without vertex.
static const DILocation *repaired(const DILocation *lost, const DILocation *neighbour)
{
    bool sameCode = lost && lost->getLine() &&
                    lost->getScope()->getSubprogram() == neighbour->getScope()->getSubprogram() &&
                    lost->getInlinedAt() == neighbour->getInlinedAt();
    return sameCode ? lost->cloneWithDiscriminator(neighbour->getDiscriminator()) : neighbour;
}

static bool isElsewhere(const Instruction &instruction, const User *user)
{
    return cast<Instruction>(user)->getParent() != instruction.getParent();
}

// Code generation copies these into the blocks that use them, with their location: one of the
// block they stand in would be wrong there, and none at all is taken from what stands beside the
// copy. Comparisons are copied even if their own block uses them too.
static bool movesToUsers(const Instruction &instruction)
{
    auto elsewhere = [&](const User *user) { return isElsewhere(instruction, user); };
    return (isa<CmpInst>(instruction) && any_of(instruction.users(), elsewhere)) ||
           (isa<CastInst>(instruction) && all_of(instruction.users(), elsewhere));
}

// A comparison that was found to repeat an earlier one: it will be copied into code of another
// vertex, which the location of the first must not follow.
static bool servesOthers(const Instruction &instruction)
{
    const DILocation *at = instruction.getDebugLoc();
    return at && isa<CmpInst>(instruction) && any_of(instruction.users(), [&](const User *user) {
               const DILocation *there = cast<Instruction>(user)->getDebugLoc();
               return isElsewhere(instruction, user) && there &&
                      (there->getDiscriminator() != at->getDiscriminator() ||
                       there->getScope()->getSubprogram() != at->getScope()->getSubprogram());
           });
}

bool Repair::adopt(Instruction &instruction, const DILocation *neighbour) const
{
    const DILocation *lost = instruction.getDebugLoc();
    if (!neighbour || hasId(lost) || isa<PHINode>(instruction) || movesToUsers(instruction))
        return false;
    instruction.setDebugLoc(repaired(lost, neighbour));
    return true;
}

// Forwards from the last known location of the block, then backwards for what stands before the
// first one.
bool Repair::repairBlock(BasicBlock &block, const DILocation *before) const
{
    bool changed = false;
    const DILocation *last = nullptr;
    BasicBlock::iterator first = block.end();
    for (Instruction &instruction : block) {
        if (servesOthers(instruction)) {
            instruction.setDebugLoc(DebugLoc());
            changed = true;
        }
        const DILocation *at = instruction.getDebugLoc();
        if (!at || at != last) {
            bool adopted = adopt(instruction, last);
            if (!adopted && !hasId(at))
                continue;
            changed |= adopted;
            first = last ? first : instruction.getIterator();
            last = instruction.getDebugLoc();
        }
    }
    last = last ? first->getDebugLoc().get() : before;
    for (Instruction &instruction : reverse(make_range(block.begin(), first)))
        if (adopt(instruction, last)) {
            changed = true;
            last = instruction.getDebugLoc();
        }
    return changed;
}

// A block without any takes the last one of its dominator.
bool Repair::run(Function &function) const
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
