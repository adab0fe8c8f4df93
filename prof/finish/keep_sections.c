#include "finish/keep_sections.h"
#include "finish/lean_dwarf.h"
#include "finish/post.h"
#include "profile/kept.h"
#include "sca_psg_names.h"

#include <string.h>
#include <sys/mman.h>

enum { RANGE = 24 /* bytes that say where one lies, at most */ };

/* ---- which ---- */

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name))
        names++;
    return *names;
}

/* Those of functions and lines: not of variables' places, types in units of their own, macros. */
static bool has_lines(const char *name)
{
    static const char *const names[] = {
        ".debug_info", ".debug_abbrev", ".debug_line",     ".debug_str",   ".debug_line_str",
        ".debug_addr", ".debug_ranges", ".debug_rnglists", ".debug_types", ".debug_str_offsets",
        NULL};
    return is_among(name, names);
}

static bool has_functions(const char *name, uint32_t type)
{
    static const char *const names[] = {SCA_PSG_SECTION, ".gnu_debuglink", ".gnu_debugaltlink",
                                        ".eh_frame",     ".eh_frame_hdr",  NULL};
    return type == SHT_DYNSYM || type == SHT_SYMTAB || type == SHT_STRTAB || is_among(name, names);
}

/* What any extent has: who it is, and whom it is linked with. */
static bool has_identity(const struct sca_elf_file *f, uint32_t i)
{
    uint32_t type = f->sections[i].sh_type;
    return type == SHT_NOTE || type == SHT_DYNAMIC || i == f->header.e_shstrndx;
}

bool sca_keep_sections_has(const struct sca_elf_file *f, uint32_t i, enum sca_kept_extent extent)
{
    const Elf64_Shdr *s = &f->sections[i];
    const char *name = sca_elf_file_name(f, i);
    if (s->sh_type == SHT_NULL || s->sh_type == SHT_NOBITS || !s->sh_size)
        return false;
    if (has_identity(f, i))
        return true;
    if (has_functions(name, s->sh_type))
        return extent >= SCA_KEPT_GRAPH;
    if (has_lines(name))
        return extent >= SCA_KEPT_LINES;
    return extent == SCA_KEPT_ALL && (s->sh_flags & SHF_ALLOC);
}

size_t sca_keep_sections_size(const struct sca_elf_file *f, enum sca_kept_extent extent,
                              uint32_t *n)
{
    size_t size = sca_keep_heads_size(f);
    *n = SCA_KEEP_HEADS;
    for (uint32_t i = 1; i < f->header.e_shnum; i++)
        if (sca_keep_sections_has(f, i, extent)) {
            size += f->sections[i].sh_size + RANGE;
            ++*n;
        }
    return size;
}

/* ---- debug information ---- */

static uint32_t plain_section(const struct sca_elf_file *f, const char *name)
{
    uint32_t i = sca_elf_file_find(f, name);
    return i && !(f->sections[i].sh_flags & SHF_COMPRESSED) ? i : 0;
}

static uint32_t marks(const uint8_t *bytes, size_t length)
{
    static const char mark[] = SCA_PRODUCER_PREFIX;
    const uint8_t *end = bytes + length, *at = bytes;
    uint32_t n = 0;
    while (at && (at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1))) {
        at += sizeof mark - 1;
        n++;
    }
    return n;
}

static void make_lean(const struct sca_elf_file *f, struct sca_keep_debug *d)
{
    uint32_t abbrev = plain_section(f, ".debug_abbrev");
    size_t room = SCA_LEAN_CODES * sizeof(uint32_t);
    struct sca_lean_dwarf lean = {.info = d->info_bytes,
                                  .info_size = f->sections[d->info].sh_size,
                                  .abbrev_size = f->sections[abbrev].sh_size,
                                  .places = sca_scratch(room)};
    void *kinds = abbrev ? sca_elf_file_bytes(f, abbrev) : NULL;
    uint32_t graphs = marks(d->info_bytes, lean.info_size);
    if (d->text_bytes)
        graphs += marks(d->text_bytes, f->sections[d->text].sh_size);
    lean.abbrev = kinds;
    if (lean.abbrev && lean.places)
        sca_lean_dwarf(&lean);
    d->graphed = lean.units && graphs >= lean.units;
    if (lean.places)
        munmap(lean.places, room);
    if (kinds)
        sca_elf_file_free(f, abbrev, kinds);
}

