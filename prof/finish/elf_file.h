/*
 * A file of machine code on disk, read piece by piece: what the loader mapped has neither symbols
 * nor lines. Nothing is mapped from the file, which may be cut off at any time. x86-64.
 *
 * On the thread that calls Finalize, rank 0 alone. Never allocates from the program's heap.
 */
#ifndef SCA_PROF_ELF_FILE_H
#define SCA_PROF_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_elf_file {
    int fd;
    uint64_t size;
    Elf64_Ehdr header;
    Elf64_Shdr *sections; /* header.e_shnum of them */
    char *names;          /* of the sections; NUL behind */
    size_t names_size;
};

/* False: it is not there, or no such file. sca_elf_file_close() is for one that was opened. */
bool sca_elf_file_open(struct sca_elf_file *f, const char *path);
void sca_elf_file_close(struct sca_elf_file *f);
bool sca_elf_file_read(const struct sca_elf_file *f, uint64_t offset, size_t length, void *to);
/* "" for a damaged one. */
const char *sca_elf_file_name(const struct sca_elf_file *f, uint32_t section);
/* The bytes of a section, NUL behind; NULL: it has none, or there is no memory. For
 * sca_elf_file_free(). */
void *sca_elf_file_bytes(const struct sca_elf_file *f, uint32_t section);
void sca_elf_file_free(const struct sca_elf_file *f, uint32_t section, void *bytes);
/* The section of this name, 0 if there is none. */
uint32_t sca_elf_file_find(const struct sca_elf_file *f, const char *name);
/* Whether it is the file with this build-id; one of no bytes fits all. */
bool sca_elf_file_is(const struct sca_elf_file *f, const uint8_t *build_id, uint32_t size);

#endif
