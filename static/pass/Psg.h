// The graph of one module while the pass works on it: what LocalGraph.cpp finds in each function,
// VertexIds.cpp numbers, LoopMarkers.cpp instruments and EmitPsg.cpp writes.
//
// Lives for one run of the pass over one module, which owns the nodes of all functions. Pointers to
// instructions stay valid because nothing is deleted before the graph is written.
#ifndef SCALANA_PSG_H
#define SCALANA_PSG_H

#include "sca_psg.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Allocator.h"
#include <memory>
#include <string>
#include <vector>

namespace scalana
{

struct Node {
    uint8_t kind = SCA_COMP, flags = 0, arm = 0;
    Node *parent = nullptr;
    llvm::SmallVector<Node *, 4> children;
    const llvm::DIFile *file = nullptr;
    uint32_t line = 0, endLine = 0;
    bool exactEnd = false;       // the compiler told where it ends
    llvm::StringRef callee = ""; // with a zero behind it, as names of values have
    uint32_t index = 0;          // in preorder
    bool attached = false;
    llvm::BasicBlock *iteration = nullptr; // of a loop: entered once in each
    llvm::MDNode *loopId = nullptr;        // of a loop: passes take locations from it
    bool reachesMpi = false;               // of a loop
};

using Nodes = llvm::SpecificBumpPtrAllocator<Node>;

struct FunctionGraph {
    FunctionGraph(llvm::Function *function, Nodes &nodes) : function(function), nodes(nodes)
    {
    }
    llvm::Function *function;
    Nodes &nodes;
    std::vector<Node *> order;                                  // preorder; order[0] is the root
    std::vector<std::pair<llvm::Instruction *, Node *>> owners; // each instruction once
    uint32_t firstId = 0;
    Node *add(uint8_t kind, Node *parent, uint8_t arm);
};

using Graphs = std::vector<std::unique_ptr<FunctionGraph>>;

// What a call means to the graph.
enum class CallKind { None, User, Indirect, Mpi };

// Tells calls apart by name, and knows which of the module's functions may reach MPI.
class Calls
{
  public:
    Calls(llvm::Module &module,
          llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)> library);
    CallKind kind(const llvm::CallBase &call) const;
    llvm::StringRef callee(const llvm::CallBase &call) const;
    // False only if it certainly does not: another file's code may.
    bool mayReachMpi(const llvm::CallBase &call) const;
    // Small change of a standard library, like vector::operator[] or SUM: computation of its
    // caller.
    bool isDetail(const llvm::Function &function) const;

  private:
    using CallList = llvm::SmallVector<const llvm::CallBase *, 4>;
    void findDetails(const llvm::Module &module);
    const llvm::GlobalValue *target(const llvm::CallBase &call) const;
    bool isLibrary(const llvm::Function &function) const;
    llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)> library;
    llvm::DenseMap<const llvm::Function *, bool> reaches;
    llvm::DenseMap<const llvm::Function *, CallList> callsOf; // of those with a body, library's not
    mutable llvm::DenseMap<const llvm::Function *, bool> libraries; // what isLibrary() said
    llvm::DenseSet<const llvm::Function *> details;
    // The run-time systems' functions that are told apart from others at each call.
    const llvm::Function *terminate = nullptr, *parallel = nullptr, *task = nullptr;
};

bool isFortran(const llvm::Function &function);
std::string filePath(const llvm::DIFile *file);

std::unique_ptr<FunctionGraph> buildLocalGraph(llvm::Function &function, const Calls &calls,
                                               Nodes &nodes);

// Gives every vertex its id and every instruction the discriminator of its vertex.
void assignIds(Graphs &graphs);

// Writes the records into the module's inline assembly; returns the unit's hash.
uint64_t emitPsg(llvm::Module &module, Graphs &graphs);
// Line tables before DWARF 4, and CodeView, have no discriminators: DWARF 4 is written then.
void keepDiscriminators(llvm::Module &module);
// Puts the hash into the producer of the module's compile units.
void tagProducer(llvm::Module &module, uint64_t hash);
bool isTagged(const llvm::Module &module);

// A weak hook call at the head of each iteration of the loops that may reach MPI.
void markLoops(llvm::Module &module, Graphs &graphs, uint64_t hash);

} // namespace scalana
#endif
