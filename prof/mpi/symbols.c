#include "mpi/symbols.h"
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
    return hunt.found;
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

/* Nothing of this is the program's: what a look-up in vain would leave for dlerror() is taken. */
static bool has(void *handle, const char *name, const void *base)
{
    Dl_info info;
    void *found = dlsym(handle, name);
    if (!found)
        dlerror();
    return found && dladdr(found, &info) && info.dli_fbase == base;
}

bool sca_symbols_is_mpi(const void *address)
{
    static const char *const names[] = {"PMPI_Init", "pmpi_init_", "PMPI_INIT", "pmpi_init_f08_"};
    Dl_info info;
    bool found = false;
    if (!dladdr(address, &info) || !info.dli_fname)
        return false;
    void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) {
        dlerror();
        return false;
    }
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
        found = has(handle, names[i], info.dli_fbase);
    dlclose(handle);
    return found;
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
