/* Objects by the symbol table: what lies at an address that is no code. */
#include "sca_binary.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

static bool holds(const GElf_Sym *s, uint64_t address)
{
    int type = GELF_ST_TYPE(s->st_info);
    bool object = type == STT_OBJECT || type == STT_COMMON || type == STT_NOTYPE;
    return object && s->st_shndx != SHN_UNDEF && address >= s->st_value &&
           address - s->st_value < s->st_size;
}

/* The smallest that holds it; of equal ones the first. */
static const char *find_in(Elf *elf, uint32_t type, uint64_t address, uint64_t *offset)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    GElf_Sym symbol;
    const char *name = NULL;
    uint64_t size = UINT64_MAX;
    while (elf && (section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, &header) || header.sh_type != type || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
            const char *text = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (!text || !*text || symbol.st_size >= size || !holds(&symbol, address))
                continue;
            name = text;
            size = symbol.st_size;
            *offset = address - symbol.st_value;
        }
    }
    return name;
}

const char *sca_binary_object(struct sca_binary *b, uint64_t address, uint64_t *offset)
{
    const char *name = find_in(b->elf, SHT_SYMTAB, address, offset);
    name = name ? name : find_in(b->debug_elf, SHT_SYMTAB, address, offset);
    return name ? name : find_in(b->elf, SHT_DYNSYM, address, offset);
}
