/* Functions by the symbol table: for code without debug information. */
#include "sca_binary.h"
#include "sca_error.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Of the C++ runtime; its header is C++ only. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

static int by_address(const void *a, const void *b)
{
    const struct sca_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return strcmp(x->name, y->name);
}

static uint64_t section_end(Elf *elf, const GElf_Sym *symbol)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(elf, symbol->st_shndx);
    return section && gelf_getshdr(section, &header) ? header.sh_addr + header.sh_size : 0;
}

static int add_symbol(struct sca_binary *b, Elf *elf, const GElf_Sym *symbol, const char *name,
                      size_t *capacity)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF || !name ||
        !*name)
        return SCA_OK;
    if (sca_arena_grow(&b->symbols, sizeof *b->symbols, b->nsymbols, capacity))
        return SCA_ENOMEM;
    b->symbols[b->nsymbols++] =
        (struct sca_symbol){symbol->st_value, symbol->st_size, name,
                            GELF_ST_BIND(symbol->st_info) == STB_LOCAL, section_end(elf, symbol)};
    return SCA_OK;
}

static void read_table(struct sca_binary *b, Elf *elf, uint32_t type)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t capacity = 0;
    while (!b->nsymbols && elf && (section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, &header) || header.sh_type != type || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Sym symbol;
        for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
            if (add_symbol(b, elf, &symbol, elf_strptr(elf, header.sh_link, symbol.st_name),
                           &capacity))
                return;
    }
}

static void read_symbols(struct sca_binary *b)
{
    b->symbols_read = true;
    read_table(b, b->elf, SHT_SYMTAB);
    read_table(b, b->debug_elf, SHT_SYMTAB);
    read_table(b, b->elf, SHT_DYNSYM);
    if (b->nsymbols)
        qsort(b->symbols, b->nsymbols, sizeof *b->symbols, by_address);
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Length of an operator's name, "operator<=" or "operator bool", or of the anonymous namespace's:
 * what looks like brackets and spaces there belongs to the name. */
static size_t whole_word(const char *text)
{
    if (starts(text, "(anonymous namespace)"))
        return strlen("(anonymous namespace)");
    if (!starts(text, "operator"))
        return 0;
    size_t length = strlen("operator");
    if (starts(text + length, "()"))
        return length + 2;
    bool angled = text[length] == '<' || text[length] == '>';
    length += strspn(text + length, angled ? "<>=" : "->=[]*&|^~!+/%,");
    return text[length] == ' ' ? length + 1 : length;
}

/* Behind the arguments of a function that holds what the name is of: "::Local::go" of
 * "f(int) const::Local::go". NULL: they end the name. */
static const char *behind_arguments(const char *text)
{
    int depth = 0;
    do {
        depth += (*text == '(') - (*text == ')');
        text += *text != '\0';
    } while (*text && depth > 0);
    text += starts(text, " const::") ? strlen(" const") : 0;
    return starts(text, "::") ? text : NULL;
}

/* The type that an operator converts to may have spaces: "operator char const*". */
static bool is_conversion(const char *name, size_t length)
{
    static const char word[] = "operator ";
    for (size_t i = length; i >= strlen(word); i--)
        if (!strncmp(name + i - strlen(word), word, strlen(word)))
            return true;
    return false;
}

/* "std::sort" of "void std::sort<double*>(double*, double*)", "f::{lambda}" of
 * "f(int)::{lambda(int)#1}": arguments would fill lines. */
static void shorten(const char *full, char *name)
{
    size_t out = 0, depth = 0, word;
    for (; *full; full++) {
        if (!depth && (word = whole_word(full))) {
            memcpy(name + out, full, word);
            out += word;
            full += word - 1;
        } else if (*full == '(' && !depth) {
            const char *behind = behind_arguments(full);
            if (!behind)
                break;
            full = behind - 1;
        } else if (*full == ' ' && !depth && !is_conversion(name, out)) {
            out = 0; /* that was the return type */
        } else if (starts(full, "{lambda(")) {
            memcpy(name + out, "{lambda}", depth ? 0 : 8);
            out += depth ? 0 : 8;
            full += strcspn(full, "}");
            full -= !*full;
        } else if (*full == '<' || *full == '(') {
            depth++;
        } else if (*full == '>' || *full == ')') {
            depth -= depth > 0;
        } else if (!depth) {
            name[out++] = *full;
        }
    }
    out -= out && name[out - 1] == ' '; /* "operator<< <char>" */
    name[out] = '\0';
}

char *sca_symbol_table_demangle(const char *linkage)
{
    int status;
    return starts(linkage, "_Z") ? __cxa_demangle(linkage, NULL, NULL, &status) : NULL;
}

char *sca_symbol_table_written(const char *linkage)
{
    char *full = sca_symbol_table_demangle(linkage);
    char *name = full ? malloc(strlen(full) + 1) : NULL;
    if (name)
        shorten(full, name);
    free(full);
    return name;
}

const char *sca_binary_shorten(struct sca_binary *b, const char *full)
{
    char *name = sca_arena_alloc(&b->arena, strlen(full) + 1, 1);
    if (name)
        shorten(full, name);
    return name && !*name ? strcpy(name, full) : name;
}

const char *sca_binary_demangle(struct sca_binary *b, const char *linkage)
{
    char *full = sca_symbol_table_demangle(linkage);
    const char *name = full ? sca_binary_shorten(b, full) : sca_arena_string(&b->arena, linkage);
    free(full);
    return name;
}

const struct sca_symbol *sca_binary_symbols(struct sca_binary *b, size_t *count)
{
    if (!b->symbols_read)
        read_symbols(b);
    *count = b->nsymbols;
    return b->symbols;
}

const struct sca_symbol *sca_binary_symbol(struct sca_binary *b, uint64_t address)
{
    if (!b->symbols_read)
        read_symbols(b);
    size_t low = 0, high = b->nsymbols;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return NULL;
    const struct sca_symbol *s = &b->symbols[low - 1];
    bool behind = s->size ? address - s->address >= s->size : s->end && address >= s->end;
    return behind ? NULL : s;
}

bool sca_binary_is_stub(struct sca_binary *b, uint64_t address)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;
    if (!b->elf || elf_getshdrstrndx(b->elf, &names))
        return false;
    while ((section = elf_nextscn(b->elf, section))) {
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(b->elf, names, header.sh_name) : NULL;
        if (name && starts(name, ".plt") && header.sh_flags & SHF_EXECINSTR &&
            address >= header.sh_addr && address - header.sh_addr < header.sh_size)
            return true;
    }
    return false;
}

bool sca_binary_is_symbol(struct sca_binary *b, uint64_t address, const char *name)
{
    const struct sca_symbol *last = sca_binary_symbol(b, address);
    for (const struct sca_symbol *s = last; s && s >= b->symbols && s->address == last->address;
         s--)
        if (!strcmp(s->name, name))
            return true;
    return false;
}
