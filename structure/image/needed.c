/* Which libraries a file is linked with, by its dynamic section. */
#include "sca_binary.h"

#include <gelf.h>
#include <string.h>

struct dynamic {
    Elf *elf;
    Elf_Data *data;
    size_t strings; /* index of their section */
};

static bool find(struct sca_binary *b, struct dynamic *out)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(b->elf, section)))
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC) {
            *out = (struct dynamic){b->elf, elf_getdata(section, NULL), header.sh_link};
            return out->data;
        }
    return false;
}

/* The name that the entry holds if it is of that kind; NULL: it is of another, or damaged. */
static const char *name_at(const struct dynamic *d, int i, int64_t tag)
{
    GElf_Dyn entry;
    bool there = gelf_getdyn(d->data, i, &entry) && entry.d_tag == tag;
    return there ? elf_strptr(d->elf, d->strings, entry.d_un.d_val) : NULL;
}

static size_t entries(const struct dynamic *d)
{
    return d->data->d_size / gelf_fsize(d->elf, ELF_T_DYN, 1, EV_CURRENT);
}

const char *sca_binary_library_name(struct sca_binary *b)
{
    struct dynamic d;
    const char *slash = strrchr(b->path, '/'), *name = NULL;
    size_t count = find(b, &d) ? entries(&d) : 0;
    for (size_t i = 0; !name && i < count; i++)
        name = name_at(&d, (int)i, DT_SONAME);
    return name ? name : slash ? slash + 1 : b->path;
}

bool sca_binary_needs(struct sca_binary *b, const char *library)
{
    struct dynamic d;
    size_t count = find(b, &d) ? entries(&d) : 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = name_at(&d, (int)i, DT_NEEDED);
        if (name && !strcmp(name, library))
            return true;
    }
    return false;
}
