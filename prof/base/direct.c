/*
 * What the library asks of the C library and of the kernel, it asks of them: the names below mean
 * these functions in all of this shared library, and are not seen outside. Others that are
 * preloaded or linked in put functions of their own in front of the C library's, for the program's
 * sake. A sanitizer's may do so only on threads that it has set up already, and not within each
 * other, as in a signal's handler; and one that counts the program's calls is not to count ours.
 *
 * Of the shared library alone: programs that link its code as an archive keep their functions.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* ---- the kernel's ---- */

HIDDEN int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    unsigned mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

HIDDEN int close(int descriptor)
{
    return (int)syscall(SYS_close, descriptor);
}

HIDDEN ssize_t pread(int descriptor, void *to, size_t size, off_t at)
{
    return syscall(SYS_pread64, descriptor, to, size, at);
}

HIDDEN ssize_t write(int descriptor, const void *from, size_t size)
{
    return syscall(SYS_write, descriptor, from, size);
}

HIDDEN ssize_t pwrite(int descriptor, const void *from, size_t size, off_t at)
{
    return syscall(SYS_pwrite64, descriptor, from, size, at);
}

HIDDEN ssize_t readlink(const char *path, char *to, size_t size)
{
    return syscall(SYS_readlink, path, to, size);
}

/* All that this library asks for take one word or none. */
HIDDEN int ioctl(int descriptor, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    long argument = va_arg(more, long);
    va_end(more);
    return (int)syscall(SYS_ioctl, descriptor, request, argument);
}

HIDDEN void *mmap(void *at, size_t size, int access, int flags, int descriptor, off_t offset)
{
    return (void *)syscall(SYS_mmap, at, size, access, flags, descriptor, offset);
}

HIDDEN int munmap(void *at, size_t size)
{
    return (int)syscall(SYS_munmap, at, size);
}

HIDDEN int mprotect(void *at, size_t size, int access)
{
    return (int)syscall(SYS_mprotect, at, size, access);
}

/* ---- the C library's ---- */

static int ask_clock(clockid_t clock, struct timespec *now)
{
    return (int)syscall(SYS_clock_gettime, clock, now);
}

static int ask_resolution(clockid_t clock, struct timespec *tick)
{
    return (int)syscall(SYS_clock_getres, clock, tick);
}

/* name, result, parameters, arguments */
#define FUNCTIONS(X)                                                                               \
    X(memcpy, void *, (void *to, const void *from, size_t size), (to, from, size))                 \
    X(memmove, void *, (void *to, const void *from, size_t size), (to, from, size))                \
    X(memset, void *, (void *at, int byte, size_t size), (at, byte, size))                         \
    X(memcmp, int, (const void *a, const void *b, size_t size), (a, b, size))                      \
    X(strlen, size_t, (const char *text), (text))                                                  \
    X(strnlen, size_t, (const char *text, size_t most), (text, most))                              \
    X(strcmp, int, (const char *a, const char *b), (a, b))                                         \
    X(strncmp, int, (const char *a, const char *b, size_t most), (a, b, most))                     \
    X(strchr, char *, (const char *text, int byte), (text, byte))                                  \
    X(strrchr, char *, (const char *text, int byte), (text, byte))                                 \
    X(strstr, char *, (const char *text, const char *part), (text, part))                          \
    X(strspn, size_t, (const char *text, const char *set), (text, set))                            \
    X(strcspn, size_t, (const char *text, const char *set), (text, set))                           \
    X(vsnprintf, int, (char *to, size_t size, const char *format, va_list values),                 \
      (to, size, format, values))

#define DECLARE(name, result, parameters, arguments) result(*name) parameters;
#define FIRST(name, result, parameters, arguments)   static result first_##name parameters;
#define BEGIN(name, result, parameters, arguments)   .name = first_##name,
FUNCTIONS(FIRST)
static struct {
    FUNCTIONS(DECLARE)
    int (*clock_gettime)(clockid_t, struct timespec *);
    int (*clock_getres)(clockid_t, struct timespec *);
} real = {FUNCTIONS(BEGIN).clock_gettime = ask_clock, .clock_getres = ask_resolution};

static void find(void **function, const char *name, void *library)
{
    void *found = dlsym(library, name);
    if (found)
        *function = found;
}

/* Before other constructors of the library. Those of other libraries may call it earlier still. */
__attribute__((constructor(101))) static void find_all(void)
{
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
#define FIND(name, result, parameters, arguments) find((void **)&real.name, #name, library);
    FUNCTIONS(FIND)
    find((void **)&real.clock_gettime, "clock_gettime", library);
    find((void **)&real.clock_getres, "clock_getres", library);
}

#define DEFINE_FIRST(name, result, parameters, arguments)                                          \
    static result first_##name parameters                                                          \
    {                                                                                              \
        find_all();                                                                                \
        return real.name arguments;                                                                \
    }
FUNCTIONS(DEFINE_FIRST)

#define DEFINE(name, result, parameters, arguments)                                                \
    HIDDEN result name parameters                                                                  \
    {                                                                                              \
        return real.name arguments;                                                                \
    }
FUNCTIONS(DEFINE)

HIDDEN int snprintf(char *to, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = real.vsnprintf(to, size, format, values);
    va_end(values);
    return length;
}

HIDDEN int clock_gettime(clockid_t clock, struct timespec *now)
{
    return real.clock_gettime(clock, now);
}

HIDDEN int clock_getres(clockid_t clock, struct timespec *tick)
{
    return real.clock_getres(clock, tick);
}
