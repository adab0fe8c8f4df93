/* An ELF file around machine code: fuzzers reach the code without having to guess the file. */
#ifndef FUZZ_CODE_FILE_H
#define FUZZ_CODE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The first byte says which machine and which symbol table, the second how far apart functions
 * begin; the rest is their code. Writes the file into fuzz_directory(). */
void fuzz_write_code(const char *name, const uint8_t *data, size_t size);

#endif
