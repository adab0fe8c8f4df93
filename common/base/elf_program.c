#include "sca_elf_program.h"
#include "sca_error.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL: beyond the end of the file. */
static const void *at_offset(const struct sca_elf_program *p, uint64_t offset, uint64_t size)
{
    return offset <= p->size && size <= p->size - offset ? p->bytes + offset : NULL;
}

/* So many records of the linker's, which lie at multiples of 8. */
static const void *table_at(const struct sca_elf_program *p, uint64_t offset, uint64_t count,
                            uint64_t size)
{
    return offset % 8 ? NULL : at_offset(p, offset, count * size);
}

/* A text that ends inside the part of the file that it lies in. */
static const char *text_in(const char *part, uint64_t size, uint64_t offset)
{
    return part && offset < size && memchr(part + offset, 0, size - offset) ? part + offset : NULL;
}

static const Elf64_Ehdr *header(const struct sca_elf_program *p)
{
    const Elf64_Ehdr *elf = table_at(p, 0, 1, sizeof *elf);
    return elf && !memcmp(elf->e_ident, ELFMAG, SELFMAG) && elf->e_ident[EI_CLASS] == ELFCLASS64
               ? elf
               : NULL;
}

static const Elf64_Phdr *segments(const struct sca_elf_program *p, unsigned *count)
{
    const Elf64_Ehdr *elf = header(p);
    *count = elf ? elf->e_phnum : 0;
    return elf ? table_at(p, elf->e_phoff, *count, sizeof(Elf64_Phdr)) : NULL;
}

static const Elf64_Phdr *segment_of(const struct sca_elf_program *p, uint32_t type)
{
    unsigned count;
    const Elf64_Phdr *segment = segments(p, &count);
    for (unsigned i = 0; segment && i < count; i++)
        if (segment[i].p_type == type)
            return &segment[i];
    return NULL;
}

/* From where it is loaded to where it lies in the file; the file's size: nowhere. */
static uint64_t offset_of(const struct sca_elf_program *p, uint64_t address)
{
    unsigned count;
    const Elf64_Phdr *segment = segments(p, &count);
    for (unsigned i = 0; segment && i < count; i++)
        if (segment[i].p_type == PT_LOAD && address >= segment[i].p_vaddr &&
            address - segment[i].p_vaddr < segment[i].p_filesz)
            return address - segment[i].p_vaddr + segment[i].p_offset;
    return p->size;
}

static uint64_t value_of(const Elf64_Dyn *entry, uint64_t entries, int64_t tag)
{
    for (uint64_t i = 0; i < entries && entry[i].d_tag != DT_NULL; i++)
        if (entry[i].d_tag == tag)
            return entry[i].d_un.d_val;
    return 0;
}

static int map(struct sca_elf_program *p, int fd, const char *path)
{
    struct stat st;
    void *bytes = MAP_FAILED;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        return sca_fail(SCA_EFORMAT, "%s is not a file", path);
    if (st.st_size > 0)
        bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return sca_fail(SCA_EFORMAT, "%s cannot be mapped", path);
    *p = (struct sca_elf_program){bytes, (uint64_t)st.st_size};
    if (header(p))
        return SCA_OK;
    sca_elf_program_close(p);
    return sca_fail(SCA_EFORMAT, "%s is not a 64-bit ELF file", path);
}

int sca_elf_program_open(struct sca_elf_program *p, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *p = (struct sca_elf_program){0};
    if (fd < 0)
        return sca_fail(SCA_EIO, "%s: %s", path, strerror(errno));
    int status = map(p, fd, path);
    close(fd);
    return status;
}

void sca_elf_program_close(struct sca_elf_program *p)
{
    if (p->bytes)
        munmap((void *)p->bytes, (size_t)p->size);
    *p = (struct sca_elf_program){0};
}

const char *sca_elf_program_interpreter(const struct sca_elf_program *p)
{
    const Elf64_Phdr *segment = segment_of(p, PT_INTERP);
    if (!segment)
        return NULL;
    return text_in(at_offset(p, segment->p_offset, segment->p_filesz), segment->p_filesz, 0);
}

const char *sca_elf_program_needed(const struct sca_elf_program *p, uint64_t *at)
{
    const Elf64_Phdr *segment = segment_of(p, PT_DYNAMIC);
    uint64_t entries = segment ? segment->p_filesz / sizeof(Elf64_Dyn) : 0;
    const Elf64_Dyn *entry =
        segment ? table_at(p, segment->p_offset, entries, sizeof(Elf64_Dyn)) : NULL;
    if (!entry)
        return NULL;
    uint64_t size = value_of(entry, entries, DT_STRSZ);
    const char *texts = at_offset(p, offset_of(p, value_of(entry, entries, DT_STRTAB)), size);
    for (; *at < entries && entry[*at].d_tag != DT_NULL; ++*at) {
        const char *name =
            entry[*at].d_tag == DT_NEEDED ? text_in(texts, size, entry[*at].d_un.d_val) : NULL;
        if (name) {
            ++*at;
            return name;
        }
    }
    return NULL;
}

const void *sca_elf_program_section(const struct sca_elf_program *p, const char *name,
                                    uint64_t *size)
{
    const Elf64_Ehdr *elf = header(p);
    const Elf64_Shdr *s = elf ? table_at(p, elf->e_shoff, elf->e_shnum, sizeof(Elf64_Shdr)) : NULL;
    if (!s || elf->e_shstrndx >= elf->e_shnum)
        return NULL;
    const Elf64_Shdr *names = &s[elf->e_shstrndx];
    const char *texts = at_offset(p, names->sh_offset, names->sh_size);
    for (unsigned i = 0; i < elf->e_shnum; i++) {
        const char *is = text_in(texts, names->sh_size, s[i].sh_name);
        if (!is || strcmp(is, name))
            continue;
        *size = s[i].sh_size;
        return s[i].sh_type == SHT_NOBITS ? NULL : at_offset(p, s[i].sh_offset, s[i].sh_size);
    }
    return NULL;
}
