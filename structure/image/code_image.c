#include "image/code_image.h"
#include "decode/machine.h"
#include "sca_error.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* ---- sections ---- */

static int add_section(struct sca_code_image *image, Elf_Scn *section, const GElf_Shdr *header,
                       const char *name)
{
    Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf || !data->d_size)
        return SCA_OK;
    if (sca_arena_grow(&image->sections, sizeof *image->sections, image->nsections,
                       &image->sections_capacity))
        return SCA_ENOMEM;
    image->sections[image->nsections++] =
        (struct sca_code_section){.address = header->sh_addr,
                                  .size = data->d_size,
                                  .bytes = data->d_buf,
                                  .code = header->sh_flags & SHF_EXECINSTR,
                                  .stubs = name && !strncmp(name, ".plt", 4)};
    return SCA_OK;
}

static int section_order(const void *a, const void *b)
{
    const struct sca_code_section *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static int read_sections(Elf *elf, struct sca_code_image *image)
{
    size_t names = 0;
    GElf_Shdr header;
    int status = SCA_OK;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn *s = NULL; !status && (s = elf_nextscn(elf, s));)
        if (gelf_getshdr(s, &header) && (header.sh_flags & SHF_ALLOC) &&
            header.sh_type != SHT_NOBITS)
            status = add_section(image, s, &header, elf_strptr(elf, names, header.sh_name));
    if (image->nsections)
        qsort(image->sections, image->nsections, sizeof *image->sections, section_order);
    return status;
}

const struct sca_code_section *sca_code_image_section(const struct sca_code_image *image,
                                                      uint64_t address)
{
    size_t low = 0, high = image->nsections;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (image->sections[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct sca_code_section *s = low ? &image->sections[low - 1] : NULL;
    return s && address - s->address < s->size ? s : NULL;
}

bool sca_code_image_code(const struct sca_code_image *image, uint64_t address,
                         struct sca_code_bytes *out)
{
    const struct sca_code_section *s = sca_code_image_section(image, address);
    if (!s || !s->code)
        return false;
    uint64_t offset = address - s->address;
    *out = (struct sca_code_bytes){s->bytes + offset, s->size - offset, address};
    return true;
}

/* ---- slots ---- */

static int add_slot(struct sca_code_image *image, uint64_t address, const char *name,
                    uint64_t value)
{
    if (sca_arena_grow(&image->slots, sizeof *image->slots, image->nslots, &image->slots_capacity))
        return SCA_ENOMEM;
    image->slots[image->nslots++] = (struct sca_code_slot){address, name, value};
    return SCA_OK;
}

static int read_relocations(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                            struct sca_code_image *image)
{
    Elf_Scn *table = elf_getscn(elf, header->sh_link);
    Elf_Data *relocations = elf_getdata(section, NULL), *symbols = elf_getdata(table, NULL);
    GElf_Shdr strings;
    GElf_Rela r;
    GElf_Sym symbol;
    int status = SCA_OK;
    if (!relocations || !symbols || !gelf_getshdr(table, &strings))
        return SCA_OK;
    for (int i = 0; !status && gelf_getrela(relocations, i, &r); i++) {
        const char *name = NULL;
        if (GELF_R_SYM(r.r_info) && gelf_getsym(symbols, (int)GELF_R_SYM(r.r_info), &symbol))
            name = elf_strptr(elf, strings.sh_link, symbol.st_name);
        name = name && *name ? name : NULL;
        if (name || !GELF_R_SYM(r.r_info))
            status = add_slot(image, r.r_offset, name, (uint64_t)r.r_addend);
    }
    return status;
}

static int slot_order(const void *a, const void *b)
{
    const struct sca_code_slot *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static int read_slots(Elf *elf, struct sca_code_image *image)
{
    GElf_Shdr header;
    int status = SCA_OK;
    for (Elf_Scn *s = NULL; !status && (s = elf_nextscn(elf, s));)
        if (gelf_getshdr(s, &header) && header.sh_type == SHT_RELA && (header.sh_flags & SHF_ALLOC))
            status = read_relocations(elf, s, &header, image);
    if (image->nslots)
        qsort(image->slots, image->nslots, sizeof *image->slots, slot_order);
    return status;
}

static const struct sca_code_slot *find_slot(const struct sca_code_image *image, uint64_t slot)
{
    size_t low = 0, high = image->nslots;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (image->slots[middle].address < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low < image->nslots && image->slots[low].address == slot ? &image->slots[low] : NULL;
}

const char *sca_code_image_slot(const struct sca_code_image *image, uint64_t slot)
{
    const struct sca_code_slot *found = find_slot(image, slot);
    return found ? found->name : NULL;
}

/* What the file has there counts only where the loader puts nothing else. */
bool sca_code_image_data(const struct sca_code_image *image, uint64_t address, unsigned width,
                         uint64_t *value)
{
    const struct sca_code_section *s = sca_code_image_section(image, address);
    const struct sca_code_slot *slot = width == sizeof *value ? find_slot(image, address) : NULL;
    if (!s || s->size - (address - s->address) < width || width > sizeof *value ||
        (slot && slot->name))
        return false;
    *value = 0;
    memcpy(value, s->bytes + (address - s->address), width);
    if (slot)
        *value = slot->value;
    return true;
}

const char *sca_code_image_stub(const struct sca_code_image *image, uint64_t address)
{
    const struct sca_code_section *s = sca_code_image_section(image, address);
    struct sca_code_bytes code;
    uint64_t slot;
    if (!s || !s->stubs || !sca_code_image_code(image, address, &code) ||
        !image->decoder->stub_slot(code, &slot))
        return NULL;
    return sca_code_image_slot(image, slot);
}

/* ---- all of it ---- */

int sca_code_image_read(struct sca_binary *binary, struct sca_code_image *out)
{
    GElf_Ehdr header;
    *out = (struct sca_code_image){0};
    if (!gelf_getehdr(binary->elf, &header))
        return sca_fail(SCA_EFORMAT, "%s: %s", binary->path, elf_errmsg(-1));
    out->decoder = sca_machine_decoder(header.e_machine);
    out->entry = header.e_entry;
    if (!out->decoder || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return sca_fail(SCA_EFORMAT,
                        "%s: structure can be recovered from code for x86-64 and aarch64 only",
                        binary->path);
    int status = read_sections(binary->elf, out);
    if (!status)
        status = read_slots(binary->elf, out);
    if (status)
        sca_code_image_free(out);
    return status;
}

void sca_code_image_free(struct sca_code_image *image)
{
    free(image->sections);
    free(image->slots);
    *image = (struct sca_code_image){0};
}
