#include "pass/Structure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace scalana
{

Node *FunctionGraph::add(uint8_t kind, Node *parent, uint8_t arm)
{
    Node *node = new (nodes.Allocate()) Node;
    node->kind = kind;
    node->parent = parent;
    node->arm = arm;
    return node;
}

std::string filePath(const DIFile *file)
{
    if (!file || file->getFilename().empty())
        return "?";
    SmallString<256> path(file->getFilename());
    if (!sys::path::is_absolute(path)) {
        path = file->getDirectory();
        sys::path::append(path, sys::path::Style::native, file->getFilename());
    }
    sys::path::remove_dots(path, true);
    return path.str().str();
}

namespace
{

struct Place { // where in the graph something stands
    Node *node = nullptr;
    uint8_t arm = 0;
};

bool hasLine(const Instruction &instruction)
{
    return instruction.getDebugLoc() && instruction.getDebugLoc().getLine();
}

// What unwinding needs; its lines are those of closing braces.
bool isUnwinding(const Instruction &instruction)
{
    const auto *store = dyn_cast<StoreInst>(&instruction);
    const Value *value = store ? store->getValueOperand() : &instruction;
    const auto *part = dyn_cast<ExtractValueInst>(value);
    return isa<LandingPadInst>(instruction) ||
           (part && isa<LandingPadInst>(part->getAggregateOperand())) ||
           isa<ResumeInst>(instruction.getParent()->getTerminator());
}

// Instructions no reader of the source would look for: they alone make no Comp.
bool isTrivial(const Instruction &instruction)
{
    if (!hasLine(instruction) || instruction.isTerminator() || isUnwinding(instruction))
        return true;
    if (isa<AllocaInst>(instruction) || isa<PHINode>(instruction))
        return true;
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
        return intrinsic->isAssumeLikeIntrinsic();
    if (isa<LoadInst>(instruction))
        return instruction.hasOneUse() && isa<ReturnInst>(*instruction.user_begin());
    return false;
}

class Builder
{
  public:
    Builder(Function &function, const Calls &calls, Nodes &nodes)
        : graph(std::make_unique<FunctionGraph>(&function, nodes)), function(function),
          calls(calls), structure(function, calls)
    {
    }
    std::unique_ptr<FunctionGraph> run();

  private:
    void makeRoot();
    void placeBlocks();
    Place placeOf(const BasicBlock *block) const;
    Place leaveArms(Place place, const BasicBlock *block) const;
    Place leaveLoops(Place place, const BasicBlock *block) const;
    void makeLoop(Place place, Loop &loop);
    void makeBranch(Place place, const Conditional &conditional);
    void attach(Node *node);
    void fill(BasicBlock &block);
    void fillCall(CallBase &call, CallKind kind, Place place);
    void fillEnd(BasicBlock &block, Place place);
    void flush(Place place);
    void giveBack();
    void takeCounters(const Loop &loop);
    bool isIncrement(const BasicBlock &block, const Loop &loop) const;
    Node *storedBy(const Instruction &instruction) const;
    void take(Instruction &user, Node *node, bool sameLineToo);
    void give(Instruction &instruction, Node *node);
    Node *comp(Place place);
    Node *loopAround(Place place, const Instruction &instruction) const;
    void finish(Node *node);
    void number(Node *node);

    std::unique_ptr<FunctionGraph> graph;
    Function &function;
    const Calls &calls;
    Structure structure;
    Node *root = nullptr;
    // Small: C++ has many functions of a few blocks.
    SmallDenseMap<const BasicBlock *, Place, 16> inside; // where a block's instructions stand
    SmallDenseMap<const Loop *, Node *> loopNodes;
    SmallDenseMap<const Node *, const Loop *> loopOf;
    SmallDenseMap<const Conditional *, Node *> branches;
    SmallDenseMap<const Node *, const Conditional *> conditionOf;
    SmallVector<Instruction *, 64> pending; // of the block being filled, not yet given to a node
    Node *lastCall = nullptr;               // before them in the block
};

void setLocation(Node *node, const DILocation *at)
{
    if (!at)
        return;
    node->file = at->getFile();
    node->line = node->endLine = at->getLine();
}

// clang tells no line for the body of an OpenMP task, but the function that calls it has that of
// the directive.
unsigned lineOf(const Function &function)
{
    unsigned line = function.getSubprogram()->getLine();
    for (const User *user : function.users()) {
        const auto *call = dyn_cast<CallBase>(user);
        if (!line && call && call->getDebugLoc())
            line = call->getDebugLoc().getLine();
    }
    return line ? line : function.getSubprogram()->getScopeLine();
}

void Builder::makeRoot()
{
    root = graph->add(SCA_ROOT, nullptr, 0);
    root->attached = true;
    if (const DISubprogram *subprogram = function.getSubprogram()) {
        root->file = subprogram->getFile();
        root->line = root->endLine = lineOf(function);
    }
}

// A dominator has its place before what it dominates.
void Builder::placeBlocks()
{
    SmallVector<const DomTreeNode *, 16> open;
    if (const DomTreeNode *entry = structure.dominators.getRootNode())
        open.push_back(entry);
    while (!open.empty()) {
        const DomTreeNode *node = open.pop_back_val();
        BasicBlock *block = node->getBlock();
        Place place = node->getIDom() ? placeOf(block) : Place{root, 0};
        inside[block] = place;
        Loop *loop = structure.loops.getLoopFor(block);
        if (loop && loop->getHeader() == block)
            makeLoop(place, *loop);
        const Conditional *conditional = structure.conditional(block);
        if (conditional && conditional->chain[0] == block)
            makeBranch(inside[block], *conditional);
        open.append(node->begin(), node->end());
    }
}

Place Builder::placeOf(const BasicBlock *block) const
{
    const BasicBlock *above = structure.dominators.getNode(block)->getIDom()->getBlock();
    Place place = inside.lookup(above);
    if (const Conditional *conditional = structure.conditional(above)) {
        auto arm = find(conditional->arms, block);
        if (arm != conditional->arms.end()) {
            place.node = branches.lookup(conditional);
            place.arm = std::min<size_t>(arm - conditional->arms.begin(), 255);
        }
    }
    return leaveLoops(leaveArms(place, block), block);
}

// With one side of an if-else gone by return, only the other leads to what follows: it comes
// after both.
Place Builder::leaveArms(Place place, const BasicBlock *block) const
{
    uint8_t arm = place.arm;
    for (Node *node = place.node; node; arm = node->arm, node = node->parent) {
        const Conditional *conditional = conditionOf.lookup(node);
        if (conditional && conditional->arms.size() == 2 && arm == 0 &&
            structure.layout(block) > structure.layout(conditional->arms[1]))
            place = Place{node->parent, node->arm};
    }
    return place;
}

// Code after a loop stands beside it; code that leaves it from within its text stays inside.
Place Builder::leaveLoops(Place place, const BasicBlock *block) const
{
    for (Node *node = place.node; node; node = node->parent) {
        const Loop *loop = loopOf.lookup(node);
        if (loop && !loop->contains(block) && !structure.writtenInside(block, *loop))
            place = Place{node->parent, node->arm};
    }
    return place;
}

void Builder::makeLoop(Place place, Loop &loop)
{
    Node *node = graph->add(SCA_LOOP, place.node, place.arm);
    setLocation(node, structure.loopStart(loop));
    if (const DILocation *end = structure.loopEnd(loop)) {
        node->exactEnd = end->getLine() >= node->line && end->getFile() == node->file;
        if (node->exactEnd)
            node->endLine = end->getLine();
    }
    node->iteration = structure.iterationStart(loop);
    node->loopId = loop.getLoopID();
    loopNodes[&loop] = node;
    loopOf[node] = &loop;
    inside[loop.getHeader()] = Place{node, 0};
}

void Builder::makeBranch(Place place, const Conditional &conditional)
{
    Node *node = graph->add(SCA_BRANCH, place.node, place.arm);
    setLocation(node, conditional.chain[0]->getTerminator()->getDebugLoc());
    branches[&conditional] = node;
    conditionOf[node] = &conditional;
}

// Children stand in the order in which filling meets them: the order of the source.
void Builder::attach(Node *node)
{
    if (!node || node->attached)
        return;
    attach(node->parent);
    node->attached = true;
    node->parent->children.push_back(node);
}

void Builder::give(Instruction &instruction, Node *node)
{
    graph->owners.emplace_back(&instruction, node);
    const DILocation *at = locationOf(instruction);
    if (!at || !at->getLine())
        return;
    if (!node->line)
        setLocation(node, at);
    if (at->getLine() <= node->endLine &&
        (node->kind != SCA_COMP || at->getLine() >= node->line)) // it stretches nothing
        return;
    if (at->getFile() != node->file || node->exactEnd || isa<AllocaInst>(instruction))
        return;
    if (isUnwinding(instruction) || (node->kind == SCA_COMP && instruction.isTerminator()))
        return;
    if (node->kind == SCA_COMP)
        node->line = std::min(node->line, at->getLine());
    node->endLine = std::max(node->endLine, at->getLine());
}

// The Comp that is open at this place: the last child there, or a new one.
Node *Builder::comp(Place place)
{
    attach(place.node);
    for (Node *child : reverse(place.node->children)) {
        if (child->arm != place.arm)
            continue;
        if (child->kind == SCA_COMP)
            return child;
        break;
    }
    Node *node = graph->add(SCA_COMP, place.node, place.arm);
    attach(node);
    return node;
}

// What stands on the line of a loop directly around it is the loop's own: test and increment.
Node *Builder::loopAround(Place place, const Instruction &instruction) const
{
    Node *node = place.node;
    bool own = node->kind == SCA_LOOP && hasLine(instruction) &&
               instruction.getDebugLoc().getLine() == node->line &&
               instruction.getDebugLoc()->getFile() == node->file;
    return own ? node : nullptr;
}

// What follows a call on its line uses its result: a Comp of its own would say nothing.
void Builder::giveBack()
{
    size_t given = 0;
    for (; lastCall && given < pending.size(); given++) {
        const DebugLoc &at = pending[given]->getDebugLoc();
        if (hasLine(*pending[given]) &&
            (at.getLine() != lastCall->line || at->getFile() != lastCall->file))
            break;
        give(*pending[given], lastCall);
    }
    pending.erase(pending.begin(), pending.begin() + given);
    lastCall = nullptr;
}

void Builder::flush(Place place)
{
    giveBack();
    bool computes = any_of(pending, [&](const Instruction *instruction) {
        return !isTrivial(*instruction) && !loopAround(place, *instruction);
    });
    Node *run = computes ? comp(place) : nullptr;
    for (Instruction *instruction : pending) {
        Node *loop = loopAround(place, *instruction);
        give(*instruction, loop ? loop : run ? run : place.node);
    }
    pending.clear();
}

// Moves to the node what was only computed for `user`: its operands, and what stands before it
// on its line.
void Builder::take(Instruction &user, Node *node, bool sameLineToo)
{
    SmallPtrSet<const Instruction *, 16> taken{&user};
    give(user, node);
    for (size_t i = pending.size(); i-- > 0;) {
        Instruction *candidate = pending[i];
        bool onlyFor = !candidate->use_empty() && all_of(candidate->users(), [&](const User *u) {
            return taken.contains(dyn_cast<Instruction>(u));
        });
        bool beside = sameLineToo && hasLine(*candidate) && hasLine(user) &&
                      candidate->getDebugLoc()->getFile() == user.getDebugLoc()->getFile() &&
                      candidate->getDebugLoc().getLine() == user.getDebugLoc().getLine();
        if (!onlyFor && !beside)
            continue;
        taken.insert(candidate);
        give(*candidate, node);
        pending.erase(pending.begin() + i);
    }
}

void Builder::fillCall(CallBase &call, CallKind kind, Place place)
{
    Node *node = graph->add(kind == CallKind::Mpi ? SCA_MPI : SCA_CALL, place.node, place.arm);
    setLocation(node, call.getDebugLoc());
    node->callee = calls.callee(call);
    node->flags = kind == CallKind::Indirect ? SCA_VF_INDIRECT : 0;
    take(call, node, true);
    flush(place);
    attach(place.node);
    attach(node);
    lastCall = node;
}

// flang keeps the counters of a loop in phis of its header, and updates them on a line of the
// body: all that is computed only for them is the loop.
void Builder::takeCounters(const Loop &loop)
{
    SmallVector<Instruction *, 4> last;
    for (Instruction *candidate : pending)
        if (!candidate->use_empty() && all_of(candidate->users(), [&](const User *user) {
                const auto *phi = dyn_cast<PHINode>(user);
                return phi && phi->getParent() == loop.getHeader();
            }))
            last.push_back(candidate);
    for (Instruction *counter : last) {
        pending.erase(find(pending, counter));
        take(*counter, loopNodes.lookup(&loop), false);
    }
}

// The third part of a `for`, written above the body but executed behind it.
bool Builder::isIncrement(const BasicBlock &block, const Loop &loop) const
{
    if (!loop.isLoopExiting(loop.getHeader()) || !loop.isLoopLatch(&block) || pending.empty())
        return false;
    unsigned line = loopNodes.lookup(&loop)->line;
    for (const BasicBlock *next : successors(loop.getHeader()))
        if (const DILocation *body = firstLocation(next); body && loop.contains(next))
            return all_of(pending, [&](const Instruction *instruction) {
                return !hasLine(*instruction) ||
                       (instruction->getDebugLoc().getLine() >= line &&
                        instruction->getDebugLoc().getLine() < body->getLine());
            });
    return false;
}

// The loop whose counter is stored behind its end: flang's last value of the variable.
Node *Builder::storedBy(const Instruction &instruction) const
{
    const auto *store = dyn_cast<StoreInst>(&instruction);
    const auto *phi = store ? dyn_cast<PHINode>(store->getValueOperand()) : nullptr;
    const Loop *loop = phi ? structure.loops.getLoopFor(phi->getParent()) : nullptr;
    bool after =
        loop && loop->getHeader() == phi->getParent() && !loop->contains(instruction.getParent());
    return after ? loopNodes.lookup(loop) : nullptr;
}

// What a block ends with belongs to the conditional or the loop it decides.
void Builder::fillEnd(BasicBlock &block, Place place)
{
    Instruction *end = block.getTerminator();
    if (const Conditional *conditional = structure.conditional(&block)) {
        take(*end, branches.lookup(conditional), false);
        flush(place);
        attach(branches.lookup(conditional));
        return;
    }
    const BasicBlock *next = block.getSingleSuccessor();
    const Loop *around = structure.loops.getLoopFor(&block);
    if (!next && around && isa<BranchInst>(end)) {
        take(*end, loopNodes.lookup(around), false);
        flush(place);
        return;
    }
    const Loop *loop = next ? structure.loops.getLoopFor(next) : nullptr;
    Node *node = loop && loop->getHeader() == next ? loopNodes.lookup(loop) : nullptr;
    if (node && loop->contains(&block)) {
        takeCounters(*loop);
        if (isIncrement(block, *loop))
            while (!pending.empty()) {
                give(*pending.back(), node);
                pending.pop_back();
            }
    }
    pending.push_back(end);
    if (node && !loop->contains(&block)) {
        // The start of a `for` stands before the loop but is written in it.
        size_t kept = pending.size();
        while (kept && (!hasLine(*pending[kept - 1]) ||
                        (pending[kept - 1]->getDebugLoc().getLine() == node->line &&
                         pending[kept - 1]->getDebugLoc()->getFile() == node->file)))
            give(*pending[--kept], node);
        pending.resize(kept);
    }
    flush(place);
}

void Builder::fill(BasicBlock &block)
{
    Place place = inside.lookup(&block);
    if (!place.node)
        place = Place{root, 0}; // unreachable
    Loop *loop = structure.loops.getLoopFor(&block);
    if (loop && loop->getHeader() == &block)
        attach(loopNodes.lookup(loop));
    CallKind kind = CallKind::None; // in the end the terminator's
    for (Instruction &instruction : block) {
        auto *call = dyn_cast<CallBase>(&instruction);
        kind = call ? calls.kind(*call) : CallKind::None;
        if (kind != CallKind::None)
            fillCall(*call, kind, place);
        else if (Node *counted = storedBy(instruction))
            give(instruction, counted);
        else if (!instruction.isTerminator())
            pending.push_back(&instruction);
        if (kind == CallKind::None || !calls.mayReachMpi(*call))
            continue;
        for (Node *node = place.node; node; node = node->parent)
            node->reachesMpi |= node->kind == SCA_LOOP;
    }
    if (kind != CallKind::None) // an invoke, which has its node
        flush(place);
    else
        fillEnd(block, place);
}

// Ends follow from what lies below, except where the compiler told.
void Builder::finish(Node *node)
{
    if (node->kind == SCA_BRANCH)
        stable_sort(node->children, [](Node *a, Node *b) { return a->arm < b->arm; });
    for (Node *child : node->children) {
        if (!child->line) {
            child->file = node->file;
            child->line = child->endLine = node->line;
        }
        finish(child);
        if (child->file == node->file && !node->exactEnd)
            node->endLine = std::max(node->endLine, child->endLine);
    }
    node->endLine = std::max(node->endLine, node->line);
}

void Builder::number(Node *node)
{
    node->index = graph->order.size();
    graph->order.push_back(node);
    for (Node *child : node->children)
        number(child);
}

std::unique_ptr<FunctionGraph> Builder::run()
{
    makeRoot();
    placeBlocks();
    graph->owners.reserve(16 * function.size());
    for (BasicBlock &block : function)
        fill(block);
    finish(root);
    number(root);
    return std::move(graph);
}

} // namespace

std::unique_ptr<FunctionGraph> buildLocalGraph(Function &function, const Calls &calls, Nodes &nodes)
{
    return Builder(function, calls, nodes).run();
}

} // namespace scalana
