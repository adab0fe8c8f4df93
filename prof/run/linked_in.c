#include "run/linked_in.h"
#include "base/say.h"
#include "base/settings.h"
#include "finish/presence.h"
#include "run/rebind.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct program { /* its file, mapped */
    const uint8_t *bytes;
    uint64_t size;
};

static pid_t loaded_by;

__attribute__((constructor)) static void remember(void)
{
    loaded_by = getpid();
}

/* What lies there in the file; NULL: beyond its end. */
static const void *at(const struct program *p, uint64_t offset, uint64_t size)
{
    return offset <= p->size && size <= p->size - offset ? p->bytes + offset : NULL;
}

static bool is_mpi(const struct program *p, const ElfW(Shdr) * strings, const ElfW(Sym) * symbol)
{
    static const char name[] = "PMPI_Init"; /* a layer between program and MPI has MPI_Init */
    const void *text = at(p, strings->sh_offset + symbol->st_name, sizeof name);
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && text &&
           !memcmp(text, name, sizeof name);
}

static bool table_has_mpi(const struct program *p, const ElfW(Shdr) * table,
                          const ElfW(Shdr) * strings)
{
    const ElfW(Sym) *symbols = at(p, table->sh_offset, table->sh_size);
    for (uint64_t i = 0; symbols && i < table->sh_size / sizeof *symbols; i++)
        if (is_mpi(p, strings, &symbols[i]))
            return true;
    return false;
}

static bool has_mpi(const struct program *p)
{
    const ElfW(Ehdr) *elf = at(p, 0, sizeof *elf);
    const ElfW(Shdr) *sections =
        elf ? at(p, elf->e_shoff, (uint64_t)elf->e_shnum * sizeof *sections) : NULL;
    if (!sections || elf->e_shentsize != sizeof *sections)
        return false;
    for (unsigned i = 0; i < elf->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < elf->e_shnum)
            return table_has_mpi(p, &sections[i], &sections[sections[i].sh_link]);
    return false;
}

static bool program_has_mpi(void)
{
    struct stat st;
    struct program p = {0};
    bool found = false;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && !fstat(fd, &st)) {
        void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        p = (struct program){bytes, (uint64_t)st.st_size};
        if (bytes != MAP_FAILED) {
            found = has_mpi(&p);
            munmap(bytes, p.size);
        }
    }
    if (fd >= 0)
        close(fd);
    return found;
}

static const char *why_unseen(void)
{
    if (program_has_mpi())
        return "MPI is linked into the program's own file, and its calls pass by what is "
               "preloaded. Link it with the shared MPI library";
    return sca_rebind_passed_by();
}

void sca_linked_in_say(void)
{
    const char *why = getpid() == loaded_by ? why_unseen() : NULL;
    if (!why || !sca_presence_may_speak())
        return;
    sca_settings_read();
    sca_say_begin();
    if (sca_settings.enable)
        sca_say(SCA_LOG_WARN, "no profile: %s", why);
}
