#include "unwind/modules.h"
#include "arena/arena.h"
#include "unwind/build_id.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 1024 };

/* A module, in its slot. All are looked through, so what that does not need lies elsewhere. */
struct module {
    uint64_t first, last, bias; /* first == last: not loaded now */
    uint64_t header;
    uint32_t record; /* index in SCA_T_MODULES + 1 */
};

struct file {
    uint32_t build_id_size;
    uint8_t build_id[SCA_BUILD_ID];
    char path[PATH_BYTES];
};

/* What the loader says of one module, before it has a slot. */
struct found {
    uint64_t first, last, bias, header;
    const char *path;
};

static struct module slots[SCA_MODULES];
static struct file files[SCA_MODULES]; /* of the slots */
static uint32_t nslots;                /* slots [0, nslots) are whole */
static int adding;
static char program[PATH_BYTES];
static char directory[PATH_BYTES]; /* at the start, for modules loaded by a relative name */
static uint32_t own = SCA_NONE, libc = SCA_NONE;

static struct file *file_of(const struct module *s)
{
    return &files[s - slots];
}

/* As complete a path as can be had without asking the file system. */
static void full_path(const struct found *f, char *out)
{
    const char *path = f->path && *f->path ? f->path : program;
    size_t n = 0;
    if (*path != '/' && strchr(path, '/')) {
        n = strnlen(directory, PATH_BYTES - 2);
        memcpy(out, directory, n);
        out[n++] = '/';
    }
    size_t rest = strnlen(path, PATH_BYTES - 1 - n);
    memcpy(out + n, path, rest);
    out[n + rest] = '\0';
}

static void describe(struct module *s, const struct found *f)
{
    struct file *file = file_of(s);
    s->bias = f->bias;
    s->header = f->header;
    file->build_id_size = sca_build_id(f->first, f->last, f->bias, file->build_id);
    full_path(f, file->path);
    s->last = f->last;
    __atomic_store_n(&s->first, f->first, __ATOMIC_RELEASE);
}

/* The rest of `path` behind `part`; NULL: it does not begin so. */
static const char *behind(const char *path, const char *part)
{
    size_t n = strnlen(part, PATH_BYTES);
    return path && !strncmp(path, part, n) ? path + n : NULL;
}

/* Without room for a path: programs call MPI on small stacks. */
static bool has_path(const struct file *file, const struct found *f)
{
    const char *path = f->path && *f->path ? f->path : program, *rest = file->path;
    if (*path != '/' && strchr(path, '/'))
        rest = behind(behind(rest, directory), "/");
    return rest && !strncmp(rest, path, PATH_BYTES - 1 - (size_t)(rest - file->path));
}

static bool same_file(const struct module *s, const struct found *f)
{
    const struct file *file = file_of(s);
    uint8_t id[SCA_BUILD_ID];
    if (!has_path(file, f))
        return false;
    uint32_t size = sca_build_id(f->first, f->last, f->bias, id);
    return size == file->build_id_size && !memcmp(id, file->build_id, size);
}

/* The same file, loaded again: it keeps its slot. */
static void place(struct module *s, const struct found *f)
{
    s->bias = f->bias;
    s->header = f->header;
    s->last = f->last;
    __atomic_store_n(&s->first, f->first, __ATOMIC_RELEASE);
}

/* The lock is held by other threads only: callers are marked as inside the tool, and samples that
 * interrupt those are dropped. */
static uint32_t add(const struct found *f)
{
    uint32_t i = 0;
    while (__atomic_exchange_n(&adding, 1, __ATOMIC_ACQUIRE))
        sched_yield();
    while (i < nslots && !same_file(&slots[i], f))
        i++;
    if (i < nslots) {
        place(&slots[i], f);
    } else if (i < SCA_MODULES) {
        describe(&slots[i], f);
        __atomic_store_n(&nslots, i + 1, __ATOMIC_RELEASE);
    } else {
        i = SCA_NONE;
    }
    __atomic_store_n(&adding, 0, __ATOMIC_RELEASE);
    return i;
}

static uint32_t slot_at(uint64_t address)
{
    uint32_t n = __atomic_load_n(&nslots, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < n; i++)
        if (address >= __atomic_load_n(&slots[i].first, __ATOMIC_ACQUIRE) &&
            address < slots[i].last)
            return i;
    return SCA_NONE;
}

static uint32_t slot_of(const struct found *f)
{
    uint32_t i = slot_at(f->first);
    if (i != SCA_NONE && slots[i].last == f->last && slots[i].header == f->header)
        return i;
    return add(f);
}

