#include "pass/Psg.h"
#include "sca_hook.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#define ANCHOR "sca_loop_anchor"

using namespace llvm;

static cl::opt<bool> wanted("scalana-loop-markers",
                            cl::desc("Mark the iterations of loops that may reach MPI"),
                            cl::init(true));

namespace scalana
{

static StructType *loopType(Module &module)
{
    LLVMContext &context = module.getContext();
    Type *word = Type::getInt64Ty(context);
    return StructType::get(context, {PointerType::getUnqual(context), word, word});
}

// What the runtime sets and clears: struct sca_loop.
static GlobalVariable *loopVariable(Module &module, GlobalValue::LinkageTypes linkage, uint64_t id,
                                    const Twine &name)
{
    StructType *type = loopType(module);
    Type *word = type->getElementType(1);
    Constant *pointer = ConstantPointerNull::get(cast<PointerType>(type->getElementType(0)));
    Constant *value =
        ConstantStruct::get(type, {pointer, ConstantInt::get(word, id), ConstantInt::get(word, 0)});
    auto *loop = new GlobalVariable(module, type, false, linkage, value, name);
    loop->setSection(SCA_HOOK_SECTION);
    loop->setAlignment(Align(8));
    loop->setExternallyInitialized(true); // its first value says nothing
    return loop;
}

// Where the linker lets the array begin or end. Hidden: each module has its own.
static Constant *arrayEnd(Module &module, const char *name)
{
    Constant *end = module.getOrInsertGlobal(name, Type::getInt8Ty(module.getContext()));
    cast<GlobalValue>(end->stripPointerCasts())->setVisibility(GlobalValue::HiddenVisibility);
    return end;
}

static GlobalVariable *comdat(Module &module, GlobalVariable *variable)
{
    variable->setVisibility(GlobalValue::HiddenVisibility);
    variable->setComdat(module.getOrInsertComdat(ANCHOR));
    return variable;
}

// One per linked module, whatever the number of objects: the element that is always there.
static GlobalVariable *anchor(Module &module)
{
    return comdat(module, loopVariable(module, GlobalValue::LinkOnceODRLinkage, 0, ANCHOR));
}

// Tells the runtime where the array is: an ELF note, readable without any symbol table.
static GlobalVariable *arrayNote(Module &module)
{
    LLVMContext &context = module.getContext();
    Type *word = Type::getInt32Ty(context), *wide = Type::getInt64Ty(context);
    Constant *name = ConstantDataArray::getString(context, SCA_HOOK_NOTE_NAME);
    auto *type = StructType::get(context, {word, word, word, name->getType(), wide, wide}, true);
    auto *note = new GlobalVariable(module, type, true, GlobalValue::LinkOnceODRLinkage, nullptr,
                                    ANCHOR "_note");
    Constant *here = ConstantExpr::getPtrToInt(
        ConstantExpr::getInBoundsGetElementPtr(
            type, note, ArrayRef<Constant *>{ConstantInt::get(wide, 0), ConstantInt::get(word, 4)}),
        wide);
    auto distance = [&](const char *end) {
        return ConstantExpr::getSub(ConstantExpr::getPtrToInt(arrayEnd(module, end), wide), here);
    };
    note->setInitializer(ConstantStruct::get(
        type, {ConstantInt::get(word, sizeof SCA_HOOK_NOTE_NAME), ConstantInt::get(word, 16),
               ConstantInt::get(word, SCA_HOOK_NOTE_TYPE), name,
               distance("__start_" SCA_HOOK_SECTION), distance("__stop_" SCA_HOOK_SECTION)}));
    note->setSection(SCA_HOOK_NOTE_SECTION);
    note->setAlignment(Align(4));
    return comdat(module, note);
}

static void insertMarker(BasicBlock *block, GlobalVariable *loop, const DebugLoc &at)
{
    Module &module = *loop->getParent();
    IRBuilder<> builder(block, block->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(at);
    Type *pointer = loop->getType();
    Value *target = builder.CreateLoad(pointer, loop); // its first member
    Value *set = builder.CreateIsNotNull(target);
    MDNode *weights = MDBuilder(module.getContext()).createBranchWeights(1, 100000);
    Instruction *end = SplitBlockAndInsertIfThen(set, builder.GetInsertPoint(), false, weights);
    end->setDebugLoc(at);
    builder.SetInsertPoint(end);
    builder.SetCurrentDebugLocation(at);
    auto *type = FunctionType::get(builder.getVoidTy(), {pointer}, false);
    CallInst *call = builder.CreateCall(type, target, {loop});
    call->addFnAttr(Attribute::NoMerge);
    call->addFnAttr(Attribute::NoUnwind);
    // Out of line from the start, so that the jump back is one of the block's own and keeps its
    // location: one that block placement has to add has none.
    end->getParent()->moveAfter(&block->getParent()->back());
}

static DebugLoc markerLocation(const FunctionGraph &graph, const Node &node)
{
    DISubprogram *subprogram = graph.function->getSubprogram();
    if (!subprogram || !graph.firstId)
        return DebugLoc();
    const DILocation *at = DILocation::get(graph.function->getContext(), node.line, 0, subprogram);
    return at->cloneWithDiscriminator(graph.firstId + node.index);
}

static bool hasMarked(const FunctionGraph &graph)
{
    return any_of(graph.order, [](const Node *node) { return (node->flags & SCA_VF_MARKED) != 0; });
}

static void markFunction(FunctionGraph &graph, Module &module, uint64_t hash)
{
    if (graph.function->hasFnAttribute(Attribute::Naked))
        return; // nothing but its own assembly may stand in it
    for (Node *node : graph.order) {
        BasicBlock *start = node->flags & SCA_VF_MARKED ? node->iteration : nullptr;
        if (!start || start->getFirstInsertionPt() == start->end() || start->isEHPad())
            continue;
        uint64_t id = (hash & ~uint64_t(SCA_PSG_MAX_ID)) | (graph.firstId + node->index);
        GlobalVariable *variable =
            loopVariable(module, GlobalValue::PrivateLinkage, id, "sca_loop");
        insertMarker(start, variable, markerLocation(graph, *node));
    }
}

void markLoops(Module &module, Graphs &graphs, uint64_t hash)
{
    bool any = false;
    for (auto &graph : graphs)
        any |= hasMarked(*graph);
    if (!wanted || !any || module.getNamedValue(ANCHOR))
        return;
    appendToUsed(module, {anchor(module), arrayNote(module)});
    for (auto &graph : graphs)
        if (hasMarked(*graph))
            markFunction(*graph, module, hash);
}

} // namespace scalana
