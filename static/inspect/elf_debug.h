/*
 * The separate debug file of a stripped binary: some strippers (llvm-strip, eu-strip) move the
 * graph there with everything else that is not loaded.
 */
#ifndef ELF_DEBUG_H
#define ELF_DEBUG_H

#include <libelf.h>
#include <stdbool.h>

/* The debug file that belongs to the binary, with its descriptor; NULL if there is none where GDB
 * would look. The caller ends and closes both. */
Elf *sca_elf_debug_open(Elf *elf, const char *path, int *fd);
/* Neither symbols nor debug information are left. */
bool sca_elf_debug_is_stripped(Elf *elf);

#endif