static void answer(const struct found *f, struct sca_loaded *out)
{
    out->slot = slot_of(f);
    out->bias = f->bias;
    out->info = (struct sca_frame_info){.header = f->header, .first = f->first, .last = f->last};
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
#pragma weak _dl_find_object
static bool ask_loader(uint64_t address, struct found *f)
{
    struct dl_find_object o;
    if (_dl_find_object((void *)(uintptr_t)address, &o))
        return false;
    *f = (struct found){.first = (uintptr_t)o.dlfo_map_start,
                        .last = (uintptr_t)o.dlfo_map_end,
                        .bias = o.dlfo_link_map->l_addr,
                        .header = (uintptr_t)o.dlfo_eh_frame,
                        .path = o.dlfo_link_map->l_name};
    return true;
}

static bool loader_answers(void)
{
    return _dl_find_object != NULL;
}
#else
static bool ask_loader(uint64_t address, struct found *f)
{
    (void)address;
    (void)f;
    return false;
}

static bool loader_answers(void)
{
    return false;
}
#endif

static int visit(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct found f = {.first = UINT64_MAX, .bias = info->dlpi_addr, .path = info->dlpi_name};
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + ph->p_vaddr;
        if (ph->p_type == PT_GNU_EH_FRAME)
            f.header = from;
        if (ph->p_type != PT_LOAD)
            continue;
        f.first = from < f.first ? from : f.first;
        f.last = from + ph->p_memsz > f.last ? from + ph->p_memsz : f.last;
    }
    if (f.first < f.last)
        slot_of(&f);
    return 0;
}

static bool find_prepared(uint64_t address, struct sca_loaded *out)
{
    uint32_t i = slot_at(address);
    if (i == SCA_NONE)
        return false;
    const struct module *s = &slots[i];
    *out = (struct sca_loaded){.slot = i,
                               .bias = s->bias,
                               .info = {.header = s->header, .first = s->first, .last = s->last}};
    return true;
}

bool sca_modules_find(uint64_t address, bool in_handler, struct sca_loaded *out)
{
    struct found f;
    if (loader_answers()) {
        if (!ask_loader(address, &f))
            return false;
        answer(&f, out);
        return true;
    }
    if (find_prepared(address, out))
        return true;
    if (in_handler)
        return false;
    dl_iterate_phdr(visit, NULL);
    return find_prepared(address, out);
}

/* Of a module that is not the program, whatever was linked into that. */
static uint32_t slot_beside(uintptr_t address)
{
    struct sca_loaded found;
    bool beside = sca_modules_find(address, false, &found) && found.slot != SCA_NONE &&
                  strcmp(files[found.slot].path, program);
    return beside ? found.slot : SCA_NONE;
}

void sca_modules_init(void)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    if (!getcwd(directory, sizeof directory))
        directory[0] = '\0';
    if (!loader_answers())
        dl_iterate_phdr(visit, NULL);
    own = slot_beside((uintptr_t)sca_modules_init);
    libc = slot_beside((uintptr_t)sysconf); /* of the C library itself: direct.c has it not */
}

uint32_t sca_modules_own(void)
{
    return own;
}

uint32_t sca_modules_libc(void)
{
    return libc;
}

uint64_t sca_modules_bias(uint32_t slot)
{
    return slots[slot].bias;
}

bool sca_modules_library(uint32_t slot, uint64_t *first, uint64_t *last)
{
    *first = slots[slot].first;
    *last = slots[slot].last;
    return *first < *last && strcmp(files[slot].path, program);
}

static void fill_record(struct sca_part_module *m, const struct module *s)
{
    const struct file *file = file_of(s);
    uint32_t path = sca_arena_string(file->path);
    m->first = s->first;
    m->last = s->last;
    m->bias = s->bias;
    m->path = path == SCA_NONE ? 0 : path;
    m->build_id_size = file->build_id_size;
    memcpy(m->build_id, file->build_id, sizeof m->build_id);
}

uint32_t sca_modules_record(uint32_t slot)
{
    if (slot >= SCA_MODULES)
        return SCA_NONE;
    struct module *s = &slots[slot];
    if (!s->record) {
        struct sca_part_module *m = sca_arena_next(SCA_T_MODULES);
        if (!m)
            return SCA_NONE;
        fill_record(m, s);
        s->record = sca_arena_commit(SCA_T_MODULES) + 1;
    }
    return s->record - 1;
}

static bool still_there(const struct module *s)
{
    struct found f;
    return ask_loader(s->first, &f) && f.first == s->first && f.last == s->last &&
           f.header == s->header && same_file(s, &f);
}

/* Without the loader's word every library's slot is given up: the next look-up finds it anew. */
void sca_modules_retire(void (*gone)(uint64_t first, uint64_t last))
{
    for (uint32_t i = 0; i < nslots; i++) {
        struct module *s = &slots[i];
        uint64_t first = s->first, last = s->last;
        if (first == last || (loader_answers() && still_there(s)))
            continue;
        __atomic_store_n(&s->first, last, __ATOMIC_RELEASE);
        gone(first, last);
    }
}
