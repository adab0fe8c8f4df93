#include "pass/Psg.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<unsigned> maxLoopDepth("scalana-max-loop-depth",
                                      cl::desc("Loops kept when the graph is contracted"),
                                      cl::init(SCA_PSG_DEFAULT_DEPTH));

namespace scalana
{

using Bytes = std::vector<uint8_t>;

static bool isBracket(char c)
{
    return c == '(' || c == ')' || c == '<' || c == '>';
}

// Whether the bracket at `i` is part of a name: of an operator's or of the anonymous namespace's.
static bool isPartOfName(StringRef name, size_t i)
{
    StringRef before = name.substr(0, i);
    if (name[i] == '(' || name[i] == ')')
        return before.ends_with("operator") || before.ends_with("operator(") ||
               name.substr(i).starts_with("(anonymous namespace)") ||
               before.ends_with("(anonymous namespace");
    return before.ends_with("operator") || before.ends_with("operator<") ||
           before.ends_with("operator-");
}

// "std::vector::push_back" for std::vector<int, ...>::push_back, "A::run::$_0::operator()" for
// A::run(int, double*) const::$_0::operator(): arguments would fill lines.
static std::string withoutArguments(StringRef name)
{
    std::string result;
    int depth = 0;
    for (size_t i = 0, next; i < name.size(); i = next) { // from bracket to bracket
        next = find_if(name.substr(i), isBracket) - name.begin();
        if (!depth)
            result.append(name.data() + i, next - i);
        if (next == name.size())
            break;
        bool part = isPartOfName(name, next), opens = name[next] == '<' || name[next] == '(';
        depth += opens && !part;
        if (!depth)
            result += name[next];
        depth -= !opens && !part && depth;
        next += name.substr(next).starts_with(") const::") ? strlen(") const") : 1;
    }
    return depth ? name.str() : result;
}

// A C++ function as the source has it, without arguments; empty: it is none.
static std::string demangled(StringRef linkage, ItaniumPartialDemangler &demangler)
{
    std::string mangled = linkage.str(); // the demangler looks into it later, too
    char *name = nullptr;
    if (!demangler.partialDemangle(mangled.c_str()) && demangler.isFunction())
        name = demangler.getFunctionName(nullptr, nullptr);
    std::string result = name ? withoutArguments(name) : "";
    free(name);
    return result;
}

static std::string describedName(const Function *function)
{
    const DISubprogram *subprogram = function ? function->getSubprogram() : nullptr;
    return subprogram ? subprogram->getName().str() : "";
}

// The outlined body of a parallel region is called "<linkage name>.omp_outlined", in Fortran
// "<linkage name>..omp_par", perhaps with more behind it, which is not part of a mangled name.
static std::string readableName(const Function &function, ItaniumPartialDemangler &demangler)
{
    static const StringRef outlined = ".omp_outlined", outlinedFortran = "..omp_par";
    StringRef linkage = function.getName();
    StringRef origin = linkage.split(outlined).first;
    std::string name = demangled(origin, demangler);
    if (!name.empty())
        return origin == linkage ? name : name + outlined.str();
    origin = linkage.split(outlinedFortran).first;
    name = origin == linkage ? "" : describedName(function.getParent()->getFunction(origin));
    if (!name.empty())
        return name + outlined.str();
    name = describedName(&function);
    return name.empty() ? linkage.str() : name;
}

// The paths of source files: the front end has one DIFile for many vertices.
class Paths
{
  public:
    const std::string &of(const DIFile *file)
    {
        auto [known, isNew] = paths.try_emplace(file);
        if (isNew)
            known->second = std::make_unique<std::string>(filePath(file));
        return *known->second;
    }

  private:
    DenseMap<const DIFile *, std::unique_ptr<std::string>> paths;
};

// The function as include/sca_psg.h has it; keeps the strings and arrays it points to.
class Encoded
{
  public:
    Encoded(const FunctionGraph &graph, ItaniumPartialDemangler &demangler, Paths &paths)
        : linkage(graph.function->getName()), name(readableName(*graph.function, demangler)),
          paths(paths)
    {
        vertices.reserve(graph.order.size());
        for (const Node *node : graph.order)
            addVertex(*node);
        function.linkage = linkage.c_str();
        function.name = name.c_str();
        function.local = graph.function->hasLocalLinkage();
        function.nfiles = files.size();
        function.files = files.data();
        function.nvertices = vertices.size();
        function.vertices = vertices.data();
    }
    Encoded(const Encoded &) = delete;
    sca_function function = {};

