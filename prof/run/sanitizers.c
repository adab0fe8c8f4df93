#include "run/sanitizers.h"
#include "base/mapped_file.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const Elf64_Phdr *segments(const struct sca_mapped_file *f, unsigned *count)
{
    const Elf64_Ehdr *elf = sca_mapped_file_at(f, 0, sizeof *elf);
    if (!elf || memcmp(elf->e_ident, ELFMAG, SELFMAG) || elf->e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    *count = elf->e_phnum;
    return sca_mapped_file_at(f, elf->e_phoff, *count * sizeof(Elf64_Phdr));
}

static const Elf64_Dyn *dynamic(const struct sca_mapped_file *f, uint64_t *entries)
{
    unsigned count = 0;
    const Elf64_Phdr *segment = segments(f, &count);
    for (unsigned i = 0; segment && i < count; i++)
        if (segment[i].p_type == PT_DYNAMIC) {
            *entries = segment[i].p_filesz / sizeof(Elf64_Dyn);
            return sca_mapped_file_at(f, segment[i].p_offset, segment[i].p_filesz);
        }
    return NULL;
}

/* From where it is loaded to where it lies in the file; the file's size: nowhere. */
static uint64_t offset_of(const struct sca_mapped_file *f, uint64_t address)
{
    unsigned count = 0;
    const Elf64_Phdr *segment = segments(f, &count);
    for (unsigned i = 0; segment && i < count; i++)
        if (segment[i].p_type == PT_LOAD && address >= segment[i].p_vaddr &&
            address - segment[i].p_vaddr < segment[i].p_filesz)
            return address - segment[i].p_vaddr + segment[i].p_offset;
    return f->size;
}

static uint64_t value_of(const Elf64_Dyn *entry, uint64_t entries, int64_t tag)
{
    for (uint64_t i = 0; i < entries && entry[i].d_tag != DT_NULL; i++)
        if (entry[i].d_tag == tag)
            return entry[i].d_un.d_val;
    return 0;
}

static int is_sanitizer(const char *name)
{
    static const char *const known[] = {"libasan.so", "libhwasan.so", "liblsan.so",
                                        "libtsan.so", "libubsan.so",  "libclang_rt."};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, known[i], strlen(known[i])))
            return 1;
    return 0;
}

static void collect(const struct sca_mapped_file *f, char *out, size_t size)
{
    uint64_t entries = 0;
    size_t used = 0;
    const Elf64_Dyn *entry = dynamic(f, &entries);
    if (!entry)
        return;
    uint64_t strings = offset_of(f, value_of(entry, entries, DT_STRTAB));
    uint64_t length = value_of(entry, entries, DT_STRSZ);
    const char *text = sca_mapped_file_at(f, strings, length);
    for (uint64_t i = 0; text && i < entries && entry[i].d_tag != DT_NULL; i++) {
        uint64_t name = entry[i].d_un.d_val;
        if (entry[i].d_tag != DT_NEEDED || name >= length || text[length - 1] ||
            !is_sanitizer(text + name) || used + strlen(text + name) + 2 > size)
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s:", text + name);
    }
}

void sca_sanitizers_of(const char *path, char *out, size_t size)
{
    struct sca_mapped_file file;
    *out = '\0';
    if (!sca_mapped_file_open(&file, path))
        return;
    collect(&file, out, size);
    sca_mapped_file_close(&file);
}
