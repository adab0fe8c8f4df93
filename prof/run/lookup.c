#include "run/lookup.h"
#include "base/guard.h"
#include "mpi/symbols.h"
#include "run/rebind.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

typedef void *lookup_function(void *, const char *);
extern lookup_function *sca_lookup_real;
lookup_function *sca_lookup_real;

/* The arguments are kept, so that the C library's own can be jumped to with the caller's return
 * address: by that it knows what comes next (RTLD_NEXT), and which scope is meant. */
__asm__(".text\n"
        ".balign 16\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        ".hidden sca_lookup_real\n"
        ".hidden sca_lookup_instead\n"
        "dlsym:\n"
        ".cfi_startproc\n"
        "    endbr64\n"
        "    pushq %rdi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %rsi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    movq 24(%rsp), %rdx\n"
        "    call sca_lookup_instead\n"
        "    addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rsi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rdi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    testq %rax, %rax\n"
        "    jnz 1f\n"
        "    jmp *sca_lookup_real(%rip)\n"
        "1:  ret\n"
        ".cfi_endproc\n"
        ".size dlsym, . - dlsym\n");

static void *nothing(void *handle, const char *name)
{
    (void)handle;
    (void)name;
    return NULL;
}

/* Since dlsym moved from one of the C library's files to another it has two versions. */
static void find_real(void)
{
    lookup_function *found;
    *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    if (!found)
        *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    __atomic_store_n(&sca_lookup_real, found ? found : nothing, __ATOMIC_RELAXED);
}

/* Others look things up before this library is set up: a sanitizer finds what it stands in front
 * of. */
static bool begun;

__attribute__((constructor(102))) static void begin(void)
{
    begun = true;
}

static bool is_mpi_name(const char *name)
{
    return !strncmp(name, "MPI", 3) || !strncmp(name, "mpi_", 4);
}

static bool is_own_caller(const void *caller)
{
    extern const char __ehdr_start[] __attribute__((visibility("hidden")));
    extern const char _end[] __attribute__((visibility("hidden")));
    return (const char *)caller >= __ehdr_start && (const char *)caller < _end;
}

/* By the library's own handle, or by the global scope: there the first definition counts. */
static void *answer(void *handle, const char *name)
{
    void *own = sca_symbols_own(name), *found = own ? sca_lookup_real(handle, name) : NULL;
    if (!found || found == own)
        return found;
    if (!sca_symbols_is_mpi(found))
        return NULL;
    if (handle)
        sca_rebind_found(handle);
    return handle ? own : NULL;
}

void *sca_lookup_instead(void *handle, const char *name, const void *caller)
{
    int kept = errno;
    void *found = NULL;
    if (!__atomic_load_n(&sca_lookup_real, __ATOMIC_RELAXED))
        find_real();
    if (!begun || sca_thread.in_tool || handle == RTLD_NEXT || !name || is_own_caller(caller))
        return NULL;
    sca_thread.in_tool++;
    if (handle)
        sca_rebind_look();
    if (is_mpi_name(name))
        found = answer(handle, name);
    sca_thread.in_tool--;
    errno = kept;
    return found;
}
