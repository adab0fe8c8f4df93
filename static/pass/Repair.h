// After the optimizer: instructions that it left without a vertex take their neighbours'. Run once
// per module, at the end of the pipeline; it changes debug locations, and code only where a loop
// marker stands.
#ifndef SCALANA_REPAIR_H
#define SCALANA_REPAIR_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace scalana
{

class Repair
{
  public:
    explicit Repair(const llvm::Module &module);
    bool run(llvm::Function &function); // true if it changed anything

  private:
    using Location = const llvm::DILocation;
    bool hasId(Location *at) const;
    bool callIsLost(Location *at);
    bool isWhole(Location *at);
    Location *foundCall(Location *call, Location *neighbour);
    Location *withCalls(Location *at, Location *neighbour);
    Location *repaired(Location *lost, Location *neighbour);
    bool adopt(llvm::Instruction &instruction, Location *neighbour);
    bool repairBlock(llvm::BasicBlock &block, Location *before);
    bool inherit(llvm::Function &function);
    llvm::DenseSet<const llvm::DISubprogram *> numbered; // their code carries ids
    llvm::DenseSet<Location *> lostCalls;                // places of inlined calls, without id
    Location *lastCall = nullptr;                        // that was looked up, and what came of it
    bool lastIsLost = false;
    llvm::DenseMap<std::pair<Location *, Location *>, Location *> calls, locations; // made for them
};

} // namespace scalana
#endif
