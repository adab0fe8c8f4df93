#include "laid_file.h"
#include "check_main.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FILE = 1 << 16, FIRST = 1, MOST_HEADERS = MOST_SECTIONS + 3 };

struct image {
    uint8_t bytes[MOST_FILE];
    size_t used;
    Elf64_Shdr headers[MOST_HEADERS];
    unsigned nheaders;
    char names[MOST_NAMES];
    uint32_t nnames;
};

static uint32_t add_name(struct image *image, const char *name)
{
    uint32_t at = image->nnames;
    ck_assert_uint_lt(at + strlen(name), MOST_NAMES);
    strcpy(image->names + at, name);
    image->nnames += (uint32_t)strlen(name) + 1;
    return at;
}

static Elf64_Shdr *add_header(struct image *image, const char *name, uint32_t type,
                              const void *bytes, size_t size)
{
    Elf64_Shdr *header = &image->headers[image->nheaders++];
    ck_assert_uint_lt(image->used + size, MOST_FILE);
    *header = (Elf64_Shdr){.sh_name = add_name(image, name),
                           .sh_type = type,
                           .sh_offset = image->used,
                           .sh_size = size};
    memcpy(image->bytes + image->used, bytes, size);
    image->used = (image->used + size + 7) & ~7ul;
    return header;
}

static void add_sections(struct image *image, const struct laid_file *file)
{
    for (int i = 0; i < MOST_SECTIONS && file->sections[i].name; i++) {
        const struct laid_file_section *s = &file->sections[i];
        Elf64_Shdr *header = add_header(image, s->name, SHT_PROGBITS, s->bytes, s->size);
        header->sh_addr = s->address;
        header->sh_flags = (s->address ? SHF_ALLOC : 0) | (s->code ? SHF_EXECINSTR : 0);
    }
}

/* All in the first section, as far as the table says. */
static void add_symbols(struct image *image, const struct laid_file *file)
{
    Elf64_Sym symbols[MOST_SYMBOLS + 1] = {{0}};
    size_t count = 1;
    for (int i = 0; i < MOST_SYMBOLS && file->symbols[i].name; i++) {
        const struct laid_file_symbol *s = &file->symbols[i];
        symbols[count++] =
            (Elf64_Sym){.st_name = add_name(image, s->name),
                        .st_info = ELF64_ST_INFO(s->local ? STB_LOCAL : STB_GLOBAL, STT_FUNC),
                        .st_shndx = FIRST,
                        .st_value = s->address,
                        .st_size = s->size};
    }
    if (count == 1)
        return;
    Elf64_Shdr *header = add_header(image, ".symtab", SHT_SYMTAB, symbols, count * sizeof *symbols);
    header->sh_entsize = sizeof *symbols;
    header->sh_link = image->nheaders; /* what comes next */
}

static void finish(struct image *image, uint64_t entry)
{
    uint16_t names = (uint16_t)image->nheaders;
    add_header(image, ".strtab", SHT_STRTAB, image->names, MOST_NAMES);
    Elf64_Ehdr head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                       .e_type = ET_EXEC,
                       .e_machine = EM_X86_64,
                       .e_version = EV_CURRENT,
                       .e_entry = entry,
                       .e_shoff = image->used,
                       .e_ehsize = sizeof head,
                       .e_shentsize = sizeof *image->headers,
                       .e_shnum = (uint16_t)image->nheaders,
                       .e_shstrndx = names};
    memcpy(image->bytes, &head, sizeof head);
    ck_assert_uint_lt(image->used + sizeof image->headers, MOST_FILE);
    memcpy(image->bytes + image->used, image->headers, sizeof image->headers);
    image->used += sizeof image->headers;
}

void laid_file_write(const struct laid_file *file, const char *path)
{
    static struct image image;
    image = (struct image){.used = sizeof(Elf64_Ehdr), .nheaders = FIRST, .nnames = 1};
    add_sections(&image, file);
    add_symbols(&image, file);
    finish(&image, file->entry);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(image.bytes, 1, image.used, out), image.used);
    ck_assert_int_eq(fclose(out), 0);
}
