/*
 * Entries of an OpenMP runtime that this library interposes: what lies behind one is looked up as
 * the library is loaded; if the runtime comes later, by dlopen, when the entry is called. Then the
 * process may have several, each in a scope of its own: which one is meant the calling library
 * says, as the dynamic linker would have bound it.
 */
#ifndef SCA_PROF_OPENMP_ENTRY_H
#define SCA_PROF_OPENMP_ENTRY_H

#include <dlfcn.h>
#include <stddef.h>

/* NULL if no runtime has it: a call of that ends the program, as it does without this library. The
 * call that asks returns to `caller`. Any thread. */
void *sca_openmp_next(const char *name, const void *caller);

/* In an entry. */
#define SCA_RETURNS_TO __builtin_return_address(0)

/* next_name(caller) is what lies behind it. */
#define SCA_OPENMP_NEXT(name)                                                                      \
    static void *known_##name; /* in the global scope */                                           \
    __attribute__((constructor)) static void find_##name(void)                                     \
    {                                                                                              \
        known_##name = dlsym(RTLD_NEXT, #name);                                                    \
    }                                                                                              \
    static __typeof__(name) *next_##name(const void *caller)                                       \
    {                                                                                              \
        void *known = __builtin_expect(known_##name != NULL, 1) ? known_##name                     \
                                                                : sca_openmp_next(#name, caller);  \
        return (__typeof__(name) *)known;                                                          \
    }

#endif
