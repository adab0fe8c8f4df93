#include "code_file.h"
#include "container.h"

#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1, SYMBOLS, STRINGS, NSECTIONS, MOST_FUNCTIONS = 64, AT = 0x400000 };

/* Names by their offset: .text, .symtab, .strtab, what does not come back, a part. */
static const char strings[] = "\0.text\0.symtab\0.strtab\0abort\0f.cold";
enum { TEXT_NAME = 1, SYMBOLS_NAME = 7, STRINGS_NAME = 15, ABORT_NAME = 23, COLD_NAME = 29 };

struct code_file {
    Elf64_Ehdr head;
    Elf64_Shdr sections[NSECTIONS];
    Elf64_Sym symbols[MOST_FUNCTIONS + 1];
    char strings[sizeof strings];
};

static void fill_head(struct code_file *f, uint8_t kind)
{
    memcpy(f->head.e_ident, ELFMAG, SELFMAG);
    f->head.e_ident[EI_CLASS] = ELFCLASS64;
    f->head.e_ident[EI_DATA] = ELFDATA2LSB;
    f->head.e_ident[EI_VERSION] = f->head.e_version = EV_CURRENT;
    f->head.e_type = ET_EXEC;
    f->head.e_machine = kind & 1 ? EM_AARCH64 : EM_X86_64;
    f->head.e_entry = AT;
    f->head.e_shoff = offsetof(struct code_file, sections);
    f->head.e_ehsize = sizeof f->head;
    f->head.e_shentsize = sizeof *f->sections;
    f->head.e_shnum = NSECTIONS;
    f->head.e_shstrndx = STRINGS;
}

static void fill_symbols(struct code_file *f, uint64_t apart, uint64_t size)
{
    static const uint32_t names[] = {TEXT_NAME, TEXT_NAME, TEXT_NAME, COLD_NAME,
                                     TEXT_NAME, TEXT_NAME, TEXT_NAME, ABORT_NAME};
    uint32_t count = 0;
    for (uint64_t at = 0; at < size && count < MOST_FUNCTIONS; at += apart) {
        Elf64_Sym *s = &f->symbols[++count];
        s->st_name = names[count % 8];
        s->st_info = ELF64_ST_INFO(count % 3 ? STB_LOCAL : STB_GLOBAL, STT_FUNC);
        s->st_shndx = TEXT;
        s->st_value = AT + at;
        s->st_size = at + apart < size ? apart : size - at;
    }
    f->sections[SYMBOLS].sh_size = (count + 1) * sizeof *f->symbols;
}

static void fill_sections(struct code_file *f, uint64_t size, uint8_t kind)
{
    Elf64_Shdr *text = &f->sections[TEXT], *table = &f->sections[SYMBOLS],
               *words = &f->sections[STRINGS];
    *text = (Elf64_Shdr){.sh_name = TEXT_NAME,
                         .sh_type = SHT_PROGBITS,
                         .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                         .sh_addr = AT,
                         .sh_offset = sizeof *f,
                         .sh_size = size};
    *table = (Elf64_Shdr){.sh_name = SYMBOLS_NAME,
                          .sh_type = kind & 2 ? SHT_DYNSYM : SHT_SYMTAB,
                          .sh_offset = offsetof(struct code_file, symbols),
                          .sh_size = sizeof f->symbols,
                          .sh_link = STRINGS,
                          .sh_entsize = sizeof *f->symbols};
    *words = (Elf64_Shdr){.sh_name = STRINGS_NAME,
                          .sh_type = SHT_STRTAB,
                          .sh_offset = offsetof(struct code_file, strings),
                          .sh_size = sizeof f->strings};
}

void fuzz_write_code(const char *name, const uint8_t *data, size_t size)
{
    struct code_file head = {0}, *file = &head;
    uint64_t length = size > 2 ? size - 2 : 0;
    uint8_t *bytes = malloc(sizeof head + length);
    if (!bytes)
        abort();
    fill_head(file, size ? data[0] : 0);
    fill_sections(file, length, size ? data[0] : 0);
    fill_symbols(file, (size > 1 ? data[1] : 0) * 4 + 4, length);
    memcpy(head.strings, strings, sizeof strings);
    memcpy(bytes, &head, sizeof head);
    if (length)
        memcpy(bytes + sizeof head, data + 2, length);
    fuzz_write(name, bytes, sizeof head + length);
    free(bytes);
}
