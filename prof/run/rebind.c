#include "run/rebind.h"
#include "base/dynamic.h"
#include "mpi/symbols.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SEEN = 4096 };

static const void
    *seen[SEEN]; /* dynamic sections of files that were looked at; under the loader's lock */
static unsigned nseen;
static unsigned long long loaded; /* files so far, by the loader's count */

/* Lists of files: the first namespace's and those of dlmopen, where the C library tells. */
static struct link_map *list_of(unsigned i)
{
#if __GLIBC_PREREQ(2, 35)
    uintptr_t at = (uintptr_t)&_r_debug;
    __asm__("" : "+r"(at)); /* larger than it was declared at first */
    const struct r_debug_extended *space = (const struct r_debug_extended *)at;
    for (; i && space && space->base.r_version > 1; i--)
        space = space->r_next;
    return space && !i ? space->base.r_map : NULL;
#else
    return i ? NULL : _r_debug.r_map;
#endif
}

struct slot {
    struct link_map *file;
    uint64_t *at;
    const char *name;
    bool is_call; /* may not be bound yet */
    bool apart;   /* in a namespace of dlmopen */
};

static bool lies_in(const void *address, const struct link_map *file)
{
    const void *first;
    return sca_dynamic_file_of(address, &first) == file;
}

static void *find_in(const struct link_map *file, const char *name)
{
    struct sca_dynamic d;
    bool there = file->l_ld && sca_dynamic_read_section(file->l_ld, file->l_addr, &d);
    return there ? sca_dynamic_find(&d, name) : NULL;
}

/* What the global scope says first: files that were loaded at the start come first in the list. */
static void *first_of(const char *name)
{
    void *found = NULL;
    for (struct link_map *file = list_of(0); file && !found; file = file->l_next)
        found = find_in(file, name);
    return found;
}

/* Bound to MPI's function; or not bound yet, and it would be, or to ours. */
static bool is_past(const struct slot *s, void *own)
{
    void *bound;
    memcpy(&bound, s->at, sizeof bound);
    if (bound == own)
        return false;
    if (!s->is_call || !lies_in(bound, s->file))
        return sca_symbols_is_mpi(bound);
    return s->apart || first_of(s->name) == own;
}

/* The loader may have closed the page. */
static void write_slot(const struct slot *s, void *own)
{
    long page = sysconf(_SC_PAGESIZE);
    uintptr_t from = (uintptr_t)s->at & ~(uintptr_t)(page - 1);
    const void *first;
    bool closed =
        sca_dynamic_file_of(s->at, &first) && sca_dynamic_is_closed(first, s->file->l_addr, s->at);
    if (closed && mprotect((void *)from, (size_t)page, PROT_READ | PROT_WRITE))
        return;
    __atomic_store_n(s->at, (uint64_t)(uintptr_t)own, __ATOMIC_RELEASE);
    if (closed)
        mprotect((void *)from, (size_t)page, PROT_READ);
}

static void look_at_slot(const struct slot *s)
{
    void *own = sca_symbols_own(s->name);
    if (!own || !is_past(s, own))
        return;
    write_slot(s, own);
    if (s->apart)
        sca_symbols_look_in(s->file);
}

static bool is_mpi_name(const char *name)
{
    return !strncmp(name, "MPI", 3) || !strncmp(name, "mpi_", 4);
}

static void look_at(struct link_map *file, const struct sca_dynamic *d, const ElfW(Rela) * r,
                    bool apart)
{
    uint64_t type = ELF64_R_TYPE(r->r_info), index = ELF64_R_SYM(r->r_info);
    bool is_call = type == R_X86_64_JUMP_SLOT;
    bool is_data = type == R_X86_64_GLOB_DAT || (type == R_X86_64_64 && !r->r_addend);
    if ((!is_call && !is_data) || !index || d->symbols[index].st_shndx != SHN_UNDEF)
        return;
    struct slot s = {.file = file,
                     .at = (uint64_t *)(uintptr_t)(file->l_addr + r->r_offset),
                     .name = d->strings + d->symbols[index].st_name,
                     .is_call = is_call,
                     .apart = apart};
    if (is_mpi_name(s.name))
        look_at_slot(&s);
}

static void look_at_file(struct link_map *file, bool apart)
{
    struct sca_dynamic d;
    if (!file->l_ld || !sca_dynamic_read_section(file->l_ld, file->l_addr, &d))
        return;
    for (unsigned t = 0; t < 2; t++)
        for (uint64_t i = 0; i < d.nrelocations[t]; i++)
            look_at(file, &d, &d.relocations[t][i], apart);
}

