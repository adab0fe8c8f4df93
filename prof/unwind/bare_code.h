/*
 * Code without unwind tables, such as kernels in assembler and code that was made at run time: who
 * called it is read off the stack. The return address is taken that follows a call of just this
 * code: by its address, through the linker's stubs or slots, or of a function that jumps on to it.
 * Where there is none (calls by pointers), it is the first return address behind any indirect call
 * that has the stack aligned, and whose own callers lead to the start of the thread. rbp is what
 * makes that so: as it is, or one of the words that the code may have saved it in.
 *
 * Async-signal-safe, any thread: no lock, no allocation. At most SCA_BARE_WORDS words are looked
 * through; what was found is remembered by code and stack address, and proves itself by its slot.
 */
#ifndef SCA_PROF_BARE_CODE_H
#define SCA_PROF_BARE_CODE_H

#include <stdint.h>

enum { SCA_BARE_WORDS = 1024 };

/* Steps so far that only an indirect call speaks for. */
uint64_t sca_bare_code_guessed(void);

#endif