  private:
    void addVertex(const Node &node)
    {
        sca_vertex vertex = {};
        vertex.kind = node.kind;
        vertex.flags = node.flags;
        vertex.arm = node.arm;
        vertex.parent = node.parent ? node.parent->index : 0;
        vertex.file = fileIndex(node.file);
        vertex.line = node.line;
        vertex.end_line = node.endLine;
        vertex.callee = node.callee.data();
        vertices.push_back(vertex);
    }
    uint32_t fileIndex(const DIFile *file)
    {
        if (!vertices.empty() && file == lastFile)
            return vertices.back().file;
        lastFile = file;
        const std::string &path = paths.of(file);
        auto known = find_if(files, [&](const char *other) { return path == other; });
        if (known == files.end())
            known = files.insert(known, path.c_str());
        return known - files.begin();
    }
    std::string linkage, name;
    std::vector<const char *> files;
    Paths &paths;
    const DIFile *lastFile = nullptr;
    std::vector<sca_vertex> vertices;
};

// Printable bytes as they are: the assembler reads one string faster than numbers.
static void appendAscii(std::string &out, const Bytes &bytes)
{
    const size_t perLine = 512;
    out.reserve(out.size() + bytes.size() * 4);
    for (size_t first = 0; first < bytes.size(); first += perLine) {
        out += ".ascii \"";
        for (size_t i = first; i < std::min(first + perLine, bytes.size()); i++) {
            uint8_t byte = bytes[i];
            if (isPrint(byte) && byte != '"' && byte != '\\')
                out += char(byte);
            else
                out.append({'\\', char('0' + (byte >> 6)), char('0' + (byte >> 3 & 7)),
                            char('0' + (byte & 7))});
        }
        out += "\"\n";
    }
}

static Bytes packed(const Bytes &records)
{
    // Not encode(): packing twice to learn the size would cost the compilation.
    Bytes result(records.size());
    sca_writer w;
    sca_wire_writer_init(&w, result.data(), result.size());
    sca_psg_put_packed(&w, records.data(), records.size());
    result.resize(w.length);
    return result;
}

static std::string sourceOf(const Module &module)
{
    for (const DICompileUnit *unit : module.debug_compile_units())
        return filePath(unit->getFile());
    return module.getSourceFileName();
}

static void putAliases(sca_psg_output &out, const Module &module)
{
    for (const GlobalAlias &alias : module.aliases()) {
        const auto *target = dyn_cast_or_null<Function>(alias.getAliaseeObject());
        if (!target)
            continue;
        std::string linkage = alias.getName().str(), name = target->getName().str();
        sca_alias record = {linkage.c_str(), name.c_str()};
        sca_psg_put_alias(&out, &record);
    }
}

uint64_t emitPsg(Module &module, Graphs &graphs)
{
    sca_psg_output out = {};
    Paths paths;
    ItaniumPartialDemangler demangler; // one for all: it keeps its memory
    for (auto &graph : graphs) {
        Encoded encoded(*graph, demangler, paths);
        sca_psg_put_function(&out, &encoded.function, graph->firstId != 0);
    }
    putAliases(out, module);
    std::string source = sourceOf(module);
    Bytes unit(sca_psg_unit_size(&out, source.c_str()));
    sca_writer w;
    sca_wire_writer_init(&w, unit.data(), unit.size());
    uint64_t hash = sca_psg_put_unit(&w, &out, source.c_str(), maxLoopDepth);
    sca_psg_output_free(&out);
    unit.resize(w.failed ? 0 : w.length);
    std::string assembly = ".pushsection " SCA_PSG_SECTION ",\"\",@progbits\n";
    appendAscii(assembly, packed(unit));
    assembly += ".popsection\n";
    module.appendModuleInlineAsm(assembly);
    return hash;
}

void keepDiscriminators(Module &module)
{
    const unsigned first = 4;
    const char flag[] = "Dwarf Version"; // 0 where other debug information is written
    if (module.getDwarfVersion() < first)
        module.setModuleFlag(Module::Max, flag, first);
}

void tagProducer(Module &module, uint64_t hash)
{
    const unsigned producerOperand = 1;
    std::string tag = SCA_PRODUCER_PREFIX;
    std::string digits = utohexstr(hash, true);
    tag += std::string(16 - digits.size(), '0') + digits;
    for (DICompileUnit *unit : module.debug_compile_units()) {
        std::string producer = unit->getProducer().str();
        producer += (producer.empty() ? "" : " ") + tag;
        unit->replaceOperandWith(producerOperand, MDString::get(module.getContext(), producer));
    }
}

bool isTagged(const Module &module)
{
    for (const DICompileUnit *unit : module.debug_compile_units())
        if (unit->getProducer().contains(SCA_PRODUCER_PREFIX))
            return true;
    return false;
}

} // namespace scalana
