/*
 * The floating-point exception flags of a thread are the program's (C17 7.6, IEEE 754-2019 7.1):
 * Fortran's STOP prints them, and programs test them. What this library computes raises INEXACT.
 * Whoever computes in a program's thread keeps the flags and gives them back. Around signal
 * handlers the kernel does so. SSE's flags only: nothing here computes on the x87 unit.
 */
#ifndef SCA_PROF_FLOAT_FLAGS_H
#define SCA_PROF_FLOAT_FLAGS_H

#include <stdint.h>

static inline uint32_t sca_float_flags_keep(void)
{
    return __builtin_ia32_stmxcsr();
}

/* Writing them costs more than looking. */
static inline void sca_float_flags_return(uint32_t kept)
{
    if (__builtin_expect(__builtin_ia32_stmxcsr() != kept, 0))
        __builtin_ia32_ldmxcsr(kept);
}

#endif
