/*
 * Entries of an OpenMP runtime that this library interposes: what lies behind one is looked up as
 * the library is loaded; if the runtime comes later, by dlopen, when the entry is first called.
 */
#ifndef SCA_PROF_OPENMP_ENTRY_H
#define SCA_PROF_OPENMP_ENTRY_H

#include <dlfcn.h>

/* NULL if no runtime has it: a call of that ends the program, as it does without this library. Any
 * thread. */
void *sca_openmp_next(void **known, const char *name);

/* next_name() is what lies behind it. */
#define SCA_OPENMP_NEXT(name)                                                                      \
    static void *known_##name;                                                                     \
    __attribute__((constructor)) static void find_##name(void)                                     \
    {                                                                                              \
        known_##name = dlsym(RTLD_NEXT, #name);                                                    \
    }                                                                                              \
    static __typeof__(name) *next_##name(void)                                                     \
    {                                                                                              \
        return (__typeof__(name) *)sca_openmp_next(&known_##name, #name);                          \
    }

#endif
