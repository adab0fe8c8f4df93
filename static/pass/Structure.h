// Where the source's loops and conditionals are in a control-flow graph that the front end has
// just built: which branches a person wrote as one `if` or `switch`, and which arm, if any, a
// block lies in. Built per function, used by LocalGraph.cpp only.
#ifndef SCALANA_STRUCTURE_H
#define SCALANA_STRUCTURE_H

#include "pass/Psg.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace scalana
{

// A conditional: the blocks of its condition (several for && and ||) and its arms.
struct Conditional {
    llvm::SmallVector<llvm::BasicBlock *, 2> chain; // chain[0] decides first
    llvm::SmallVector<llvm::BasicBlock *, 4> arms;
};

class Structure
{
  public:
    Structure(llvm::Function &function, const Calls &calls);
    llvm::DominatorTree dominators;
    llvm::LoopInfo loops;

    unsigned layout(const llvm::BasicBlock *block) const;
    // The conditional whose condition ends in this block, or null.
    const Conditional *conditional(const llvm::BasicBlock *block) const;
    const llvm::DILocation *loopStart(const llvm::Loop &loop) const;
    const llvm::DILocation *loopEnd(const llvm::Loop &loop) const; // null if unknown
    // The block entered once per iteration: behind the header's test if it has one.
    llvm::BasicBlock *iterationStart(const llvm::Loop &loop) const;
    // True if the block was written between the loop's first and last line.
    bool writtenInside(const llvm::BasicBlock *block, const llvm::Loop &loop) const;

  private:
    using Block = llvm::BasicBlock;
    struct LoopPlace {
        const llvm::DILocation *start = nullptr, *end = nullptr;
        bool told = false; // by the front end
    };
    void findLoops();
    void findChains();
    const llvm::DILocation *testOf(const llvm::Loop &loop) const;
    bool holdsBeyond(const llvm::Loop &loop, const llvm::DILocation *end) const;
    bool jumpsBack() const;
    bool decidesAnything() const;
    bool extendsChain(Block *block, Conditional &chain) const;
    bool isLoopControl(const Block *block) const;
    bool isSelect(const Conditional &conditional) const;
    bool findArms(Conditional &conditional);
    bool findSwitchArms(Conditional &conditional);
    bool laidOutInside(const Block *block, const llvm::Loop &loop) const;
    bool onlyEnteredFrom(const Block *block, const Conditional &conditional) const;
    Block *continuation(const Conditional &conditional, Block *first, Block *second) const;
    Block *merge(const Conditional &conditional) const;
    bool isJumpTarget(const Block *merge, const Block *from) const;
    bool arrives(const Block *arm, const Block *merge) const;
    bool endsLikeArm(const Block *arm, const Block *merge, const Conditional &conditional) const;
    bool resumesBehind(const Block *first, const Block *second) const;
    bool isDeadEnd(const Block *arm) const;
    bool isExpression(const Conditional &conditional) const;
    bool hasVertices(const Block *arm, const Block *merge, unsigned sameLine) const;

    llvm::Function &function;
    const Calls &calls;
    bool fortran;
    llvm::SmallDenseMap<const Block *, unsigned, 16> position;
    llvm::SmallDenseMap<const llvm::Loop *, LoopPlace> places;
    llvm::SmallDenseMap<const Block *, Conditional *> of;
    std::vector<std::unique_ptr<Conditional>> all;
};

// Null without one. Pointers: a DebugLoc is slow to copy.
const llvm::DILocation *locationOf(const llvm::Instruction &instruction);
// The first location in a block that names a line.
const llvm::DILocation *firstLocation(const llvm::BasicBlock *block);

} // namespace scalana
#endif
