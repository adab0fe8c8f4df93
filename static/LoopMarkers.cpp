#include "Psg.h"
#include "sca_hook.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

static cl::opt<bool> wanted("scalana-loop-markers",
                            cl::desc("Mark the iterations of loops that may reach MPI"),
                            cl::init(true));

namespace scalana
{

// One variable per linked module, whatever the number of objects: COMDAT and hidden.
static GlobalVariable *hookVariable(Module &module)
{
    Type *pointer = PointerType::getUnqual(module.getContext());
    auto *hook =
        new GlobalVariable(module, pointer, false, GlobalValue::LinkOnceODRLinkage,
                           ConstantPointerNull::get(cast<PointerType>(pointer)), SCA_HOOK_SYMBOL);
    hook->setVisibility(GlobalValue::HiddenVisibility);
    hook->setComdat(module.getOrInsertComdat(SCA_HOOK_SYMBOL));
    return hook;
}

// Tells the runtime where the variable is: an ELF note, readable without any symbol table.
static GlobalVariable *hookNote(Module &module, GlobalVariable *hook)
{
    LLVMContext &context = module.getContext();
    Type *word = Type::getInt32Ty(context), *wide = Type::getInt64Ty(context);
    Constant *name = ConstantDataArray::getString(context, SCA_HOOK_NOTE_NAME);
    auto *type = StructType::get(context, {word, word, word, name->getType(), wide}, true);
    auto *note = new GlobalVariable(module, type, true, GlobalValue::LinkOnceODRLinkage, nullptr,
                                    SCA_HOOK_SYMBOL "_note");
    Constant *here = ConstantExpr::getInBoundsGetElementPtr(
        type, note, ArrayRef<Constant *>{ConstantInt::get(wide, 0), ConstantInt::get(word, 4)});
    Constant *distance = ConstantExpr::getSub(ConstantExpr::getPtrToInt(hook, wide),
                                              ConstantExpr::getPtrToInt(here, wide));
    note->setInitializer(ConstantStruct::get(
        type, {ConstantInt::get(word, sizeof SCA_HOOK_NOTE_NAME), ConstantInt::get(word, 8),
               ConstantInt::get(word, SCA_HOOK_NOTE_TYPE), name, distance}));
    note->setSection(SCA_HOOK_NOTE_SECTION);
    note->setAlignment(Align(4));
    note->setVisibility(GlobalValue::HiddenVisibility);
    note->setComdat(module.getOrInsertComdat(SCA_HOOK_SYMBOL));
    return note;
}

// The block entered once per iteration: behind the header's test if it has one.
static BasicBlock *iterationStart(const Loop &loop)
{
    BasicBlock *header = loop.getHeader();
    if (!loop.isLoopExiting(header))
        return header;
    for (BasicBlock *next : successors(header))
        if (loop.contains(next) && next != header && next->getSinglePredecessor() == header)
            return next;
    return header;
}

static void insertMarker(BasicBlock *block, GlobalVariable *hook, uint64_t loop, const DebugLoc &at)
{
    Module &module = *hook->getParent();
    IRBuilder<> builder(block, block->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(at);
    Type *pointer = hook->getValueType();
    Value *target = builder.CreateLoad(pointer, hook);
    Value *set = builder.CreateIsNotNull(target);
    MDNode *weights = MDBuilder(module.getContext()).createBranchWeights(1, 100000);
    Instruction *end = SplitBlockAndInsertIfThen(set, builder.GetInsertPoint(), false, weights);
    end->setDebugLoc(at);
    builder.SetInsertPoint(end);
    builder.SetCurrentDebugLocation(at);
    auto *type = FunctionType::get(builder.getVoidTy(), {builder.getInt64Ty()}, false);
    CallInst *call = builder.CreateCall(type, target, {builder.getInt64(loop)});
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

static void markFunction(FunctionGraph &graph, GlobalVariable *hook, uint64_t hash)
{
    if (graph.function->hasFnAttribute(Attribute::Naked))
        return; // nothing but its own assembly may stand in it
    DominatorTree dominators(*graph.function);
    LoopInfo loops(dominators);
    for (Node *node : graph.order) {
        const Loop *loop = node->flags & SCA_VF_MARKED ? loops.getLoopFor(node->header) : nullptr;
        if (!loop || loop->getHeader() != node->header)
            continue;
        BasicBlock *start = iterationStart(*loop);
        if (start->getFirstInsertionPt() == start->end() || start->isEHPad())
            continue;
        uint64_t id = (hash & ~uint64_t(SCA_PSG_MAX_ID)) | (graph.firstId + node->index);
        insertMarker(start, hook, id, markerLocation(graph, *node));
    }
}

void markLoops(Module &module, Graphs &graphs, uint64_t hash)
{
    bool any = false;
    for (auto &graph : graphs)
        any |= hasMarked(*graph);
    if (!wanted || !any || module.getNamedValue(SCA_HOOK_SYMBOL))
        return;
    GlobalVariable *hook = hookVariable(module);
    appendToCompilerUsed(module, {hook, hookNote(module, hook)});
    for (auto &graph : graphs)
        if (hasMarked(*graph))
            markFunction(*graph, hook, hash);
}

} // namespace scalana
