#include "threads/openmp_entry.h"
#include "base/guard.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CALLS = 256 };

static struct call { /* the last that were looked up */
    const char *name;
    const void *caller;
    void *found;
    bool busy;
} calls[CALLS];

static void *in_library(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void *found = handle ? dlsym(handle, name) : NULL;
    if (handle)
        dlclose(handle);
    return found;
}

/* In the calling library, or one of those that it brought along. */
static void *find_in_scope(const char *name, const void *caller)
{
    Dl_info at, own;
    bool known = dladdr(caller, &at) && dladdr((const void *)sca_openmp_next, &own);
    return known && at.dli_fbase != own.dli_fbase ? in_library(at.dli_fname, name) : NULL;
}

/* A function that ends by a jump to an entry is not the one that is returned to. */
static void *find_anywhere(const char *name)
{
    static const char *const libraries[] = {"libgomp.so.1", "libomp.so.5", "libomp.so",
                                            "libiomp5.so"};
    void *found = NULL;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !found; i++)
        found = in_library(libraries[i], name);
    return found;
}

static void *find(const char *name, const void *caller)
{
    void *found = dlsym(RTLD_NEXT, name);
    found = found ? found : find_in_scope(name, caller);
    return found ? found : find_anywhere(name);
}

static void *recall(struct call *at, const char *name, const void *caller)
{
    void *found = NULL;
    if (__atomic_exchange_n(&at->busy, true, __ATOMIC_ACQUIRE))
        return NULL;
    if (at->caller == caller && at->name == name)
        found = at->found;
    __atomic_store_n(&at->busy, false, __ATOMIC_RELEASE);
    return found;
}

static void keep(struct call *at, const struct call *what)
{
    if (__atomic_exchange_n(&at->busy, true, __ATOMIC_ACQUIRE))
        return;
    at->name = what->name;
    at->caller = what->caller;
    at->found = what->found;
    __atomic_store_n(&at->busy, false, __ATOMIC_RELEASE);
}

void *sca_openmp_next(const char *name, const void *caller)
{
    struct call *at = &calls[((uintptr_t)caller ^ (uintptr_t)name) % CALLS];
    void *found = recall(at, name, caller);
    if (found)
        return found;
    int kept = sca_thread.in_tool++;
    found = find(name, caller);
    sca_thread.in_tool = kept;
    if (found)
        keep(at, &(struct call){name, caller, found, false});
    return found;
}
