#include "image/frame_ranges.h"
#include "sca_error.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct table {
    const unsigned char *ident;
    uint64_t address; /* of the section */
    Elf_Data *data;
    struct sca_frame_range *list;
    size_t count, capacity;
};

static unsigned bytes_of(uint8_t encoding)
{
    switch (encoding & 0x07) {
    case DW_EH_PE_udata2:
        return 2;
    case DW_EH_PE_udata4:
        return 4;
    default:
        return 8; /* DW_EH_PE_absptr, DW_EH_PE_udata8; LEB128 is used by nobody */
    }
}

static bool get_pointer(const struct table *t, const uint8_t *at, const uint8_t *end,
                        uint8_t encoding, uint64_t *value)
{
    unsigned bytes = bytes_of(encoding);
    if (end < at || (size_t)(end - at) < bytes)
        return false;
    *value = 0;
    memcpy(value, at, bytes);
    if ((encoding & DW_EH_PE_signed) && bytes < 8)
        *value = (uint64_t)((int64_t)(*value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    if ((encoding & 0x70) == DW_EH_PE_pcrel)
        *value += t->address + (uint64_t)(at - (const uint8_t *)t->data->d_buf);
    return true;
}

struct encodings { /* DW_EH_PE_...: how a common information entry says pointers are written */
    uint8_t code, data;
    bool sized; /* what is added has its length before it */
};

static struct encodings encodings_of(const Dwarf_CIE *cie)
{
    struct encodings e = {DW_EH_PE_absptr, DW_EH_PE_omit, *cie->augmentation == 'z'};
    const uint8_t *data = cie->augmentation_data;
    const uint8_t *end = data ? data + cie->augmentation_data_size : NULL;
    for (const char *letter = cie->augmentation + e.sized; data && data < end && *letter; letter++)
        switch (*letter) {
        case 'R':
            e.code = *data++;
            break;
        case 'L':
            e.data = *data++;
            break;
        case 'P':
            data += 1 + bytes_of(*data);
            break;
        default:
            break;
        }
    return e;
}

static struct encodings encodings_at(const struct table *t, Dwarf_Off cie)
{
    Dwarf_CFI_Entry entry;
    Dwarf_Off next;
    if (dwarf_next_cfi(t->ident, t->data, true, cie, &next, &entry) || !dwarf_cfi_cie_p(&entry))
        return (struct encodings){DW_EH_PE_omit, DW_EH_PE_omit, false};
    return encodings_of(&entry.cie);
}

/* Behind the range: a length, then the address; none if what is written is zero. */
static uint64_t data_of(const struct table *t, const Dwarf_FDE *fde, const struct encodings *e)
{
    const uint8_t *at = fde->start + 2 * bytes_of(e->code) + 1;
    uint64_t bare, address;
    bool there = e->sized && e->data != DW_EH_PE_omit && !(e->data & DW_EH_PE_indirect) &&
                 get_pointer(t, at, fde->end, e->data & 0x0f, &bare) && bare &&
                 get_pointer(t, at, fde->end, e->data, &address);
    return there ? address : 0;
}

static int add(struct table *t, const Dwarf_FDE *fde, const struct encodings *e)
{
    uint64_t low, size;
    if (e->code == DW_EH_PE_omit || !get_pointer(t, fde->start, fde->end, e->code, &low) ||
        !get_pointer(t, fde->start + bytes_of(e->code), fde->end, e->code & 0x07, &size) || !size ||
        low + size < low)
        return SCA_OK;
    if (sca_arena_grow(&t->list, sizeof *t->list, t->count, &t->capacity))
        return SCA_ENOMEM;
    t->list[t->count++] = (struct sca_frame_range){low, low + size, data_of(t, fde, e)};
    return SCA_OK;
}

static int read_table(struct table *t)
{
    Dwarf_Off at = 0, next, known = (Dwarf_Off)-1;
    struct encodings encodings = {DW_EH_PE_omit, DW_EH_PE_omit, false};
    Dwarf_CFI_Entry entry;
    int status = SCA_OK, more;
    for (; !status && at != (Dwarf_Off)-1; at = next) {
        more = dwarf_next_cfi(t->ident, t->data, true, at, &next, &entry);
        if (more > 0 || (more < 0 && next <= at))
            break;
        if (more < 0 || dwarf_cfi_cie_p(&entry))
            continue;
        if (entry.fde.CIE_pointer != known)
            encodings = encodings_at(t, known = entry.fde.CIE_pointer);
        status = add(t, &entry.fde, &encodings);
    }
    return status;
}

static int range_order(const void *a, const void *b)
{
    const struct sca_frame_range *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high < y->high ? -1 : x->high > y->high;
}

static bool find_table(Elf *elf, struct table *t)
{
    size_t names = 0;
    GElf_Shdr header;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
        const char *name = gelf_getshdr(s, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (!name || strcmp(name, ".eh_frame") || header.sh_type == SHT_NOBITS)
            continue;
        t->address = header.sh_addr;
        t->data = elf_rawdata(s, NULL);
        t->ident = (const unsigned char *)elf_getident(elf, NULL);
        return t->data && t->data->d_buf && t->ident;
    }
    return false;
}

int sca_frame_ranges_read(struct sca_binary *binary, struct sca_frame_range **out, size_t *count)
{
    struct table t = {0};
    int status = find_table(binary->elf, &t) ? read_table(&t) : SCA_OK;
    if (t.count)
        qsort(t.list, t.count, sizeof *t.list, range_order);
    *out = t.list;
    *count = t.count;
    return status;
}
