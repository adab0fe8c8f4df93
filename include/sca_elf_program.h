/*
 * A program file as the dynamic linker sees it: ELF of 64 bits in this machine's byte order. Its
 * pointers lead into the file's mapping and are valid until it is closed. Damaged files give less,
 * never a fault. Not for signal handlers.
 */
#ifndef SCA_ELF_PROGRAM_H
#define SCA_ELF_PROGRAM_H

#include <stdint.h>

struct sca_elf_program { /* mapped */
    const uint8_t *bytes;
    uint64_t size;
};

/* SCA_OK, SCA_EIO (cannot be read) or SCA_EFORMAT (no such file: a script, another format). */
int sca_elf_program_open(struct sca_elf_program *program, const char *path);
void sca_elf_program_close(struct sca_elf_program *program);

/* The dynamic linker that it asks for; NULL: it is linked statically. */
const char *sca_elf_program_interpreter(const struct sca_elf_program *program);
/* The next library that it names; *at is 0 for the first. NULL: no more. */
const char *sca_elf_program_needed(const struct sca_elf_program *program, uint64_t *at);
/* The content of a section; NULL: it has none of that name. */
const void *sca_elf_program_section(const struct sca_elf_program *program, const char *name,
                                    uint64_t *size);

#endif
