#include "pass/Psg.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace scalana
{

// MPI reserves the prefix: MPI_Send, PMPI_Send; in Fortran mpi_send_, mpi_send_f08_, MPI_SEND.
static bool isMpiName(StringRef name)
{
    name.consume_front("P") || name.consume_front("p");
    if (name.consume_front("MPI_"))
        return !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
    return name.consume_front("mpi_") && name.ends_with("_");
}

// MPI's clock: a reading is computation. Were it an MPI vertex, a timer round a loop's body would
// make that loop one that communicates.
static bool isClock(StringRef name)
{
    name.consume_front("P") || name.consume_front("p");
    return name.starts_with_insensitive("mpi_wtime") || name.starts_with_insensitive("mpi_wtick");
}

// Run-time systems of the languages: part of the computation around them.
static bool isRuntimeName(StringRef name)
{
    static const char *const prefixes[] = {"_Fortran", "__cxa_",  "_Unwind_", "__gxx_", "__clang_",
                                           "__kmpc_",  "omp_",    "kmp_",     "_ZNSt",  "_ZNKSt",
                                           "_ZSt",     "_ZNSo",   "_ZNSi",    "_ZNSs",  "_ZNKSs",
                                           "__assert", "__stack", "__errno",  "__ctype"};
    for (StringRef prefix : prefixes)
        if (name.starts_with(prefix))
            return true;
    static const char *const names[] = {
        "rand",        "srand",         "random",       "srandom",    "drand48", "srand48",
        "clock",       "time",          "exit",         "abort",      "_exit",   "getopt",
        "getopt_long", "clock_gettime", "getpid",       "sleep",      "usleep",  "getrusage",
        "nanosleep",   "gethostname",   "gettimeofday", "sched_yield"};
    return is_contained(names, name);
}

Calls::Calls(Module &module, function_ref<const TargetLibraryInfo &(Function &)> library)
    : library(library)
{
    terminate = module.getFunction("__clang_call_terminate");
    parallel = module.getFunction("__kmpc_fork_call");
    task = module.getFunction("__kmpc_omp_task_alloc");
    for (const Function &function : module) {
        CallList *list = function.isDeclaration() ? nullptr : &callsOf[&function];
        for (const Instruction &instruction : instructions(function))
            if (const auto *call = dyn_cast<CallBase>(&instruction))
                if (kind(*call) != CallKind::None)
                    list->push_back(call);
    }
    findDetails(module);
    // A definition that the linker may replace by another is not known.
    bool semantic = module.getSemanticInterposition(); // slow to ask, as isInterposable() does
    for (const auto &[function, list] : callsOf)
        if (GlobalValue::isInterposableLinkage(function->getLinkage()) ||
            (semantic && !function->isDSOLocal()))
            reaches[function] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Function &function : module)
            if (!function.isDeclaration() && !reaches.lookup(&function) &&
                any_of(callsOf[&function],
                       [&](const CallBase *call) { return mayReachMpi(*call); }))
                changed = reaches[&function] = true;
    }
}

static bool isStandardLibrary(const Function &function)
{
    StringRef name = function.getName();
    for (StringRef prefix : {"_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZNSa",
                             "_ZNKSa", "_ZNSs", "_ZNKSs"})
        if (name.starts_with(prefix))
            return function.isDiscardableIfUnused();
    return false;
}

static bool hasLoop(const Function &function)
{
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> edges;
    FindFunctionBackedges(function, edges);
    return !edges.empty();
}

// What flang writes in place of a call of its run-time library: SUM, MAXVAL and the like.
static bool isIntrinsic(const Function &function)
{
    return function.getName().starts_with("_Fortran");
}

// Of the standard library: no loop of its own, and calls to nothing but the like.
void Calls::findDetails(const Module &module)
{
    for (const Function &function : module)
        if (!function.isDeclaration() &&
            (isIntrinsic(function) || (isStandardLibrary(function) && !hasLoop(function))))
            details.insert(&function);
    for (bool changed = true; changed;) {
        SmallVector<const Function *, 16> out;
        for (const Function *function : details)
            if (any_of(callsOf[function],
                       [&](const CallBase *call) { return kind(*call) != CallKind::None; }))
                out.push_back(function);
        for (const Function *function : out)
            details.erase(function);
        changed = !out.empty();
    }
}

bool Calls::isDetail(const Function &function) const
{
    return details.contains(&function);
}