/* True if it is new; what there is no room for is looked at each time. */
static bool is_new(const struct link_map *file)
{
    for (unsigned i = 0; i < nseen; i++)
        if (seen[i] == file->l_ld)
            return false;
    if (nseen < SEEN)
        seen[nseen++] = file->l_ld;
    return true;
}

/* The loader holds its lock meanwhile: no file is loaded or unloaded. */
static int look_at_all(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (info->dlpi_adds == loaded)
        return 1;
    loaded = info->dlpi_adds;
    struct link_map *file;
    for (unsigned i = 0; (file = list_of(i)); i++)
        for (; file; file = file->l_next)
            if (is_new(file) && !sca_symbols_is_own(file->l_ld))
                look_at_file(file, i > 0);
    return 1;
}

void sca_rebind_look(void)
{
    dl_iterate_phdr(look_at_all, NULL);
}

static bool is_apart(const struct link_map *file)
{
    struct link_map *first = list_of(0);
    while (first && first != file)
        first = first->l_next;
    return !first;
}

void sca_rebind_found(void *handle)
{
    struct link_map *file = NULL;
    if (!dlinfo(handle, RTLD_DI_LINKMAP, &file) && file && is_apart(file))
        sca_symbols_look_in(file);
}

static int forget(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)info;
    (void)size;
    (void)unused;
    nseen = 0;
    return 1;
}

void sca_rebind_forget(void)
{
    dl_iterate_phdr(forget, NULL);
}

/* ---- functions of other libraries ---- */

struct binding_names {
    const struct sca_rebind_name *names;
    unsigned n, found;
};

static void bind_slot(const struct binding_names *b, struct link_map *file,
                      const struct sca_dynamic *d, const ElfW(Rela) * r)
{
    uint64_t type = ELF64_R_TYPE(r->r_info), index = ELF64_R_SYM(r->r_info);
    bool is_call = type == R_X86_64_JUMP_SLOT;
    if ((!is_call && type != R_X86_64_GLOB_DAT) || !index ||
        d->symbols[index].st_shndx != SHN_UNDEF)
        return;
    const char *name = d->strings + d->symbols[index].st_name;
    const struct slot s = {.file = file,
                           .at = (uint64_t *)(uintptr_t)(file->l_addr + r->r_offset),
                           .name = name,
                           .is_call = is_call};
    for (unsigned i = 0; i < b->n; i++)
        if (*b->names[i].real && !strcmp(name, b->names[i].name))
            write_slot(&s, b->names[i].own);
}

static void bind_file(const struct binding_names *b, struct link_map *file)
{
    struct sca_dynamic d;
    if (!file->l_ld || !sca_dynamic_read_section(file->l_ld, file->l_addr, &d))
        return;
    for (unsigned i = 0; i < b->n; i++)
        if (sca_dynamic_find(&d, b->names[i].name))
            return; /* it has them itself */
    for (unsigned t = 0; t < 2; t++)
        for (uint64_t i = 0; i < d.nrelocations[t]; i++)
            bind_slot(b, file, &d, &d.relocations[t][i]);
}

/* The loader holds its lock meanwhile. */
static int bind_all(struct dl_phdr_info *info, size_t size, void *context)
{
    struct binding_names *b = context;
    (void)info;
    (void)size;
    for (unsigned i = 0; i < b->n; i++) {
        *b->names[i].real = first_of(b->names[i].name);
        b->found += *b->names[i].real != NULL;
    }
    for (struct link_map *file = b->found ? list_of(0) : NULL; file; file = file->l_next)
        if (!sca_symbols_is_own(file->l_ld))
            bind_file(b, file);
    return 1;
}

void sca_rebind_names(const struct sca_rebind_name *names, unsigned n)
{
    struct binding_names b = {names, n, 0};
    dl_iterate_phdr(bind_all, &b);
}

static bool was_ready(const struct link_map *file)
{
    int (*initialized)(int *) = NULL;
    int flag = 0;
    void *found = find_in(file, "PMPI_Initialized");
    memcpy(&initialized, &found, sizeof found);
    return initialized && !initialized(&flag) && flag;
}

const char *sca_rebind_passed_by(void)
{
    struct link_map *file;
    for (unsigned i = 0; (file = list_of(i)); i++)
        for (; file; file = file->l_next)
            if (was_ready(file))
                return i ? "MPI was loaded into a separate namespace (dlmopen), without the "
                           "preloaded library"
                         : "the program's MPI calls bypass the preloaded library (RTLD_DEEPBIND, "
                           "or a look-up other than the C library's dlsym)";
    return NULL;
}
