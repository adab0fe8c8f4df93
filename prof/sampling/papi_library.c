#include "sampling/papi_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct sca_papi sca_papi;

static void *opened;
static bool tried;

static bool find_functions(void *library)
{
#define FIND(name)                                                                                 \
    *(void **)&sca_papi.name = dlsym(library, "PAPI_" #name);                                      \
    if (!sca_papi.name)                                                                            \
        return false;
    SCA_PAPI_FUNCTIONS(FIND)
#undef FIND
    return true;
}

static const char *initialise(void)
{
    int version = sca_papi.library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT)
        return version > 0 ? "another version of PAPI" : sca_papi.strerror(version);
    int status = sca_papi.thread_init(pthread_self);
    return status == PAPI_OK ? NULL : sca_papi.strerror(status);
}

/* By the version of papi.h, as PAPI names its libraries; else whichever is installed, and
 * library_init decides. */
static void *open_by_name(int flags)
{
    char versioned[32];
    snprintf(versioned, sizeof versioned, "libpapi.so.%d.%d", PAPI_VERSION_MAJOR(PAPI_VERSION),
             PAPI_VERSION_MINOR(PAPI_VERSION));
    void *library = dlopen(versioned, RTLD_NOW | RTLD_LOCAL | flags);
    return library ? library : dlopen("libpapi.so", RTLD_NOW | RTLD_LOCAL | flags);
}

/* PAPI runs one event set per thread: a program that counts by itself keeps it for itself. */
static const char *open_library(void)
{
    if (open_by_name(RTLD_NOLOAD))
        return "PAPI is in use by the program";
    opened = open_by_name(0);
    if (!opened)
        return "no libpapi";
    if (!find_functions(opened))
        return "libpapi lacks functions";
    return initialise();
}

const char *sca_papi_library_open(void)
{
    static const char *said;
    if (!tried)
        said = open_library();
    tried = true;
    return said;
}

void sca_papi_library_close(void)
{
    if (sca_papi_library_open())
        return;
    sca_papi.shutdown();
    dlclose(opened);
    sca_papi = (struct sca_papi){0};
    tried = false;
}
