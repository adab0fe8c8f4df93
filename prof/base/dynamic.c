#include "base/dynamic.h"

#include <dlfcn.h>
#include <string.h>

#ifdef DLFO_STRUCT_HAS_EH_DBASE
#pragma weak _dl_find_object
static bool ask_loader(const void *address, struct link_map **file, const void **first)
{
    struct dl_find_object o;
    if (!_dl_find_object)
        return false;
    *file = _dl_find_object((void *)(uintptr_t)address, &o) ? NULL : o.dlfo_link_map;
    *first = *file ? o.dlfo_map_start : NULL;
    return true;
}
#else
static bool ask_loader(const void *address, struct link_map **file, const void **first)
{
    (void)address;
    (void)file;
    (void)first;
    return false;
}
#endif

struct link_map *sca_dynamic_file_of(const void *address, const void **first)
{
    struct link_map *file = NULL;
    Dl_info info = {0};
    if (ask_loader(address, &file, first))
        return file;
    if (!dladdr1(address, &info, (void **)&file, RTLD_DL_LINKMAP))
        return NULL;
    *first = info.dli_fbase;
    return file;
}

/* The loader has made most of these addresses; those of the vDSO are still relative to it. */
static uint64_t address(uint64_t value, uint64_t bias)
{
    return value < bias ? value + bias : value;
}

/* The last symbol of the last chain that is there. */
static uint32_t count_by_gnu_hash(const uint32_t *table)
{
    uint32_t nbuckets = table[0], first = table[1], bloom_words = table[2], last = 0;
    const uint32_t *buckets = table + 4 + (uint64_t)bloom_words * (sizeof(ElfW(Addr)) / 4);
    const uint32_t *chains = buckets + nbuckets;
    for (uint32_t i = 0; i < nbuckets; i++)
        last = buckets[i] > last ? buckets[i] : last;
    if (last < first)
        return first;
    while (!(chains[last - first] & 1))
        last++;
    return last + 1;
}

static uint32_t count_of(const uint32_t *gnu_hash, const uint32_t *hash)
{
    if (hash)
        return hash[1];
    return gnu_hash ? count_by_gnu_hash(gnu_hash) : 0;
}

static const void *at(uint64_t value, uint64_t bias)
{
    return value ? (const void *)(uintptr_t)address(value, bias) : NULL;
}

bool sca_dynamic_read_section(const ElfW(Dyn) * d, uint64_t bias, struct sca_dynamic *out)
{
    uint64_t value[DT_NUM] = {0}, gnu_hash = 0;
    for (; d->d_tag != DT_NULL; d++) {
        if (d->d_tag >= 0 && d->d_tag < DT_NUM)
            value[d->d_tag] = d->d_un.d_val;
        else if (d->d_tag == DT_GNU_HASH)
            gnu_hash = d->d_un.d_ptr;
    }
    *out = (struct sca_dynamic){
        .symbols = at(value[DT_SYMTAB], bias),
        .strings = at(value[DT_STRTAB], bias),
        .nsymbols = count_of(at(gnu_hash, bias), at(value[DT_HASH], bias)),
        .gnu_hash = at(gnu_hash, bias),
        .bias = bias,
        .relocations = {at(value[DT_RELA], bias), at(value[DT_JMPREL], bias)},
        .nrelocations = {value[DT_RELA] ? value[DT_RELASZ] / sizeof(ElfW(Rela)) : 0,
                         value[DT_JMPREL] ? value[DT_PLTRELSZ] / sizeof(ElfW(Rela)) : 0}};
    return out->symbols && out->strings;
}

static void *symbol_named(const struct sca_dynamic *d, uint32_t i, const char *name)
{
    const ElfW(Sym) *symbol = &d->symbols[i];
    if (symbol->st_shndx == SHN_UNDEF || strcmp(d->strings + symbol->st_name, name))
        return NULL;
    return (void *)(uintptr_t)(d->bias + symbol->st_value);
}

static uint32_t gnu_hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static void *find_by_gnu_hash(const struct sca_dynamic *d, const char *name)
{
    uint32_t hash = gnu_hash_of(name), nbuckets = d->gnu_hash[0], first = d->gnu_hash[1];
    const uint32_t *buckets = d->gnu_hash + 4 + (uint64_t)d->gnu_hash[2] * (sizeof(ElfW(Addr)) / 4);
    const uint32_t *chains = buckets + nbuckets;
    uint32_t i = nbuckets ? buckets[hash % nbuckets] : 0;
    for (; i >= first && i; i++) {
        void *found = (chains[i - first] | 1) == (hash | 1) ? symbol_named(d, i, name) : NULL;
        if (found || chains[i - first] & 1)
            return found;
    }
    return NULL;
}

void *sca_dynamic_find(const struct sca_dynamic *d, const char *name)
{
    void *found = NULL;
    if (d->gnu_hash)
        return find_by_gnu_hash(d, name);
    for (uint32_t i = 0; i < d->nsymbols && !found; i++)
        found = symbol_named(d, i, name);
    return found;
}

bool sca_dynamic_read(const ElfW(Phdr) * headers, unsigned count, uint64_t bias,
                      struct sca_dynamic *out)
{
    for (unsigned i = 0; i < count; i++)
        if (headers[i].p_type == PT_DYNAMIC)
            return sca_dynamic_read_section((const void *)(uintptr_t)(bias + headers[i].p_vaddr),
                                            bias, out);
    return false;
}

bool sca_dynamic_read_at(uint64_t first, uint64_t last, uint64_t bias, struct sca_dynamic *out)
{
    const ElfW(Ehdr) *elf = (const void *)(uintptr_t)first;
    if (last - first < sizeof *elf || memcmp(elf, ELFMAG, SELFMAG) ||
        elf->e_phentsize != sizeof(ElfW(Phdr)) ||
        elf->e_phoff + elf->e_phnum * sizeof(ElfW(Phdr)) > last - first)
        return false;
    return sca_dynamic_read((const void *)(uintptr_t)(first + elf->e_phoff), elf->e_phnum, bias,
                            out);
}

bool sca_dynamic_is_closed(const void *first, uint64_t bias, const void *address)
{
    const ElfW(Ehdr) *elf = first;
    const ElfW(Phdr) *ph = (const void *)((const char *)first + elf->e_phoff);
    for (unsigned i = 0; i < elf->e_phnum; i++)
        if (ph[i].p_type == PT_GNU_RELRO &&
            (uintptr_t)address - (bias + ph[i].p_vaddr) < ph[i].p_memsz)
            return true;
    return false;
}
