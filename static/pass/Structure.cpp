#include "pass/Structure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace scalana
{

const DILocation *locationOf(const Instruction &instruction)
{
    return instruction.getDebugLoc();
}

const DILocation *firstLocation(const BasicBlock *block)
{
    for (const Instruction &instruction : *block)
        if (const DILocation *at = locationOf(instruction); at && at->getLine())
            return at;
    return nullptr;
}

Structure::Structure(Function &function, const Calls &calls)
    : function(function), calls(calls), fortran(isFortran(function))
{
    if (function.size() == 1) // most functions in C++
        return;
    unsigned next = 0;
    position.reserve(function.size());
    for (const BasicBlock &block : function)
        position[&block] = next++;
    bool mayLoop = jumpsBack();
    if (!mayLoop && !decidesAnything())
        return;
    dominators.recalculate(function);
    if (mayLoop)
        findLoops();
    findChains();
    for (const auto &conditional : all) {
        bool real = isa<SwitchInst>(conditional->chain[0]->getTerminator())
                        ? findSwitchArms(*conditional)
                        : findArms(*conditional);
        for (BasicBlock *block : conditional->chain)
            if (!real)
                of.erase(block);
    }
}

// Without such a jump there is no loop, whatever the order of the blocks.
bool Structure::jumpsBack() const
{
    return any_of(function, [&](const BasicBlock &block) {
        return any_of(successors(&block),
                      [&](const BasicBlock *next) { return layout(next) <= layout(&block); });
    });
}

// An exception's way out is no decision that anybody wrote.
bool Structure::decidesAnything() const
{
    return any_of(function, [](const BasicBlock &block) {
        const Instruction *end = block.getTerminator();
        return end->getNumSuccessors() > 1 && !isa<InvokeInst>(end);
    });
}

unsigned Structure::layout(const BasicBlock *block) const
{
    return position.lookup(block);
}

const Conditional *Structure::conditional(const BasicBlock *block) const
{
    return of.lookup(block);
}

// What the front end tells of a loop is asked once: it stands in the metadata of all its latches.
void Structure::findLoops()
{
    loops.analyze(dominators);
    SmallVector<Loop *, 4> found = loops.getLoopsInPreorder();
    for (const Loop *loop : found) {
        Loop::LocRange range = fortran ? Loop::LocRange() : loop->getLocRange();
        places[loop] = {range ? range.getStart().get() : testOf(*loop), range.getEnd(),
                        bool(range)};
    }
    for (const Loop *loop : found)
        if (LoopPlace &place = places[loop]; place.told && holdsBeyond(*loop, place.end))
            place.end = nullptr;
}

const DILocation *Structure::testOf(const Loop &loop) const
{
    const DILocation *test = locationOf(*loop.getHeader()->getTerminator());
    return test && loop.isLoopExiting(loop.getHeader()) ? test : firstLocation(loop.getHeader());
}

const DILocation *Structure::loopStart(const Loop &loop) const
{
    return places.lookup(&loop).start;
}

const DILocation *Structure::loopEnd(const Loop &loop) const
{
    return places.lookup(&loop).end;
}

// Of a loop that a directive or a macro made, the front end tells the place of that: then what the
// loop holds is written behind it.
bool Structure::holdsBeyond(const Loop &loop, const DILocation *end) const
{
    const DILocation *body = firstLocation(iterationStart(loop));
    if (body && body->getFile() == end->getFile() && body->getLine() > end->getLine())
        return true;
    return any_of(loop, [&](const Loop *inner) {
        const DILocation *start = loopStart(*inner);
        return start && start->getFile() == end->getFile() &&
               (start->getLine() > end->getLine() || holdsBeyond(*inner, end));
    });
}

BasicBlock *Structure::iterationStart(const Loop &loop) const
{
    BasicBlock *header = loop.getHeader();
    if (!loop.isLoopExiting(header))
        return header;
    for (BasicBlock *next : successors(header))
        if (loop.contains(next) && next != header && next->getSinglePredecessor() == header)
            return next;
    return header;
}

static bool samePlace(const DILocation *a, const DILocation *b)
{
    return a->getLine() == b->getLine() && a->getColumn() == b->getColumn();
}

// Front ends lay blocks out as they are written: what leaves a loop from within comes before the
// last of it, what follows comes behind.
bool Structure::laidOutInside(const BasicBlock *block, const Loop &loop) const
{
    return any_of(loop.blocks(),
                  [&](const BasicBlock *other) { return layout(block) < layout(other); });
}

bool Structure::writtenInside(const BasicBlock *block, const Loop &loop) const
{
    const LoopPlace place = places.lookup(&loop);
    const DILocation *at = place.told ? firstLocation(block) : nullptr;
    if (!at || at->getFile() != place.start->getFile() || at->getLine() < place.start->getLine())
        return false;
    if (!place.end || samePlace(place.start, place.end)) // all of it comes out of one macro
        return laidOutInside(block, loop);
    if (at->getLine() == place.end->getLine() && at->getColumn() && place.end->getColumn())
        return at->getColumn() <= place.end->getColumn(); // both may be one line
    return at->getLine() <= place.end->getLine();
}

// The test that ends a loop is the loop, not a conditional inside it.
bool Structure::isLoopControl(const BasicBlock *block) const
{
    const Loop *loop = loops.getLoopFor(block);
    if (!loop || !loop->isLoopExiting(block))
        return false;
    const DILocation *at = locationOf(*block->getTerminator()), *start = loopStart(*loop);
    return loop->isLoopLatch(block) || !at || (start && at->getLine() == start->getLine());
}

// flang tests for each `case` where the `select case` stands.
static bool isSamePlace(const BasicBlock *test, const BasicBlock *first)
{
    const DILocation *a = locationOf(*test->getTerminator());
    const DILocation *b = locationOf(*first->getTerminator());
    return a && b && samePlace(a, b);
}

// The front end gives each `if` its own merge block, so a second test that shares a target with
// the first belongs to the same condition.
bool Structure::extendsChain(BasicBlock *block, Conditional &chain) const
{
    if (loops.getLoopFor(block) != loops.getLoopFor(chain.chain[0]) || loops.isLoopHeader(block))
        return false;
    if (!onlyEnteredFrom(block, chain))
        return false;
    if (fortran && isSamePlace(block, chain.chain[0]))
        return true;
    for (BasicBlock *mine : successors(block))
        for (BasicBlock *member : chain.chain)
            if (is_contained(successors(member), mine))
                return true;
    return false;
}

// `catch` clauses are told apart by comparisons that nobody wrote.
static bool selectsHandler(const Value *condition)
{
    const auto *compare = dyn_cast<ICmpInst>(condition);
    return compare && any_of(compare->operands(), [](const Value *operand) {
               const auto *call = dyn_cast<IntrinsicInst>(operand);
               return call && call->getIntrinsicID() == Intrinsic::eh_typeid_for;
           });
}

void Structure::findChains()
{
    for (BasicBlock &block : function) {
        const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        bool decides = (branch && branch->isConditional() &&
                        branch->getSuccessor(0) != branch->getSuccessor(1)) ||
                       isa<SwitchInst>(block.getTerminator());
        if (branch && branch->isConditional() && selectsHandler(branch->getCondition()))
            decides = false;
        if (!decides || !dominators.isReachableFromEntry(&block) || isLoopControl(&block))
            continue;
        Conditional *before = nullptr;
        if (branch && !pred_empty(&block))
            before = of.lookup(*pred_begin(&block));
        bool same = before && isa<BranchInst>(before->chain[0]->getTerminator());
        if (same && extendsChain(&block, *before)) {
            before->chain.push_back(&block);
        } else {
            all.push_back(std::make_unique<Conditional>());
            before = all.back().get();
            before->chain.push_back(&block);
        }
        of[&block] = before;
    }
}

bool Structure::onlyEnteredFrom(const BasicBlock *block, const Conditional &conditional) const
{
    return all_of(predecessors(block),
                  [&](const BasicBlock *from) { return is_contained(conditional.chain, from); });
}

// Where the arms meet again: dominated by the condition, but entered from several sides.
BasicBlock *Structure::merge(const Conditional &conditional) const
{
    BasicBlock *found = nullptr;
    for (BasicBlock *block : conditional.chain)
        for (const DomTreeNode *child : dominators.getNode(block)->children()) {
            BasicBlock *at = child->getBlock();
            if (is_contained(conditional.chain, at) || onlyEnteredFrom(at, conditional))
                continue;
            if (!found || layout(at) < layout(found))
                found = at;
        }
    return found;
}

// return, continue and break lead to these; the end of an if-else may, too.
bool Structure::isJumpTarget(const BasicBlock *merge, const BasicBlock *from) const
{
    const Loop *loop = loops.getLoopFor(from);
    return isa<ReturnInst>(merge->getTerminator()) ||
           (loop && (!loop->contains(merge) || loop->isLoopLatch(merge)));
}

// Front ends give the jump from an arm of an if-else to its end no line (clang) or the line of
// the `if` (flang); the jump at the end of ordinary code has the line of that code.
bool Structure::endsLikeArm(const BasicBlock *arm, const BasicBlock *merge,
                            const Conditional &conditional) const
{
    const DILocation *at = locationOf(*conditional.chain[0]->getTerminator());
    unsigned line = at ? at->getLine() : 0;
    for (const BasicBlock *from : predecessors(merge)) {
        const auto *jump = dyn_cast<BranchInst>(from->getTerminator());
        if (!jump || jump->isConditional() || !dominators.dominates(arm, from))
            continue;
        if (!locationOf(*jump) || locationOf(*jump)->getLine() == line)
            return true;
    }
    return false;
}

bool Structure::arrives(const BasicBlock *arm, const BasicBlock *merge) const
{
    return any_of(predecessors(merge),
                  [&](const BasicBlock *from) { return dominators.dominates(arm, from); });
}

bool Structure::isDeadEnd(const BasicBlock *arm) const
{
    const BasicBlock *at = arm;
    for (int steps = 0; steps < 4 && at; steps++, at = at->getSingleSuccessor())
        if (isa<UnreachableInst>(at->getTerminator()))
            return true;
    return false;
}

// True for the then-arm of `if (ok) ... else return;`: what follows comes after the else.
bool Structure::resumesBehind(const BasicBlock *first, const BasicBlock *second) const
{
    const Loop *loop = loops.getLoopFor(dominators.getNode(first)->getIDom()->getBlock());
    SmallVector<const DomTreeNode *, 8> open{dominators.getNode(first)};
    while (!open.empty()) {
        const DomTreeNode *node = open.pop_back_val();
        const BasicBlock *block = node->getBlock();
        bool stays = !loop || loop->contains(block);
        if (layout(block) > layout(second) && stays && !block->isEHPad() &&
            !isa<ReturnInst>(block->getTerminator()))
            return true;
        open.append(node->begin(), node->end());
    }
    return false;
}

// After `if (c) return;` the rest of the function is no arm, though the condition controls it.
BasicBlock *Structure::continuation(const Conditional &conditional, BasicBlock *first,
                                    BasicBlock *second) const
{
    BasicBlock *joined = merge(conditional);
    if (!joined && isDeadEnd(first) != isDeadEnd(second))
        return isDeadEnd(first) ? second : first;
    if (resumesBehind(first, second))
        return nullptr;
    if (!joined)
        return second;
    if (!arrives(second, joined) || endsLikeArm(second, joined, conditional))
        return nullptr;
    return fortran && !isJumpTarget(joined, conditional.chain[0]) ? nullptr : second;
}

// Each of its arms is one that was written, the last as well.
bool Structure::isSelect(const Conditional &conditional) const
{
    return fortran && conditional.chain.size() > 1 &&
           isSamePlace(conditional.chain[1], conditional.chain[0]);
}

bool Structure::findArms(Conditional &conditional)
{
    SmallVector<BasicBlock *, 2> arms;
    for (BasicBlock *block : conditional.chain)
        for (BasicBlock *target : successors(block))
            if (!is_contained(conditional.chain, target) && !is_contained(arms, target) &&
                onlyEnteredFrom(target, conditional) && !loops.isLoopHeader(target))
                arms.push_back(target);
    sort(arms, [&](BasicBlock *a, BasicBlock *b) { return layout(a) < layout(b); });
    BasicBlock *rest = nullptr;
    if (arms.size() == 2 && !isSelect(conditional))
        rest = continuation(conditional, arms[0], arms[1]);
    BasicBlock *joined = merge(conditional);
    // flang jumps straight to the target of `if (c) cycle` or `exit`: what is left is the rest.
    for (BasicBlock *target : successors(conditional.chain[0]))
        joined = joined || is_contained(arms, target) ? joined : target;
    if (arms.size() == 1 && fortran && joined && isJumpTarget(joined, conditional.chain[0]) &&
        !endsLikeArm(arms[0], joined, conditional))
        rest = arms[0];
    for (BasicBlock *arm : arms)
        if (arm != rest)
            conditional.arms.push_back(arm);
    return !isExpression(conditional);
}

bool Structure::findSwitchArms(Conditional &conditional)
{
    BasicBlock *block = conditional.chain[0];
    auto *choice = cast<SwitchInst>(block->getTerminator());
    const auto *from = dyn_cast<LoadInst>(choice->getCondition());
    if (!choice->getDebugLoc() || (from && !from->getDebugLoc()))
        return false; // the compiler's own, to leave nested scopes
    BasicBlock *end = nullptr, *other = choice->getDefaultDest();
    for (const DomTreeNode *child : dominators.getNode(block)->children())
        if (!is_contained(successors(block), child->getBlock()))
            end = child->getBlock();
    if (!end && (!other->getSinglePredecessor() || succ_size(block) > 1))
        end = other;
    for (BasicBlock *target : successors(block))
        if (target != end && !is_contained(conditional.arms, target) &&
            dominators.getNode(target)->getIDom()->getBlock() == block)
            conditional.arms.push_back(target);
    sort(conditional.arms, [&](BasicBlock *a, BasicBlock *b) { return layout(a) < layout(b); });
    return true;
}

// Looks for a loop, a call worth a vertex, or a line other than sameLine (if it is not 0).
bool Structure::hasVertices(const BasicBlock *arm, const BasicBlock *merge, unsigned sameLine) const
{
    SmallVector<const DomTreeNode *, 8> open{dominators.getNode(arm)};
    while (!open.empty()) {
        const DomTreeNode *node = open.pop_back_val();
        if (node->getBlock() == merge)
            continue;
        if (loops.isLoopHeader(node->getBlock()))
            return true;
        for (const Instruction &instruction : *node->getBlock()) {
            const auto *call = dyn_cast<CallBase>(&instruction);
            if (call && calls.kind(*call) != CallKind::None)
                return true;
            const DILocation *at = locationOf(instruction);
            if (sameLine && at && at->getLine() && at->getLine() != sameLine)
                return true;
        }
        open.append(node->begin(), node->end());
    }
    return false;
}

// ?: and && as values meet in a phi; flang makes conditionals of its own within one line. Both
// are computation unless there is something in them worth seeing.
bool Structure::isExpression(const Conditional &conditional) const
{
    const BasicBlock *joined = merge(conditional);
    const DILocation *at = locationOf(*conditional.chain[0]->getTerminator());
    bool phi = joined && !loops.isLoopHeader(joined) && isa<PHINode>(joined->front());
    unsigned line = !phi && fortran && at ? at->getLine() : 0;
    if (!phi && !line)
        return !at;
    return none_of(conditional.arms,
                   [&](const BasicBlock *arm) { return hasVertices(arm, joined, line); });
}

} // namespace scalana
