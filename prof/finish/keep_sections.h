/*
 * Which sections of a file of code the run keeps, and their bytes: what detection reads when the
 * file itself is gone. Rank 0, on the thread that calls Finalize.
 */
#ifndef SCA_PROF_KEEP_SECTIONS_H
#define SCA_PROF_KEEP_SECTIONS_H

#include "finish/elf_file.h"
#include "sca_profile.h"
#include "sca_wire.h"

/* The debug information of a file, made lean once for all tries. */
struct sca_keep_debug {
    uint32_t info, text; /* sections; 0: none */
    uint8_t *info_bytes, *text_bytes;
    bool graphed; /* all code with lines was compiled with scalana-static */
};

void sca_keep_debug_read(const struct sca_elf_file *f, struct sca_keep_debug *out);
void sca_keep_debug_free(const struct sca_elf_file *f, struct sca_keep_debug *debug);

/* Bytes that the ranges of this extent take, at most; *n is their number. */
size_t sca_keep_sections_size(const struct sca_elf_file *f, enum sca_kept_extent extent,
                              uint32_t *n);
/* Puts the ranges. False: the file could not be read. */
bool sca_keep_sections_put(const struct sca_elf_file *f, const struct sca_keep_debug *debug,
                           enum sca_kept_extent extent, struct sca_writer *w);
/* The file's header, its segments, and the sections: those that are not kept without bytes. All
 * extents have these SCA_KEEP_HEADS ranges. */
enum { SCA_KEEP_HEADS = 3 };
bool sca_keep_heads_put(const struct sca_elf_file *f, enum sca_kept_extent extent,
                        struct sca_writer *w);
size_t sca_keep_heads_size(const struct sca_elf_file *f);
/* Whether a file has a section of that kind in this extent. */
bool sca_keep_sections_has(const struct sca_elf_file *f, uint32_t section,
                           enum sca_kept_extent extent);

#endif
