/* MPICH spins while it waits, as UCX does: with more ranks than cores it takes whole time slices
 * until another rank gets on. Preloaded beside the runtime by tests, this gives the core away
 * wherever a look for messages found none; Open MPI has a setting for that (mpi_yield_when_idle).
 */
#include <dlfcn.h>
#include <sched.h>

typedef unsigned progress(void *worker);

/* UCX's, of ucp.h: the number of events, 0 if there were none. */
unsigned ucp_worker_progress(void *worker)
{
    static progress *next;
    if (!next) /* from its own library: a program may have loaded MPI for itself alone */
        next = (progress *)dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD),
                                 "ucp_worker_progress");
    unsigned events = next(worker);
    if (!events)
        sched_yield();
    return events;
}
