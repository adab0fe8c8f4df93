#include "pass/Repair.h"
#include "sca_hook.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace scalana
{

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

// Where calls of one function from several places were merged, none of the places is left.
bool Repair::callIsLost(const DILocation *at)
{
    const DILocation *call = at && !lostCalls.empty() ? at->getInlinedAt() : nullptr;
    if (!call || call == lastCall) // most instructions stand where the one before does
        return call && lastIsLost;
    lastCall = call;
    while (call && !lostCalls.contains(call))
        call = call->getInlinedAt();
    return lastIsLost = call;
}

bool Repair::isWhole(const DILocation *at)
{
    return hasId(at) && !callIsLost(at);
}

Repair::Repair(const Module &module)
{
    DenseSet<const DILocation *> seen; // places of inlined calls
    const DILocation *last = nullptr, *lastCall = nullptr;
    for (const Function &function : module)
        for (const Instruction &instruction : instructions(function)) {
            const DILocation *at = instruction.getDebugLoc();
            if (!at || at == last)
                continue;
            last = at;
            if (at->getDiscriminator())
                numbered.insert(at->getScope()->getSubprogram());
            const DILocation *call = at->getInlinedAt();
            if (call == lastCall) // most instructions stand where the one before does
                continue;
            for (lastCall = call; call && seen.insert(call).second; call = call->getInlinedAt())
                if (call->getDiscriminator())
                    numbered.insert(call->getScope()->getSubprogram());
                else
                    lostCalls.insert(call);
        }
    for (const DILocation *call :
         SmallVector<const DILocation *, 8>(lostCalls.begin(), lostCalls.end()))
        if (!numbered.contains(call->getScope()->getSubprogram()))
            lostCalls.erase(call);
}

// The place that the neighbour, or what it is inlined in, has in the function of the lost call.
const DILocation *Repair::foundCall(const DILocation *call, const DILocation *neighbour)
{
    const DILocation *at = neighbour;
    while (at && (at->getScope()->getSubprogram() != call->getScope()->getSubprogram() ||
                  at->getInlinedAt() != call->getInlinedAt()))
        at = at->getInlinedAt();
    if (!at || !at->getLine() || !at->getDiscriminator())
        return nullptr;
    const DILocation *&made = calls[{call, at}];
    if (!made)
        made = DILocation::getDistinct(at->getContext(), at->getLine(), at->getColumn(),
                                       at->getScope(), at->getInlinedAt());
    return made;
}

// The location with its lost call found at the neighbour's place; null if it is not there.
const DILocation *Repair::withCalls(const DILocation *at, const DILocation *neighbour)
{
    const DILocation *call = at->getInlinedAt();
    if (!call)
        return nullptr;
    const DILocation *found =
        lostCalls.contains(call) ? foundCall(call, neighbour) : withCalls(call, neighbour);
    if (!found)
        return nullptr;
    const DILocation *&made = locations[{at, found}];
    if (!made)
        made = DILocation::getDistinct(at->getContext(), at->getLine(), at->getColumn(),
                                       at->getScope(), const_cast<DILocation *>(found),
                                       at->isImplicitCode());
    return made;
}

// The location for an instruction that has none, or one without vertex; null: it keeps its own.
const DILocation *Repair::repaired(const DILocation *lost, const DILocation *neighbour)
{
    if (hasId(lost))
        return withCalls(lost, neighbour);
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

bool Repair::adopt(Instruction &instruction, const DILocation *neighbour)
{
    const DILocation *lost = instruction.getDebugLoc();
    if (!neighbour || isWhole(lost) || isa<PHINode>(instruction) || movesToUsers(instruction))
        return false;
    const DILocation *better = repaired(lost, neighbour);
    if (better)
        instruction.setDebugLoc(better);
    return better;
}

// Forwards from the last known location of the block, then backwards for what stands before the
// first one.
bool Repair::repairBlock(BasicBlock &block, const DILocation *before)
{
    bool changed = false;
    const DILocation *last = nullptr;
    BasicBlock::iterator first = block.end();
    for (Instruction &instruction : block) {
        if (servesOthers(instruction) ||
            (movesToUsers(instruction) && callIsLost(instruction.getDebugLoc()))) {
            instruction.setDebugLoc(DebugLoc());
            changed = true;
        }
        const DILocation *at = instruction.getDebugLoc();
        if (!at || at != last) {
            bool adopted = adopt(instruction, last);
            if (!adopted && !isWhole(at))
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

// The call of a loop marker's hook stands alone in a block out of line.
static bool isMarkerBlock(const BasicBlock &block)
{
    const auto *call = dyn_cast<CallBase>(&*block.getFirstNonPHIIt());
    const auto *loop =
        call && call->arg_size() == 1 ? dyn_cast<GlobalVariable>(call->getArgOperand(0)) : nullptr;
    return loop && loop->getSection() == SCA_HOOK_SECTION;
}

// Code generation copies what follows a marker into its block. Copied jumps have no location, so
// only a comparison tells the place, and one that stood elsewhere does not. It stands here from now
// on: where code generation would move it.
static bool sinkComparisons(BasicBlock &block)
{
    DenseMap<CmpInst *, Instruction *> copies;
    for (Instruction &user : make_range(block.getFirstNonPHIIt(), block.end()))
        for (Use &use : user.operands()) {
            auto *compare = dyn_cast<CmpInst>(use);
            if (!compare || compare->getParent() == &block)
                continue;
            Instruction *&copy = copies[compare];
            if (!copy) {
                copy = compare->clone();
                copy->insertBefore(block, block.getFirstInsertionPt());
                copy->setDebugLoc(user.getDebugLoc());
            }
            use.set(copy);
        }
    for (auto [compare, copy] : copies)
        if (compare->use_empty())
            compare->eraseFromParent();
    return !copies.empty();
}

// A block without any takes the last one of its dominator.
bool Repair::inherit(Function &function)
{
    bool changed = false;
    DominatorTree dominators(function);
    SmallVector<std::pair<DomTreeNode *, const DILocation *>, 16> open;
    open.emplace_back(dominators.getRootNode(), nullptr);
    while (!open.empty()) {
        auto [node, before] = open.pop_back_val();
        Instruction *end = node->getBlock()->getTerminator();
        if (!isWhole(end->getDebugLoc()))
            changed |= repairBlock(*node->getBlock(), before);
        const DILocation *last = end->getDebugLoc();
        for (DomTreeNode *child : *node)
            open.emplace_back(child, isWhole(last) ? last : before);
    }
    return changed;
}

bool Repair::run(Function &function)
{
    if (function.isDeclaration() || !function.getSubprogram())
        return false;
    bool changed = false, complete = true;
    for (BasicBlock &block : function) {
        changed |= repairBlock(block, nullptr);
        complete &= isWhole(block.getTerminator()->getDebugLoc());
    }
    if (!complete && function.size() > 1)
        changed |= inherit(function);
    for (BasicBlock &block : function)
        if (BasicBlock *after = isMarkerBlock(block) ? block.getSingleSuccessor() : nullptr)
            changed |= sinkComparisons(*after);
    return changed;
}

} // namespace scalana
