#include "finish/keep.h"
#include "arena/arena.h"
#include "base/settings.h"
#include "finish/keep_names.h"
#include "finish/keep_sections.h"
#include "finish/post.h"
#include "finish/rundir.h"
#include "profile/kept.h"
#include "profile/store.h"
#include "sca_psg_names.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { HEAD = SCA_DIRECTORY + 128, PACKED = 8 /* to one, at most, is tried */ };

struct keeping {
    struct sca_profile_file *file;
    char program[SCA_DIRECTORY];
    size_t left; /* bytes that may still be kept */
    uint32_t chunks;
};

/* One file on its way. */
struct kept_file {
    const struct sca_part_module *module;
    uint32_t index; /* in SCA_T_MODULES */
    const char *path;
    struct sca_elf_file elf;
    struct sca_keep_debug debug;
};

static const char *text(uint32_t at)
{
    return (const char *)sca_arena_table(SCA_T_STRINGS) + at;
}

/* ---- one try ---- */

static void put_head(const struct kept_file *k, enum sca_kept_extent extent, uint32_t nranges,
                     struct sca_writer *w)
{
    char build_id[2 * sizeof k->module->build_id + 1] = "";
    for (uint32_t i = 0; i < k->module->build_id_size && i < sizeof k->module->build_id; i++)
        snprintf(build_id + 2 * i, 3, "%02x", k->module->build_id[i]);
    const struct sca_kept_head head = {.path = k->path,
                                       .build_id = build_id,
                                       .size = k->elf.size,
                                       .extent = extent,
                                       .nranges = nranges};
    sca_kept_put_head(w, &head);
}

/* The content of a chunk. */
static bool put_content(const struct kept_file *k, enum sca_kept_extent extent,
                        struct sca_writer *w, struct sca_writer *ranges)
{
    uint32_t n;
    if (extent != SCA_KEPT_NAMES) {
        sca_keep_sections_size(&k->elf, extent, &n);
        put_head(k, extent, n, w);
        return sca_keep_sections_put(&k->elf, &k->debug, extent, w) && !w->failed;
    }
    n = SCA_KEEP_HEADS;
    if (!sca_keep_names_put(&k->elf, k->index, ranges, &n))
        return false;
    put_head(k, extent, n, w);
    bool fine = sca_keep_heads_put(&k->elf, extent, w);
    sca_wire_put_bytes(w, ranges->data, ranges->length);
    return fine && !w->failed;
}

/* Packs the content and appends it. */
static bool append(struct keeping *all, const struct sca_writer *content)
{
    size_t scratch_size = sca_store_scratch(0, 0);
    size_t room = all->left < content->length ? all->left : content->length;
    void *scratch = sca_scratch(scratch_size), *packed = sca_scratch(room);
    struct sca_writer out;
    sca_wire_writer_init(&out, packed, room);
    bool done = scratch && packed &&
                sca_store_code(&out, content->data, content->length, scratch, scratch_size) &&
                sca_profile_file_try(all->file, out.data, out.length);
    if (done) {
        all->left -= out.length;
        all->chunks++;
    }
    if (scratch)
        munmap(scratch, scratch_size);
    if (packed)
        munmap(packed, room);
    return done;
}

static size_t content_size(const struct kept_file *k, enum sca_kept_extent extent)
{
    uint32_t ignored;
    return extent == SCA_KEPT_NAMES ? 2 * sca_keep_names_size(&k->elf)
                                    : sca_keep_sections_size(&k->elf, extent, &ignored);
}

static bool keep_to(struct keeping *all, const struct kept_file *k, enum sca_kept_extent extent)
{
    size_t size = HEAD + content_size(k, extent), half = size / 2;
    struct sca_writer w, ranges;
    if (extent != SCA_KEPT_NAMES && size / PACKED > all->left)
        return false;
    uint8_t *bytes = sca_scratch(size);
    if (!bytes)
        return false;
    sca_wire_writer_init(&w, bytes, extent == SCA_KEPT_NAMES ? half : size);
    sca_wire_writer_init(&ranges, bytes + half, size - half);
    bool done = put_content(k, extent, &w, &ranges) && append(all, &w);
    munmap(bytes, size);
    return done;
}

/* ---- one file ---- */

static bool is_systems(const char *path)
{
    return !strncmp(path, "/lib", 4) || !strncmp(path, "/usr/lib", 8);
}

/* As detection has it (application.h): what it looks into. */
static bool is_looked_into(const struct keeping *all, const struct kept_file *k)
{
    if (!strcmp(k->path, all->program) || sca_elf_file_find(&k->elf, SCA_PSG_SECTION))
        return true;
    return !is_systems(k->path) && !sca_keep_names_offers_mpi(&k->elf);
}

/* As much as there is room for. */
static void keep_most(struct keeping *all, struct kept_file *k)
{
    int extent = SCA_KEPT_NAMES;
    if (is_looked_into(all, k)) {
        bool graph = sca_elf_file_find(&k->elf, SCA_PSG_SECTION);
        sca_keep_debug_read(&k->elf, &k->debug);
        extent = graph && k->debug.graphed ? SCA_KEPT_LINES : SCA_KEPT_ALL;
    }
    while (extent >= SCA_KEPT_NAMES && !keep_to(all, k, (enum sca_kept_extent)extent))
        extent--;
    sca_keep_debug_free(&k->elf, &k->debug);
}

/* As the call paths have it, even if the file has gone meanwhile. */
static void name_program(char *path, size_t size)
{
    static const char gone[] = " (deleted)";
    sca_rundir_program_path(path, size);
    size_t length = strlen(path), tail = sizeof gone - 1;
    if (length > tail && !strcmp(path + length - tail, gone))
        path[length - tail] = '\0';
}

/* The program's file may have gone already: the kernel still has it. */
static void keep_file(struct keeping *all, uint32_t index, bool program)
{
    const struct sca_part_module *m = sca_arena_table(SCA_T_MODULES);
    struct kept_file k = {.module = &m[index], .index = index, .path = text(m[index].path)};
    bool is_program = !strcmp(k.path, all->program);
    if (is_program != program || k.path[0] != '/' ||
        !sca_elf_file_open(&k.elf, program ? "/proc/self/exe" : k.path))
        return;
    if (sca_elf_file_is(&k.elf, k.module->build_id, k.module->build_id_size))
        keep_most(all, &k);
    sca_elf_file_close(&k.elf);
}

uint32_t sca_keep(struct sca_profile_file *file)
{
    static struct keeping all;
    all = (struct keeping){.file = file, .left = (size_t)sca_settings.keep << 10};
    name_program(all.program, sizeof all.program);
    for (int program = 1; all.left && program >= 0; program--)
        for (uint32_t i = 0; i < sca_arena_count(SCA_T_MODULES); i++)
            keep_file(&all, i, program);
    return all.chunks;
}
