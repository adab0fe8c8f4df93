/*
 * What the dynamic section of a loaded file says, where it lies in memory. Nothing is kept; what
 * is read stays there as long as the file. Async-signal-safe.
 */
#ifndef SCA_PROF_DYNAMIC_H
#define SCA_PROF_DYNAMIC_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct sca_dynamic {
    const ElfW(Sym) * symbols;
    uint32_t nsymbols;
    const char *strings;
    const uint32_t *gnu_hash; /* NULL: symbols are looked through */
    uint64_t bias;
    const ElfW(Rela) * relocations[2]; /* of data, of calls */
    uint64_t nrelocations[2];
};

/* The file that the address lies in, and its first byte. The loader's locks are left alone where it
 * can be asked without (glibc 2.35). NULL: none. */
struct link_map *sca_dynamic_file_of(const void *address, const void **first);

/* Of a file with these program headers, loaded at its addresses plus `bias`. False: it has none, or
 * it is none that the C library's loader has loaded. */
bool sca_dynamic_read(const ElfW(Phdr) * headers, unsigned count, uint64_t bias,
                      struct sca_dynamic *out);
bool sca_dynamic_read_section(const ElfW(Dyn) * section, uint64_t bias, struct sca_dynamic *out);
/* Whether the loader has made this address of the file read-only once it was done (RELRO). */
bool sca_dynamic_is_closed(const void *first, uint64_t bias, const void *address);
/* The function or variable of this name that the file itself has, or NULL. */
void *sca_dynamic_find(const struct sca_dynamic *d, const char *name);
/* Of the file whose first byte lies at `first`, up to `last`. */
bool sca_dynamic_read_at(uint64_t first, uint64_t last, uint64_t bias, struct sca_dynamic *out);

#endif