void sca_keep_debug_read(const struct sca_elf_file *f, struct sca_keep_debug *out)
{
    *out = (struct sca_keep_debug){.info = plain_section(f, ".debug_info"),
                                   .text = plain_section(f, ".debug_str")};
    out->info_bytes = out->info ? sca_elf_file_bytes(f, out->info) : NULL;
    out->text_bytes = out->text ? sca_elf_file_bytes(f, out->text) : NULL;
    if (out->info_bytes)
        make_lean(f, out);
}

void sca_keep_debug_free(const struct sca_elf_file *f, struct sca_keep_debug *d)
{
    sca_elf_file_free(f, d->info, d->info_bytes);
    sca_elf_file_free(f, d->text, d->text_bytes);
}

/* ---- putting ---- */

static bool put_section(const struct sca_elf_file *f, uint32_t i, struct sca_writer *w)
{
    void *bytes = sca_elf_file_bytes(f, i);
    if (bytes)
        sca_kept_put_range(w, f->sections[i].sh_offset, bytes, f->sections[i].sh_size);
    sca_elf_file_free(f, i, bytes);
    return bytes;
}

bool sca_keep_sections_put(const struct sca_elf_file *f, const struct sca_keep_debug *d,
                           enum sca_kept_extent extent, struct sca_writer *w)
{
    bool fine = sca_keep_heads_put(f, extent, w);
    for (uint32_t i = 1; fine && i < f->header.e_shnum; i++) {
        const Elf64_Shdr *s = &f->sections[i];
        if (!sca_keep_sections_has(f, i, extent))
            continue;
        if (i == d->info && d->info_bytes)
            sca_kept_put_range(w, s->sh_offset, d->info_bytes, s->sh_size);
        else
            fine = put_section(f, i, w);
    }
    return fine && !w->failed;
}

static size_t segments_size(const struct sca_elf_file *f)
{
    return (size_t)f->header.e_phnum * f->header.e_phentsize;
}

size_t sca_keep_heads_size(const struct sca_elf_file *f)
{
    return sizeof f->header + segments_size(f) + f->header.e_shnum * sizeof *f->sections +
           SCA_KEEP_HEADS * RANGE;
}

/* Tables of which some entries are kept stay tables. What else is left out has no bytes, and where
 * only names are kept, nothing reads its head. */
static Elf64_Shdr section_head(const struct sca_elf_file *f, uint32_t i,
                               enum sca_kept_extent extent)
{
    Elf64_Shdr s = f->sections[i];
    bool table = s.sh_type == SHT_DYNSYM || s.sh_type == SHT_SYMTAB || s.sh_type == SHT_STRTAB;
    if (s.sh_type == SHT_NULL || table || sca_keep_sections_has(f, i, extent))
        return s;
    if (extent == SCA_KEPT_NAMES)
        return (Elf64_Shdr){0};
    s.sh_type = SHT_NOBITS;
    return s;
}

static void put_section_heads(const struct sca_elf_file *f, enum sca_kept_extent extent,
                              struct sca_writer *w)
{
    sca_wire_put_varint(w, f->header.e_shoff);
    sca_wire_put_varint(w, f->header.e_shnum * sizeof *f->sections);
    for (uint32_t i = 0; i < f->header.e_shnum; i++) {
        Elf64_Shdr s = section_head(f, i, extent);
        sca_wire_put_bytes(w, &s, sizeof s);
    }
}

bool sca_keep_heads_put(const struct sca_elf_file *f, enum sca_kept_extent extent,
                        struct sca_writer *w)
{
    uint8_t segments[4096];
    size_t length = segments_size(f);
    if (length > sizeof segments || !sca_elf_file_read(f, f->header.e_phoff, length, segments))
        return false;
    sca_kept_put_range(w, 0, &f->header, sizeof f->header);
    sca_kept_put_range(w, f->header.e_phoff, segments, length);
    put_section_heads(f, extent, w);
    return !w->failed;
}
