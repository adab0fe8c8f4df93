/*
 * usage: looked_up WAY LIBRARY
 * Reaches MPI past what is linked: looks all of it up in the library's own handle (handle) or in
 * the global scope (default), opens a plugin with RTLD_DEEPBIND, bound at once (deep) or later
 * (lazy), or in a namespace of its own (space). WAY next: RTLD_NEXT says what the C library says.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int function();

static const char *library;

static function *find(void *handle, const char *name)
{
    function *found;
    *(void **)&found = dlsym(handle, name);
    if (!found)
        printf("no %s: %s\n", name, dlerror());
    return found;
}

static int ranks(void *handle)
{
    char name[4096];
    int ready = 0, length = 0;
    find(handle, "MPI_Init")(NULL, NULL);
    find(handle, "MPI_Initialized")(&ready);
    for (int i = 0; i < 7; i++)
        find(handle, "MPI_Get_processor_name")(name, &length);
    return ready;
}

/* An error in vain must still be told, and one that was not must not be. */
static void errors(void *handle)
{
    dlerror();
    void *there = dlsym(handle, "MPI_Barrier");
    printf("%d %d\n", there != NULL, dlerror() == NULL);
    void *wtime = dlsym(handle, "MPI_Wtime");
    printf("%d %d\n", wtime != NULL, dlerror() == NULL);
    void *none = dlsym(handle, "MPI_No_such_function");
    printf("%d %d\n", none == NULL, dlerror() != NULL);
}

static void calls(void *handle)
{
    printf("ready %d\n", ranks(handle));
    errors(handle);
    find(handle, "MPI_Finalize")();
}

static void plugin(void *handle)
{
    if (!handle)
        printf("%s\n", dlerror());
    else
        find(handle, "go")();
}

static void next(void)
{
    Dl_info info;
    void *open = dlsym(RTLD_NEXT, "fopen"), *same = dlsym(RTLD_DEFAULT, "fopen");
    printf("%d %d\n", open == same, dladdr(open, &info) && strstr(info.dli_fname, "libc.so"));
    printf("%d\n", dlsym(RTLD_NEXT, "main") == NULL);
    plugin(dlopen(library, RTLD_NOW | RTLD_LOCAL));
}

/* Launchers mix what ranks print. */
static int is_first(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return !rank || !strcmp(rank, "0");
}

int main(int argc, char **argv)
{
    const char *way = argc > 2 ? argv[1] : "";
    library = argv[argc - 1];
    if (!is_first())
        freopen("/dev/null", "w", stdout);
    if (!strcmp(way, "handle"))
        calls(dlopen(argv[2], RTLD_NOW | RTLD_LOCAL));
    else if (!strcmp(way, "default"))
        calls(dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL) ? RTLD_DEFAULT : NULL);
    else if (!strcmp(way, "deep"))
        plugin(dlopen(argv[2], RTLD_NOW | RTLD_DEEPBIND));
    else if (!strcmp(way, "lazy"))
        plugin(dlopen(argv[2], RTLD_LAZY | RTLD_DEEPBIND));
    else if (!strcmp(way, "space"))
        plugin(dlmopen(LM_ID_NEWLM, argv[2], RTLD_NOW));
    else if (!strcmp(way, "next"))
        next();
    fflush(stdout);
    return 0;
}
