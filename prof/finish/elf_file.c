#include "finish/elf_file.h"
#include "finish/post.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SECTIONS = 4096, MOST_NOTE = 256 };

bool sca_elf_file_read(const struct sca_elf_file *f, uint64_t offset, size_t length, void *to)
{
    char *at = to;
    if (offset > f->size || length > f->size - offset)
        return false;
    while (length) {
        ssize_t n = pread(f->fd, at, length, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        offset += (uint64_t)n;
        length -= (size_t)n;
    }
    return true;
}

static bool read_header(struct sca_elf_file *f)
{
    Elf64_Ehdr *h = &f->header;
    return sca_elf_file_read(f, 0, sizeof *h, h) && !memcmp(h->e_ident, ELFMAG, SELFMAG) &&
           h->e_ident[EI_CLASS] == ELFCLASS64 && h->e_ident[EI_DATA] == ELFDATA2LSB &&
           h->e_shentsize == sizeof(Elf64_Shdr) && h->e_shnum && h->e_shnum <= MOST_SECTIONS &&
           h->e_shstrndx < h->e_shnum;
}

static bool read_sections(struct sca_elf_file *f)
{
    size_t length = f->header.e_shnum * sizeof *f->sections;
    f->sections = sca_scratch(length);
    if (!f->sections || !sca_elf_file_read(f, f->header.e_shoff, length, f->sections))
        return false;
    f->names = sca_elf_file_bytes(f, f->header.e_shstrndx);
    f->names_size = f->names ? f->sections[f->header.e_shstrndx].sh_size : 0;
    return f->names;
}

bool sca_elf_file_open(struct sca_elf_file *f, const char *path)
{
    struct stat info;
    *f = (struct sca_elf_file){.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (f->fd < 0)
        return false;
    f->size = !fstat(f->fd, &info) && S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
    if (read_header(f) && read_sections(f))
        return true;
    sca_elf_file_close(f);
    return false;
}

void sca_elf_file_close(struct sca_elf_file *f)
{
    if (f->names)
        sca_elf_file_free(f, f->header.e_shstrndx, f->names);
    if (f->sections)
        munmap(f->sections, f->header.e_shnum * sizeof *f->sections);
    close(f->fd);
}

const char *sca_elf_file_name(const struct sca_elf_file *f, uint32_t section)
{
    uint32_t at = f->sections[section].sh_name;
    return at < f->names_size ? f->names + at : "";
}

void *sca_elf_file_bytes(const struct sca_elf_file *f, uint32_t section)
{
    const Elf64_Shdr *s = &f->sections[section];
    if (s->sh_type == SHT_NOBITS || !s->sh_size || s->sh_size > f->size)
        return NULL;
    void *bytes = sca_scratch(s->sh_size + 1);
    if (bytes && sca_elf_file_read(f, s->sh_offset, s->sh_size, bytes))
        return bytes;
    if (bytes)
        sca_elf_file_free(f, section, bytes);
    return NULL;
}

void sca_elf_file_free(const struct sca_elf_file *f, uint32_t section, void *bytes)
{
    if (bytes)
        munmap(bytes, f->sections[section].sh_size + 1);
}

uint32_t sca_elf_file_find(const struct sca_elf_file *f, const char *name)
{
    for (uint32_t i = 1; i < f->header.e_shnum; i++)
        if (!strcmp(sca_elf_file_name(f, i), name))
            return i;
    return 0;
}

bool sca_elf_file_is(const struct sca_elf_file *f, const uint8_t *build_id, uint32_t size)
{
    uint32_t i = sca_elf_file_find(f, ".note.gnu.build-id");
    uint8_t note[MOST_NOTE];
    size_t head = sizeof(Elf64_Nhdr) + sizeof "GNU";
    if (!size)
        return true;
    return i && f->sections[i].sh_size >= head + size && f->sections[i].sh_size <= sizeof note &&
           sca_elf_file_read(f, f->sections[i].sh_offset, f->sections[i].sh_size, note) &&
           !memcmp(note + head, build_id, size);
}
