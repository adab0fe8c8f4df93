#include "run/linked_in.h"
#include "base/mapped_file.h"
#include "base/say.h"
#include "base/settings.h"
#include "finish/presence.h"
#include "run/rebind.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static pid_t loaded_by;

__attribute__((constructor)) static void remember(void)
{
    loaded_by = getpid();
}

static bool is_mpi(const struct sca_mapped_file *p, const ElfW(Shdr) * strings,
                   const ElfW(Sym) * symbol)
{
    static const char name[] = "PMPI_Init"; /* a layer between program and MPI has MPI_Init */
    const void *text = sca_mapped_file_at(p, strings->sh_offset + symbol->st_name, sizeof name);
    return symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && text &&
           !memcmp(text, name, sizeof name);
}

static bool table_has_mpi(const struct sca_mapped_file *p, const ElfW(Shdr) * table,
                          const ElfW(Shdr) * strings)
{
    const ElfW(Sym) *symbols = sca_mapped_file_at(p, table->sh_offset, table->sh_size);
    for (uint64_t i = 0; symbols && i < table->sh_size / sizeof *symbols; i++)
        if (is_mpi(p, strings, &symbols[i]))
            return true;
    return false;
}

static bool has_mpi(const struct sca_mapped_file *p)
{
    const ElfW(Ehdr) *elf = sca_mapped_file_at(p, 0, sizeof *elf);
    const ElfW(Shdr) *sections =
        elf ? sca_mapped_file_at(p, elf->e_shoff, (uint64_t)elf->e_shnum * sizeof *sections) : NULL;
    if (!sections || elf->e_shentsize != sizeof *sections)
        return false;
    for (unsigned i = 0; i < elf->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < elf->e_shnum)
            return table_has_mpi(p, &sections[i], &sections[sections[i].sh_link]);
    return false;
}

static bool program_has_mpi(void)
{
    struct sca_mapped_file program;
    if (!sca_mapped_file_open(&program, "/proc/self/exe"))
        return false;
    bool found = has_mpi(&program);
    sca_mapped_file_close(&program);
    return found;
}

static const char *why_unseen(void)
{
    if (program_has_mpi())
        return "MPI is statically linked into the program, so its calls bypass the preloaded "
               "library. Link the shared MPI library";
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
