#include "base/own_thread.h"

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>

enum { STACK = 256 << 10 }; /* the usual megabytes would all be taken if memory is locked */

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* By its name alone it would be this library's (sampling/spawn.c). */
static create_function *first_in_the_process(void)
{
    create_function *found = NULL;
    *(void **)&found = dlsym(RTLD_DEFAULT, "pthread_create");
    return found;
}

bool sca_own_thread_begin(pthread_t *thread, void *(*function)(void *))
{
    create_function *create = first_in_the_process();
    pthread_attr_t small;
    sigset_t all, kept;
    if (!create)
        return false;
    sigfillset(&all);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    bool begun = !create(thread, &small, function, NULL);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    pthread_attr_destroy(&small);
    return begun;
}