// What every call of a function that nobody else can call gives it for this.
static const Value *alwaysGiven(const Argument &argument)
{
    const Value *given = nullptr;
    const Function *function = argument.getParent();
    for (const Use &use : function->uses()) {
        const auto *call = dyn_cast<CallBase>(use.getUser());
        if (!function->hasLocalLinkage() || !call || !call->isCallee(&use) ||
            call->arg_size() <= argument.getArgNo())
            return nullptr;
        const Value *value = call->getArgOperand(argument.getArgNo());
        if (given && given != value)
            return nullptr;
        given = value;
    }
    return given;
}

// The argument that a front end's variable holds, if it never holds anything else.
static const Argument *argumentIn(const Value *variable)
{
    const StoreInst *only = nullptr;
    if (!isa<AllocaInst>(variable))
        return nullptr;
    for (const User *user : variable->users()) {
        const auto *store = dyn_cast<StoreInst>(user);
        const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
        bool harmless = isa<LoadInst>(user) || (intrinsic && intrinsic->isAssumeLikeIntrinsic());
        if (store && store->getPointerOperand() == variable && !only)
            only = store;
        else if (!harmless)
            return nullptr;
    }
    return only ? dyn_cast<Argument>(only->getValueOperand()) : nullptr;
}

// The function that a pointer is known to be.
static const GlobalValue *pointedTo(const Value *pointer)
{
    const auto *load = dyn_cast<LoadInst>(pointer);
    const auto *argument =
        load ? argumentIn(load->getPointerOperand()) : dyn_cast<Argument>(pointer);
    const Value *given = argument ? alwaysGiven(*argument) : nullptr;
    return given ? dyn_cast<Function>(given->stripPointerCasts()) : nullptr;
}

// The function behind casts and aliases; for OpenMP's fork, or a task, the body it runs.
const GlobalValue *Calls::target(const CallBase &call) const
{
    const Value *callee = call.getCalledOperand();
    const auto *value = dyn_cast<GlobalValue>(callee);
    if (!value)
        value = dyn_cast<GlobalValue>(callee->stripPointerCasts());
    unsigned body = value && value == parallel ? 2 : value && value == task ? 5 : 0;
    if (body && call.arg_size() > body)
        return dyn_cast<GlobalValue>(call.getArgOperand(body)->stripPointerCasts());
    return value ? value : pointedTo(callee);
}

bool Calls::isLibrary(const Function &function) const
{
    LibFunc ignored;
    auto [known, isNew] = libraries.try_emplace(&function, false);
    if (isNew)
        known->second = isRuntimeName(function.getName()) ||
                        library(const_cast<Function &>(function)).getLibFunc(function, ignored);
    return known->second;
}

CallKind Calls::kind(const CallBase &call) const
{
    if (call.isInlineAsm() || isa<IntrinsicInst>(call))
        return CallKind::None;
    const GlobalValue *value = target(call);
    if (!value)
        return CallKind::Indirect;
    const auto *function = dyn_cast<Function>(value);
    if (value == terminate)
        return CallKind::None;
    if (function && details.contains(function))
        return CallKind::None;
    if (!function || !function->isDeclaration())
        return CallKind::User;
    if (isMpiName(function->getName()))
        return isClock(function->getName()) ? CallKind::None : CallKind::Mpi;
    return isLibrary(*function) ? CallKind::None : CallKind::User;
}

StringRef Calls::callee(const CallBase &call) const
{
    const GlobalValue *value = target(call);
    return value && value->hasName() ? value->getName() : "";
}

bool Calls::mayReachMpi(const CallBase &call) const
{
    CallKind what = kind(call);
    if (what != CallKind::User)
        return what != CallKind::None;
    const GlobalValue *value = target(call);
    if (const auto *alias = dyn_cast<GlobalAlias>(value))
        value = alias->getAliaseeObject();
    const auto *function = dyn_cast_or_null<Function>(value);
    if (!function || function->isDeclaration())
        return !function || !function->doesNotAccessMemory();
    return reaches.lookup(function);
}

bool isFortran(const Function &function)
{
    const DISubprogram *subprogram = function.getSubprogram();
    const DICompileUnit *unit = subprogram ? subprogram->getUnit() : nullptr;
    if (!unit)
        return false;
#if LLVM_VERSION_MAJOR >= 22
    if (unit->getSourceLanguage().hasVersionedName()) // DWARF 6
        return unit->getSourceLanguage().getName() == dwarf::DW_LNAME_Fortran;
    unsigned language = unit->getSourceLanguage().getName();
#else
    unsigned language = unit->getSourceLanguage();
#endif
    return dwarf::isFortran(static_cast<dwarf::SourceLanguage>(language));
}

} // namespace scalana
