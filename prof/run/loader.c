/*
 * dlclose, interposed: what was known of the code that leaves must be forgotten, since other code
 * may come to lie there. dlopen is left alone: it looks libraries up by who calls it, and new
 * modules are found when their first address is met.
 */
#include "run/rebind.h"
#include "unwind/callpath.h"
#include "windows/loops.h"

#include <dlfcn.h>

typedef int close_function(void *);

static close_function *real_close(void)
{
    static close_function *real;
    close_function *found = __atomic_load_n(&real, __ATOMIC_RELAXED);
    if (found)
        return found;
    *(void **)&found = dlsym(RTLD_NEXT, "dlclose");
    __atomic_store_n(&real, found, __ATOMIC_RELAXED);
    return found;
}

__attribute__((visibility("default"))) int dlclose(void *handle)
{
    close_function *close = real_close();
    int status = close ? close(handle) : -1;
    sca_callpath_modules_changed();
    sca_loops_modules_changed();
    sca_rebind_forget();
    return status;
}
