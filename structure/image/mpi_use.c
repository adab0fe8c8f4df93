/* What a library has to do with MPI, by the names that it offers to others and asks of them. */
#include "image/call_name.h"
#include "sca_binary.h"

#include <gelf.h>
#include <string.h>
#include <strings.h>

/* Whatever passes calls on to MPI has this one: MPI_Send, mpi_send_, mpi_send_f08_,
 * MPI::Comm::Send. */
static bool is_send(const char *name)
{
    static const char *const endings[] = {"", "_", "__", "_f08", "_f08_"};
    if (!strncmp(name, "_ZNK3MPI4Comm4SendE", 19))
        return true;
    if (strncasecmp(name, "mpi_send", 8))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(name + 8, endings[i]))
            return true;
    return false;
}

static enum sca_mpi_use of_symbol(const GElf_Sym *symbol, const char *name)
{
    if (!name)
        return SCA_MPI_UNUSED;
    if (symbol->st_shndx == SHN_UNDEF)
        return sca_call_name_is_mpi(name) ? SCA_MPI_CALLED : SCA_MPI_UNUSED;
    return GELF_ST_TYPE(symbol->st_info) == STT_FUNC && is_send(name) ? SCA_MPI_OFFERED
                                                                      : SCA_MPI_UNUSED;
}

static enum sca_mpi_use of_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    enum sca_mpi_use most = SCA_MPI_UNUSED;
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        enum sca_mpi_use use = of_symbol(&symbol, elf_strptr(elf, header->sh_link, symbol.st_name));
        most = use > most ? use : most;
    }
    return most;
}

enum sca_mpi_use sca_binary_mpi_use(struct sca_binary *b)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(b->elf, section)))
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM && header.sh_entsize)
            return of_table(b->elf, section, &header);
    return SCA_MPI_UNUSED;
}
