#include "image/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* As in elfutils/debuginfod.h; the client is libdebuginfod's own. */
typedef void *client;
typedef int progress_function(client c, long done, long all);
typedef int find_function(client c, const unsigned char *build_id, int length, char **path);

struct library {
    void *handle;
    client (*begin)(void);
    void (*end)(client c);
    void (*set_progress)(client c, progress_function *function);
    find_function *find[2]; /* by enum sca_debuginfod_kind */
};

static bool given_up; /* a server did not answer: each question would take as long again */
static time_t last_sign;
static long last_bytes;

static bool take(const struct library *l, const char *name, void *function)
{
    *(void **)function = dlsym(l->handle, name);
    return *(void **)function;
}

static bool open_library(struct library *l)
{
    l->handle = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_LOCAL);
    return l->handle && take(l, "debuginfod_begin", &l->begin) &&
           take(l, "debuginfod_end", &l->end) &&
           take(l, "debuginfod_set_progressfn", &l->set_progress) &&
           take(l, "debuginfod_find_executable", &l->find[SCA_DEBUGINFOD_EXECUTABLE]) &&
           take(l, "debuginfod_find_debuginfo", &l->find[SCA_DEBUGINFOD_DEBUG]);
}

static time_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* Called about once a second; anything but 0 gives up. Until a server answers `done` counts these
 * calls, one by one, afterwards bytes. */
static int watch(client c, long done, long all)
{
    (void)c;
    (void)all;
    if (done != last_bytes && done != last_bytes + 1)
        last_sign = now();
    last_bytes = done;
    given_up = now() - last_sign >= SCA_DEBUGINFOD_SECONDS;
    return given_up;
}

static char *ask(const struct library *l, const char *build_id, enum sca_debuginfod_kind kind)
{
    char *path = NULL;
    client c = l->begin();
    if (!c)
        return NULL;
    if (!getenv("DEBUGINFOD_TIMEOUT"))
        l->set_progress(c, watch);
    last_sign = now();
    last_bytes = 0;
    int file = l->find[kind](c, (const unsigned char *)build_id, 0, &path);
    l->end(c);
    if (file >= 0)
        close(file);
    given_up |= file < 0 && file != -ENOENT;
    return file >= 0 ? path : NULL;
}

char *sca_debuginfod_find(const char *build_id, enum sca_debuginfod_kind kind)
{
    static struct library library;
    static int opened; /* 0: not tried */
    const char *servers = getenv("DEBUGINFOD_URLS");
    if (given_up || !servers || !*servers || !*build_id)
        return NULL;
    if (!opened)
        opened = open_library(&library) ? 1 : -1;
    return opened > 0 ? ask(&library, build_id, kind) : NULL;
}
