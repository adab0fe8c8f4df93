/* Functions by the symbol table: for code without debug information. */
#include "module.h"
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

static int add_symbol(struct sca_binary *b, const GElf_Sym *symbol, const char *name,
                      size_t *capacity)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF || !name ||
        !*name)
        return SCA_OK;
    if (sca_grow(&b->symbols, sizeof *b->symbols, b->nsymbols, capacity))
        return SCA_ENOMEM;
    b->symbols[b->nsymbols++] = (struct sca_symbol){symbol->st_value, symbol->st_size, name};
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
            if (add_symbol(b, &symbol, elf_strptr(elf, header.sh_link, symbol.st_name), &capacity))
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

/* Cuts "(int, char)" off, but not out of "operator()" or a lambda's "{lambda(int)#1}". */
static void cut_parameters(char *name)
{
    size_t length = strlen(name), depth = 0, i = length;
    while (i > 0 && name[i - 1] != ')')
        i--;
    for (; i > 0; i--) {
        depth += name[i - 1] == ')';
        if (name[i - 1] == '(' && --depth == 0)
            break;
    }
    if (i > 1 && !(i >= 9 && !strncmp(name + i - 9, "operator", 8)))
        name[i - 1] = '\0';
}

const char *sca_binary_demangle(struct sca_binary *b, const char *linkage)
{
    int status = -1;
    char *plain = strncmp(linkage, "_Z", 2) ? NULL : __cxa_demangle(linkage, NULL, NULL, &status);
    if (status || !plain) {
        free(plain);
        return sca_arena_string(&b->arena, linkage);
    }
    cut_parameters(plain);
    const char *copy = sca_arena_string(&b->arena, plain);
    free(plain);
    return copy;
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
    if (s->size && address - s->address >= s->size)
        return NULL;
    return s;
}
