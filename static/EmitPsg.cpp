#include "Psg.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

static cl::opt<unsigned> maxLoopDepth("scalana-max-loop-depth",
                                      cl::desc("Loops kept when the graph is contracted"),
                                      cl::init(SCA_PSG_DEFAULT_DEPTH));

namespace scalana
{

using Bytes = std::vector<uint8_t>;

template <typename Put> static Bytes encode(Put put)
{
    sca_writer w;
    sca_writer_init(&w, nullptr, 0);
    put(&w);
    Bytes bytes(w.length);
    sca_writer_init(&w, bytes.data(), bytes.size());
    put(&w);
    return bytes;
}

// "std::vector::push_back" for std::vector<int, ...>::push_back: arguments would fill lines.
static std::string withoutArguments(StringRef name)
{
    std::string result;
    int depth = 0;
    for (size_t i = 0; i < name.size(); i++) {
        bool symbol = name.substr(0, i).ends_with("operator") ||
                      name.substr(0, i).ends_with("operator<") ||
                      name.substr(0, i).ends_with("operator-");
        depth += name[i] == '<' && !symbol;
        if (!depth)
            result += name[i];
        depth -= name[i] == '>' && !symbol && depth;
    }
    return depth ? name.str() : result;
}

static std::string readableName(const Function &function)
{
    ItaniumPartialDemangler demangler;
    std::string linkage = function.getName().str();
    if (!demangler.partialDemangle(linkage.c_str()) && demangler.isFunction())
        if (char *name = demangler.getFunctionName(nullptr, nullptr)) {
            std::string result = withoutArguments(name);
            free(name);
            return result;
        }
    const DISubprogram *subprogram = function.getSubprogram();
    return subprogram && !subprogram->getName().empty() ? subprogram->getName().str() : linkage;
}

// The function as include/sca_psg.h has it; keeps the strings and arrays it points to.
class Encoded
{
  public:
    explicit Encoded(const FunctionGraph &graph)
        : linkage(graph.function->getName()), name(readableName(*graph.function))
    {
        for (const Node *node : graph.order)
            addVertex(*node);
        for (const std::string &path : paths)
            files.push_back(path.c_str());
        function.linkage = linkage.c_str();
        function.name = name.c_str();
        function.local = graph.function->hasLocalLinkage();
        function.nfiles = files.size();
        function.files = files.data();
        function.nvertices = vertices.size();
        function.vertices = vertices.data();
        function.key = sca_psg_function_key(&function);
    }
    Encoded(const Encoded &) = delete;
    sca_function function = {};
    std::vector<std::string> paths;

  private:
    void addVertex(const Node &node)
    {
        sca_vertex vertex = {};
        vertex.kind = node.kind;
        vertex.flags = node.flags;
        vertex.arm = node.arm;
        vertex.parent = node.parent ? node.parent->index : 0;
        vertex.file = fileIndex(filePath(node.file));
        vertex.line = node.line;
        vertex.end_line = node.endLine;
        vertex.callee = node.callee.c_str();
        vertices.push_back(vertex);
    }
    uint32_t fileIndex(const std::string &path)
    {
        auto known = std::find(paths.begin(), paths.end(), path);
        if (known == paths.end())
            known = paths.insert(known, path);
        return known - paths.begin();
    }
    std::string linkage, name;
    std::vector<const char *> files;
    std::vector<sca_vertex> vertices;
};

// Printable bytes as they are: the assembler reads one string faster than numbers.
static void appendAscii(raw_ostream &out, const Bytes &bytes)
{
    const size_t perLine = 512;
    for (size_t first = 0; first < bytes.size(); first += perLine) {
        out << ".ascii \"";
        for (size_t i = first; i < std::min(first + perLine, bytes.size()); i++) {
            uint8_t byte = bytes[i];
            if (isPrint(byte) && byte != '"' && byte != '\\')
                out << char(byte);
            else
                out << '\\' << char('0' + (byte >> 6)) << char('0' + (byte >> 3 & 7))
                    << char('0' + (byte & 7));
        }
        out << "\"\n";
    }
}

static void append(Bytes &to, const Bytes &more)
{
    to.insert(to.end(), more.begin(), more.end());
}

static Bytes packed(const Bytes &records)
{
    // Not encode(): packing twice to learn the size would cost the compilation.
    Bytes result(records.size());
    sca_writer w;
    sca_writer_init(&w, result.data(), result.size());
    sca_psg_put_packed(&w, records.data(), records.size());
    result.resize(w.length);
    return result;
}

static sca_unit describeUnit(const Module &module, const Graphs &graphs, std::string &source,
                             std::vector<sca_unit_entry> &entries)
{
    const DICompileUnit *first = nullptr;
    for (const DICompileUnit *unit : module.debug_compile_units())
        first = first ? first : unit;
    source = first ? filePath(first->getFile()) : module.getSourceFileName();
    for (const auto &graph : graphs)
        if (graph->firstId)
            entries.push_back({graph->key, graph->firstId});
    // One source compiled twice with other flags gives two units, unless nothing differs.
    uint64_t hash = sca_psg_hash(SCA_PSG_HASH_SEED, source.data(), source.size());
    for (const sca_unit_entry &entry : entries) {
        hash = sca_psg_hash(hash, &entry.key, sizeof entry.key);
        hash = sca_psg_hash(hash, &entry.first_id, sizeof entry.first_id);
    }
    return {hash, source.c_str(), maxLoopDepth, uint32_t(entries.size()), entries.data()};
}

static Bytes encodeAliases(const Module &module)
{
    Bytes bytes;
    for (const GlobalAlias &alias : module.aliases()) {
        const auto *target = dyn_cast_or_null<Function>(alias.getAliaseeObject());
        if (!target)
            continue;
        std::string linkage = alias.getName().str(), name = target->getName().str();
        sca_alias record = {linkage.c_str(), name.c_str()};
        append(bytes, encode([&](sca_writer *w) { sca_psg_put_alias(w, &record); }));
    }
    return bytes;
}

uint64_t emitPsg(Module &module, Graphs &graphs)
{
    std::string assembly, source;
    raw_string_ostream out(assembly);
    std::set<std::string> texts, own;
    std::vector<sca_unit_entry> entries;
    Bytes records;
    for (auto &graph : graphs) {
        Encoded encoded(*graph);
        graph->key = encoded.function.key;
        texts.insert(encoded.paths.begin(), encoded.paths.end());
        own.insert(encoded.function.linkage);
        for (const Node *node : graph->order)
            texts.insert(node->callee);
        Bytes record = encode([&](sca_writer *w) { sca_psg_put_function(w, &encoded.function); });
        append(records, record);
    }
    sca_unit unit = describeUnit(module, graphs, source, entries);
    append(records, encode([&](sca_writer *w) { sca_psg_put_unit(w, &unit); }));
    for (const std::string &text : texts)
        if (!text.empty() && !own.count(text))
            append(records, encode([&](sca_writer *w) { sca_psg_put_text(w, text.c_str()); }));
    append(records, encodeAliases(module));
    out << ".pushsection " SCA_PSG_SECTION ",\"\",@progbits\n";
    appendAscii(out, packed(records));
    out << ".popsection\n";
    module.appendModuleInlineAsm(out.str());
    return unit.hash;
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
