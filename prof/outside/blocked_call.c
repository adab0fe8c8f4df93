#include "outside/blocked_call.h"
#include "outside/shared_object.h"

#include <errno.h>
#include <sys/stat.h>

enum { LEAST_NS = 20000 }; /* falling asleep and waking up take some microseconds */

static bool is_long(uint64_t began_ns)
{
    return began_ns && sca_clock_now() - began_ns >= LEAST_NS;
}

static void book(unsigned function, uint64_t began_ns, const void *return_address, const void *cfa)
{
    sca_interval_slept(sca_clock_now() - began_ns);
    struct sca_call *call = sca_activity_enter(function, return_address, cfa);
    if (!call)
        return;
    sca_activity_exit(call);
    sca_activity_leave(call);
}

void sca_blocked_call_end(unsigned function, uint64_t began_ns, const void *return_address,
                          const void *cfa)
{
    int kept = errno;
    if (is_long(began_ns))
        book(function, began_ns, return_address, cfa);
    errno = kept;
}

void sca_blocked_call_end_shared(unsigned function, uint64_t began_ns, const void *object,
                                 const void *return_address, const void *cfa)
{
    int kept = errno;
    if (is_long(began_ns) && sca_shared_object(object))
        book(function, began_ns, return_address, cfa);
    errno = kept;
}

static bool is_stream(int descriptor)
{
    struct stat st;
    return !fstat(descriptor, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) &&
           !S_ISBLK(st.st_mode);
}

void sca_blocked_call_end_stream(unsigned function, uint64_t began_ns, int descriptor,
                                 const void *return_address, const void *cfa)
{
    int kept = errno;
    if (is_long(began_ns) && is_stream(descriptor))
        book(function, began_ns, return_address, cfa);
    errno = kept;
}
