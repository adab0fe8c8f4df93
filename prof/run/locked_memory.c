/*
 * mlockall() of the program: what it has and will have stays in memory, as it asked. What this
 * library has reserved and not used is none of that, and megabytes of each rank.
 */
#include "base/reserve.h"
#include "calls/activity.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int lock_all(int flags)
{
    int (*next)(int) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "mlockall");
    return next ? next(flags) : (int)syscall(SYS_mlockall, flags);
}

SCA_ENTRY int mlockall(int flags)
{
    int result = lock_all(flags);
    if (result || !(flags & MCL_CURRENT))
        return result;
    int error = errno;
    sca_reserve_unlock_all();
    errno = error;
    return 0;
}
