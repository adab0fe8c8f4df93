/* ELF files of a few sections, written by a test byte by byte. Zero-initialise. */
#ifndef SCA_TEST_LAID_FILE_H
#define SCA_TEST_LAID_FILE_H

#include "sca_binary.h"

enum { MOST_SECTIONS = 6, MOST_SYMBOLS = 16, MOST_NAMES = 512 };

struct laid_file_section {
    const char *name;
    uint64_t address; /* 0: not loaded */
    const void *bytes;
    size_t size;
    bool code;
};

struct laid_file_symbol {
    const char *name;
    uint64_t address, size;
    bool local;
};

struct laid_file {
    struct laid_file_section sections[MOST_SECTIONS];
    struct laid_file_symbol symbols[MOST_SYMBOLS]; /* none: a file without symbol table */
    uint64_t entry;
};

/* An x86-64 program in that folder; fails the test if it cannot be written. */
void laid_file_write(const struct laid_file *file, const char *path);

#endif
