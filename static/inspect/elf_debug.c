#include "inspect/elf_debug.h"
#include "sca_debug_file.h"

#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_ID = 64 };

static Elf_Data *section_data(Elf *elf, const char *name)
{
    size_t strings;
    GElf_Shdr header;
    if (elf_getshdrstrndx(elf, &strings))
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        const char *title = NULL;
        if (gelf_getshdr(section, &header))
            title = elf_strptr(elf, strings, header.sh_name);
        if (title && !strcmp(title, name))
            return header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(section, NULL);
    }
    return NULL;
}

/* Hex digits; "" if there is none. */
static void read_build_id(Elf *elf, char text[2 * LONGEST_ID + 1])
{
    Elf_Data *data = section_data(elf, ".note.gnu.build-id");
    GElf_Nhdr note;
    size_t name, content;
    text[0] = '\0';
    if (!data || !data->d_buf)
        return;
    data->d_type = ELF_T_NHDR;
    if (!gelf_getnote(data, 0, &note, &name, &content) || note.n_type != NT_GNU_BUILD_ID)
        return;
    const unsigned char *bytes = (const unsigned char *)data->d_buf + content;
    for (size_t i = 0; i < note.n_descsz && i < LONGEST_ID; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

bool sca_elf_debug_is_stripped(Elf *elf)
{
    return !section_data(elf, ".symtab") && !section_data(elf, ".debug_info");
}

static Elf *open_matching(const char *path, const char *build_id, uint32_t crc, int *fd)
{
    char id[2 * LONGEST_ID + 1];
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = *fd < 0 ? NULL : elf_begin(*fd, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF) {
        read_build_id(elf, id);
        if (!strcmp(id, build_id) && (*id || sca_debug_file_has_crc(path, crc)))
            return elf;
    }
    elf_end(elf);
    if (*fd >= 0)
        close(*fd);
    return NULL;
}

Elf *sca_elf_debug_open(Elf *elf, const char *path, int *fd)
{
    char id[2 * LONGEST_ID + 1], real[PATH_MAX], place[PATH_MAX];
    uint32_t crc = 0;
    Elf_Data *data = section_data(elf, ".gnu_debuglink");
    const char *name = data ? sca_debug_file_link_name(data->d_buf, data->d_size, &crc) : NULL;
    read_build_id(elf, id);
    const struct sca_debug_link link = {realpath(path, real) ? real : path, id, name};
    Elf *found = NULL;
    for (unsigned i = 0; i < SCA_DEBUG_FILE_PLACES && !found; i++)
        if (sca_debug_file_place(&link, i, place, sizeof place))
            found = open_matching(place, id, crc, fd);
    return found;
}
