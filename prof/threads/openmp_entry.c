#include "threads/openmp_entry.h"
#include "base/guard.h"

#include <stddef.h>

static void *in_library(const char *library, const char *name)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    void *found = handle ? dlsym(handle, name) : NULL;
    if (handle)
        dlclose(handle);
    return found;
}

/* Of a library that the program brought along later, perhaps for one of its own alone. */
static void *find_late(const char *name)
{
    static const char *const libraries[] = {"libgomp.so.1", "libomp.so.5", "libomp.so",
                                            "libiomp5.so"};
    void *found = dlsym(RTLD_NEXT, name);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !found; i++)
        found = in_library(libraries[i], name);
    return found; /* NULL: a call ends the program, as it does without this library */
}

void *sca_openmp_next(void **known, const char *name)
{
    void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (__builtin_expect(!found, 0)) {
        int kept = sca_thread.in_tool++;
        found = find_late(name);
        sca_thread.in_tool = kept;
        __atomic_store_n(known, found, __ATOMIC_RELAXED);
    }
    return found;
}
