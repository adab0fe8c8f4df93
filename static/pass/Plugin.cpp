#include "pass/Psg.h"
#include "pass/Repair.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/TargetParser/Triple.h"
#if __has_include("llvm/Plugins/PassPlugin.h") // from LLVM 22 on
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

using namespace llvm;

// flang does not set up assembly parsers, yet aborts on module assembly without one. Weak: a
// compiler for other targets only does not have this.
extern "C" void LLVMInitializeX86AsmParser() __attribute__((weak));
extern "C" void LLVMInitializeAArch64AsmParser() __attribute__((weak));

namespace scalana
{

// Whether from here an exception goes on, whichever way is taken: what is destroyed then has no
// line of its own to lose, and may be merged as ever.
static bool unwinds(const BasicBlock *block)
{
    const size_t most = 16;
    if (!block->getParent()->hasPersonalityFn())
        return false;
    bool resumes = false;
    SmallVector<const BasicBlock *, most> found{block};
    for (size_t next = 0; next < found.size(); next++) {
        const Instruction *last = found[next]->getTerminator();
        resumes |= isa<ResumeInst>(last);
        if (isa<ReturnInst>(last) || found.size() > most)
            return false;
        for (const BasicBlock *to : successors(last))
            if (!is_contained(found, to))
                found.push_back(to);
    }
    return resumes;
}

static void markVertices(const Calls &calls, Graphs &graphs)
{
    for (auto &graph : graphs) {
        for (Node *node : graph->order)
            if (node->kind == SCA_LOOP && node->reachesMpi)
                node->flags |= SCA_VF_MARKED;
        for (Instruction &instruction : instructions(graph->function))
            if (auto *call = dyn_cast<CallBase>(&instruction))
                if (calls.mayReachMpi(*call) && !unwinds(call->getParent()))
                    call->addFnAttr(Attribute::NoMerge);
    }
}

static bool refersToOthers(const Value *value)
{
    return isa<Constant>(value) && !isa<ConstantData>(value);
}

// C++ headers define hundreds of functions that nothing in the unit can reach; the optimizer drops
// them, so a graph of theirs would only cost space. Follows references from what must stay.
static DenseSet<const GlobalValue *> reachable(const Module &module)
{
    DenseSet<const GlobalValue *> seen;
    SmallVector<const Value *, 64> open;
    auto visit = [&](const GlobalValue &value) {
        if (!value.hasAvailableExternallyLinkage() && seen.insert(&value).second)
            open.push_back(&value);
    };
    for (const GlobalValue &value : module.global_values())
        if (!value.isDeclaration() && !value.isDiscardableIfUnused())
            visit(value);
    SmallPtrSet<const Value *, 32> constants;
    while (!open.empty()) {
        const Value *value = open.pop_back_val();
        auto follow = [&](const User &user) {
            for (const Use &use : user.operands()) {
                if (const auto *global = dyn_cast<GlobalValue>(use))
                    visit(*global);
                else if (refersToOthers(use) && constants.insert(use).second)
                    open.push_back(use);
            }
        };
        follow(*cast<User>(value));
        if (const auto *function = dyn_cast<Function>(value))
            for (const Instruction &instruction : instructions(function))
                follow(instruction);
    }
    return seen;
}

// With offloading the same command also compiles for an accelerator, whose assemblers know neither
// the section nor a host's hook.
static bool isForHost(const Module &module)
{
    Triple triple(module.getTargetTriple());
    return triple.isOSBinFormatELF() && !triple.isNVPTX() && !triple.isAMDGPU() &&
           !triple.isSPIRV();
}

// Where the control flow still looks like the source.
struct BuildPass : PassInfoMixin<BuildPass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager)
    {
        auto &functions =
            manager.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
        auto library = [&](Function &function) -> const TargetLibraryInfo & {
            return functions.getResult<TargetLibraryAnalysis>(function);
        };
        if (isTagged(module) || !isForHost(module)) // tagged: bitcode that went through here before
            return PreservedAnalyses::all();
        Calls calls(module, library);
        Nodes nodes;
        Graphs graphs;
        DenseSet<const GlobalValue *> live = reachable(module);
        for (Function &function : module)
            if (!function.isDeclaration() && live.contains(&function) && !calls.isDetail(function))
                graphs.push_back(buildLocalGraph(function, calls, nodes));
        if (graphs.empty())
            return PreservedAnalyses::all();
        markVertices(calls, graphs);
        assignIds(graphs);
        uint64_t hash = emitPsg(module, graphs);
        tagProducer(module, hash);
        keepDiscriminators(module);
        markLoops(module, graphs, hash);
        return PreservedAnalyses::none();
    }
    static bool isRequired()
    {
        return true;
    }
};

// A sample falls anywhere, and its call path is found by these tables. flang leaves them out where
// nothing is thrown; code stays as it is.
static void keepUnwindTables(Function &function)
{
    if (!function.isDeclaration() && !function.hasUWTable())
        function.setUWTableKind(UWTableKind::Async);
}

// After the optimizer has moved, merged and dropped locations.
struct RepairPass : PassInfoMixin<RepairPass> {
    PreservedAnalyses run(Module &module, ModuleAnalysisManager &)
    {
        if (!isTagged(module))
            return PreservedAnalyses::all();
        Repair repair(module);
        for (Function &function : module) {
            keepUnwindTables(function);
            repair.run(function);
        }
        return PreservedAnalyses::all();
    }
    static bool isRequired()
    {
        return true;
    }
};

static void registerCallbacks(PassBuilder &builder)
{
    if (LLVMInitializeX86AsmParser)
        LLVMInitializeX86AsmParser();
    if (LLVMInitializeAArch64AsmParser)
        LLVMInitializeAArch64AsmParser();
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager &manager, auto &&...) { manager.addPass(BuildPass()); });
    builder.registerOptimizerLastEPCallback(
        [](ModulePassManager &manager, auto &&...) { manager.addPass(RepairPass()); });
    builder.registerPipelineParsingCallback(
        [](StringRef name, ModulePassManager &manager, ArrayRef<PassBuilder::PipelineElement>) {
            if (name == "scalana-psg")
                manager.addPass(BuildPass());
            else if (name == "scalana-repair")
                manager.addPass(RepairPass());
            else
                return false;
            return true;
        });
}

} // namespace scalana

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "scalana", SCA_VERSION, scalana::registerCallbacks};
}
