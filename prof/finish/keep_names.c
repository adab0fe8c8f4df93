#include "finish/keep_names.h"
#include "arena/arena.h"
#include "finish/keep_sections.h"
#include "finish/post.h"
#include "profile/kept.h"

#include <string.h>
#include <strings.h>
#include <sys/mman.h>

enum { MOST_PLACES = 1024, PLACES_BYTES = MOST_PLACES * sizeof(uint64_t), SYMBOL = 128 };

/* File addresses that call paths go through, rising. */
struct places {
    uint64_t *at;
    uint32_t count;
};

static void insert(struct places *p, uint64_t address)
{
    uint32_t i = p->count;
    while (i && p->at[i - 1] > address)
        i--;
    if ((i && p->at[i - 1] == address) || p->count == MOST_PLACES)
        return;
    memmove(p->at + i + 1, p->at + i, (p->count - i) * sizeof *p->at);
    p->at[i] = address;
    p->count++;
}

static struct places places_in(uint32_t module)
{
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    struct places p = {sca_scratch(PLACES_BYTES), 0};
    for (uint32_t i = 1; p.at && i < sca_arena_count(SCA_T_NODES); i++)
        if (nodes[i].module == module)
            insert(&p, nodes[i].offset - (!(nodes[i].kind & SCA_NODE_PC) && nodes[i].offset));
    return p;
}

static bool holds_place(const struct places *p, const Elf64_Sym *s)
{
    uint32_t low = 0, high = p->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (p->at[middle] < s->st_value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->count && p->at[low] - s->st_value < s->st_size;
}

static bool is_function(const Elf64_Sym *s)
{
    int type = ELF64_ST_TYPE(s->st_info);
    return (type == STT_FUNC || type == STT_GNU_IFUNC) && s->st_shndx != SHN_UNDEF;
}

/* As MPI's own, or as a layer that passes them on, offers them: MPI_Send, mpi_send_, MPI::Comm's.
 */
static bool is_mpi_send(const char *name)
{
    return !strncasecmp(name, "mpi_send", 8) || !strncmp(name, "_ZNK3MPI4Comm4SendE", 19);
}

static bool is_mpi(const char *name)
{
    return !strncasecmp(name, "mpi_", 4) || !strncasecmp(name, "pmpi_", 5);
}

static bool is_wanted(const struct places *p, const Elf64_Sym *s, const char *name)
{
    if (s->st_shndx == SHN_UNDEF)
        return is_mpi(name);
    return is_function(s) && (holds_place(p, s) || is_mpi_send(name));
}

/* ---- tables of symbols ---- */

struct table {
    const struct sca_elf_file *f;
    uint32_t section, strings;
    Elf64_Sym *symbols;
    char *names;
    size_t count, names_size;
};

static bool open_table(const struct sca_elf_file *f, uint32_t section, struct table *t)
{
    const Elf64_Shdr *s = &f->sections[section];
    *t = (struct table){.f = f, .section = section, .strings = s->sh_link};
    if (s->sh_entsize != sizeof(Elf64_Sym) || s->sh_link >= f->header.e_shnum)
        return false;
    t->symbols = sca_elf_file_bytes(f, section);
    t->names = sca_elf_file_bytes(f, s->sh_link);
    t->count = s->sh_size / sizeof(Elf64_Sym);
    t->names_size = f->sections[s->sh_link].sh_size;
    return t->symbols && t->names;
}

static void close_table(struct table *t)
{
    sca_elf_file_free(t->f, t->section, t->symbols);
    sca_elf_file_free(t->f, t->strings, t->names);
}

static const char *name_of(const struct table *t, size_t i)
{
    return t->symbols[i].st_name < t->names_size ? t->names + t->symbols[i].st_name : "";
}

static void put_text(const struct table *t, uint64_t at, struct sca_writer *w, uint32_t *n)
{
    if (at >= t->names_size)
        return;
    sca_kept_put_range(w, t->f->sections[t->strings].sh_offset + at, t->names + at,
                       strlen(t->names + at));
    ++*n;
}

static void put_table(const struct table *t, const struct places *p, struct sca_writer *w,
                      uint32_t *n)
{
    uint64_t begin = t->f->sections[t->section].sh_offset;
    for (size_t i = 1; i < t->count; i++)
        if (is_wanted(p, &t->symbols[i], name_of(t, i))) {
            sca_kept_put_range(w, begin + i * sizeof *t->symbols, &t->symbols[i],
                               sizeof *t->symbols);
            put_text(t, t->symbols[i].st_name, w, n);
            ++*n;
        }
}

/* Whom the file is linked with, and what it is called. */
static void put_linked(const struct table *t, struct sca_writer *w, uint32_t *n)
{
    uint32_t dynamic = sca_elf_file_find(t->f, ".dynamic");
    Elf64_Dyn *entries = dynamic ? sca_elf_file_bytes(t->f, dynamic) : NULL;
    size_t count = entries ? t->f->sections[dynamic].sh_size / sizeof *entries : 0;
    for (size_t i = 0; i < count; i++)
        if (entries[i].d_tag == DT_NEEDED || entries[i].d_tag == DT_SONAME)
            put_text(t, entries[i].d_un.d_val, w, n);
    sca_elf_file_free(t->f, dynamic, entries);
}

static void put_identity(const struct sca_elf_file *f, struct sca_writer *w, uint32_t *n)
{
    for (uint32_t i = 1; i < f->header.e_shnum; i++) {
        void *bytes = sca_keep_sections_has(f, i, SCA_KEPT_NAMES) ? sca_elf_file_bytes(f, i) : NULL;
        if (!bytes)
            continue;
        sca_kept_put_range(w, f->sections[i].sh_offset, bytes, f->sections[i].sh_size);
        sca_elf_file_free(f, i, bytes);
        ++*n;
    }
}

/* ---- all of it ---- */

size_t sca_keep_names_size(const struct sca_elf_file *f)
{
    uint32_t ignored;
    return sca_keep_sections_size(f, SCA_KEPT_NAMES, &ignored) + (size_t)MOST_PLACES * SYMBOL;
}

bool sca_keep_names_put(const struct sca_elf_file *f, uint32_t module, struct sca_writer *w,
                        uint32_t *n)
{
    struct places p = places_in(module);
    put_identity(f, w, n);
    for (uint32_t i = 1; p.at && i < f->header.e_shnum; i++) {
        struct table t;
        uint32_t type = f->sections[i].sh_type;
        if (type != SHT_DYNSYM && type != SHT_SYMTAB)
            continue;
        if (open_table(f, i, &t))
            put_table(&t, &p, w, n);
        if (t.names && type == SHT_DYNSYM)
            put_linked(&t, w, n);
        close_table(&t);
    }
    if (p.at)
        munmap(p.at, PLACES_BYTES);
    return p.at && !w->failed;
}

bool sca_keep_names_offers_mpi(const struct sca_elf_file *f)
{
    bool offers = false;
    for (uint32_t i = 1; !offers && i < f->header.e_shnum; i++) {
        struct table t;
        if (f->sections[i].sh_type != SHT_DYNSYM)
            continue;
        if (open_table(f, i, &t))
            for (size_t k = 1; k < t.count && !offers; k++)
                offers = is_function(&t.symbols[k]) && is_mpi_send(name_of(&t, k));
        close_table(&t);
    }
    return offers;
}
