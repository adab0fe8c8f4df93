#include "mpi/symbols.h"
#include "base/dynamic.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

sca_code sca_real[SCA_FN_COUNT];
sca_code sca_below[SCA_FN_COUNT];
sca_code sca_real_fortran[SCA_FORTRAN_COUNT];

enum { MPI_ERR_OTHER_GUESS = 16 };

static sca_word missing(void)
{
    return MPI_ERR_OTHER_GUESS;
}

static const struct link_map *file_of(const void *address)
{
    const void *first;
    return sca_dynamic_file_of(address, &first);
}

static const struct link_map *own_file(void)
{
    static const struct link_map *own;
    const struct link_map *file = __atomic_load_n(&own, __ATOMIC_RELAXED);
    if (!file) {
        file = file_of((const void *)(uintptr_t)own_file);
        __atomic_store_n(&own, file, __ATOMIC_RELAXED);
    }
    return file;
}

static bool read_file(const struct link_map *file, struct sca_dynamic *d)
{
    return file && file->l_ld && sca_dynamic_read_section(file->l_ld, file->l_addr, d);
}

bool sca_symbols_is_own(const void *address)
{
    const struct link_map *file = file_of(address);
    return file && file == own_file();
}

void *sca_symbols_own(const char *name)
{
    struct sca_dynamic d;
    return read_file(own_file(), &d) ? sca_dynamic_find(&d, name) : NULL;
}

bool sca_symbols_is_mpi(const void *address)
{
    static const char *const names[] = {"PMPI_Init", "pmpi_init_", "PMPI_INIT", "pmpi_init_f08_"};
    const struct link_map *file = file_of(address);
    struct sca_dynamic d;
    if (file == own_file() || !read_file(file, &d))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sca_dynamic_find(&d, names[i]))
            return true;
    return false;
}

static const struct link_map *elsewhere; /* any file of a namespace that has an MPI library */

void sca_symbols_look_in(const struct link_map *file)
{
    while (file->l_prev)
        file = file->l_prev;
    __atomic_store_n(&elsewhere, file, __ATOMIC_RELEASE);
}

static void *find_in_files(const struct link_map *file, const char *name)
{
    struct sca_dynamic d;
    void *found = NULL;
    for (; file && !found; file = file->l_next)
        if (read_file(file, &d))
            found = sca_dynamic_find(&d, name);
    return found;
}

struct hunt {
    const char *name;
    void *found;
};

/* dlopen with RTLD_NOLOAD only asks for a handle of what is there already. */
static int look_in(struct dl_phdr_info *info, size_t size, void *data)
{
    struct hunt *hunt = data;
    const char *base = strrchr(info->dlpi_name, '/');
    (void)size;
    if (!base || strncmp(base, "/libmpi", 7) != 0)
        return 0;
    void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        return 0;
    hunt->found = dlsym(handle, hunt->name);
    dlclose(handle);
    return hunt->found != NULL;
}

static void *find(void *scope, const char *name)
{
    void *found = dlsym(scope, name);
    if (found)
        return found;
    struct hunt hunt = {name, NULL};
    dl_iterate_phdr(look_in, &hunt);
    return hunt.found ? hunt.found
                      : find_in_files(__atomic_load_n(&elsewhere, __ATOMIC_ACQUIRE), name);
}

void *sca_symbols_find(const char *name)
{
    return find(RTLD_NEXT, name);
}

void *sca_symbols_find_variable(const char *name)
{
    return find(RTLD_DEFAULT, name);
}

static sca_code code_of(void *address)
{
    sca_code code;
    memcpy(&code, &address, sizeof code);
    return code;
}

static bool same_object(void *a, void *b)
{
    Dl_info of_a, of_b;
    return dladdr(a, &of_a) && dladdr(b, &of_b) && of_a.dli_fbase == of_b.dli_fbase;
}

/* `plain` is MPI's name for it. Where that is not the MPI library's own, it is another tool's. */
static void *choose(const char *profiling, const char *plain)
{
    void *below = sca_symbols_find(profiling);
    void *next = below ? dlsym(RTLD_NEXT, plain) : sca_symbols_find(plain);
    return below && (!next || same_object(next, below)) ? below : next;
}

sca_code sca_symbols_resolve(unsigned function)
{
    char name[80];
    const char *plain = sca_function_name(function);
    snprintf(name, sizeof name, "P%s", plain);
    void *found = choose(name, plain);
    return found ? sca_real[function] = code_of(found) : (sca_code)missing;
}

sca_code sca_symbols_resolve_below(unsigned function)
{
    char name[80];
    snprintf(name, sizeof name, "P%s", sca_function_name(function));
    void *found = sca_symbols_find(name);
    return found ? sca_below[function] = code_of(found) : (sca_code)missing;
}

/* An entry without a profiling name (MPICH's f08) is forwarded to itself. */
sca_code sca_symbols_resolve_fortran(unsigned entry)
{
    char name[96];
    const char *plain = sca_fortran_name(entry);
    snprintf(name, sizeof name, "p%s", plain);
    void *found = choose(name, plain);
    return found ? sca_real_fortran[entry] = code_of(found) : (sca_code)missing;
}
