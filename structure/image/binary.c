#include "image/debuginfod.h"
#include "sca_binary.h"
#include "sca_debug_file.h"
#include "sca_error.h"
#include "sca_psg.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void read_build_id(Elf *elf, char text[SCA_BUILD_ID_TEXT])
{
    const void *bytes;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
    text[0] = '\0';
    for (ssize_t i = 0; i < size && 2 * i + 2 < SCA_BUILD_ID_TEXT; i++) {
        const char *digits = "0123456789abcdef";
        uint8_t byte = ((const uint8_t *)bytes)[i];
        text[2 * i] = digits[byte >> 4];
        text[2 * i + 1] = digits[byte & 15];
        text[2 * i + 2] = '\0';
    }
}

static Elf *open_elf(const char *path, int *file)
{
    struct stat info;
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would keep us waiting */
    if (*file < 0)
        return NULL;
    if (fstat(*file, &info) || !S_ISREG(info.st_mode)) {
        close(*file);
        *file = -1;
        errno = 0;
        return NULL;
    }
    Elf *elf = elf_begin(*file, ELF_C_READ_MMAP, NULL);
    GElf_Ehdr header;
    if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) &&
        (header.e_type == ET_EXEC || header.e_type == ET_DYN))
        return elf;
    elf_end(elf);
    close(*file);
    *file = -1;
    errno = 0; /* the file is there, but is no program */
    return NULL;
}

static Elf_Scn *find_section(Elf *elf, const char *name)
{
    size_t names;
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    if (!elf || elf_getshdrstrndx(elf, &names))
        return NULL;
    while ((section = elf_nextscn(elf, section))) {
        const char *found =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (found && !strcmp(found, name))
            return header.sh_type == SHT_NOBITS ? NULL : section;
    }
    return NULL;
}

/* ---- a debug file of its own: found by build-id, else by the link's name ---- */

static bool belongs(struct sca_binary *b, const char *path, uint32_t crc)
{
    char id[SCA_BUILD_ID_TEXT];
    read_build_id(b->debug_elf, id);
    if (strcmp(id, b->build_id) || !find_section(b->debug_elf, ".debug_info"))
        return false;
    return *id || sca_debug_file_has_crc(path, crc);
}

static bool try_debug_file(struct sca_binary *b, const char *path, uint32_t crc)
{
    b->debug_elf = open_elf(path, &b->debug_file);
    if (!b->debug_elf)
        return false;
    if (belongs(b, path, crc))
        return true;
    elf_end(b->debug_elf);
    close(b->debug_file);
    b->debug_elf = NULL;
    b->debug_file = -1;
    return false;
}

static void try_below(struct sca_binary *b, const char *root, const char *place, uint32_t crc)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s%s", root, place);
    if (length > 0 && (size_t)length < sizeof path)
        try_debug_file(b, path, crc);
}

static void ask_server(struct sca_binary *b)
{
    char *path = sca_debuginfod_find(b->build_id, SCA_DEBUGINFOD_DEBUG);
    if (path)
        try_debug_file(b, path, 0);
    free(path);
}

/* Named after the file as it ran and, if that is another place, as it is now. */
static void find_debug_file_of(struct sca_binary *b, const char *file,
                               const struct sca_binary_source *source)
{
    char path[PATH_MAX];
    uint32_t crc = 0;
    Elf_Scn *section = find_section(b->elf, ".gnu_debuglink");
    Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
    const struct sca_debug_link link = {
        file, b->build_id, data ? sca_debug_file_link_name(data->d_buf, data->d_size, &crc) : NULL};
    for (unsigned i = 0; i < SCA_DEBUG_FILE_PLACES && !b->debug_elf; i++) {
        if (!sca_debug_file_place(&link, i, path, sizeof path))
            continue;
        if (source->root)
            try_below(b, source->root, path, crc);
        if (!b->debug_elf)
            try_debug_file(b, path, crc);
    }
}

static void find_debug_file(struct sca_binary *b, const struct sca_binary_source *source)
{
    if (source->at)
        find_debug_file_of(b, source->at, source);
    if (!b->debug_elf)
        find_debug_file_of(b, b->path, source);
    if (!b->debug_elf && source->ask)
        ask_server(b);
}

static int read_psg(struct sca_binary *b)
{
    Elf_Scn *section = find_section(b->elf, SCA_PSG_SECTION);
    GElf_Shdr header;
    if (!section)
        section = find_section(b->debug_elf, SCA_PSG_SECTION);
    if (!section)
        return SCA_OK;
    if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_COMPRESSED))
        elf_compress(section, 0, 0);
    Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || (data->d_size && !data->d_buf))
        return sca_fail(SCA_EFORMAT, "%s: section %s: %s", b->path, SCA_PSG_SECTION,
                        elf_errmsg(-1));
    b->psg = data->d_buf;
    b->psg_size = data->d_size;
    return SCA_OK;
}

/* libdw leaves such a section out without a word: before 0.189 it knows zlib, but not zstd. */
static bool has_unreadable_section(Elf *elf)
{
    size_t names;
    GElf_Shdr header;
    GElf_Chdr compression;
    if (elf_getshdrstrndx(elf, &names))
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && !strncmp(name, ".debug_", 7) && (header.sh_flags & SHF_COMPRESSED) &&
            gelf_getchdr(section, &compression) && compression.ch_type != ELFCOMPRESS_ZLIB)
            return true;
    }
    return false;
}

uint64_t sca_binary_function_start(struct sca_binary *b, uint64_t address)
{
    Dwarf_Frame *frame = NULL;
    Dwarf_Addr start = address;
    if (!b->unwind)
        b->unwind = dwarf_getcfi_elf(b->elf);
    if (!b->unwind || dwarf_cfi_addrframe(b->unwind, address, &frame))
        return address;
    if (dwarf_frame_info(frame, &start, NULL, NULL) < 0 || start > address)
        start = address;
    free(frame);
    return start;
}

/* ---- opening ---- */

static int check_identity(struct sca_binary *b, const char *at, const char *expected)
{
    read_build_id(b->elf, b->build_id);
    if (!*expected || !strcmp(expected, b->build_id))
        return SCA_OK;
    return sca_fail(SCA_EMISMATCH,
                    "%s is not the file that ran: its build-id is %s, that of the run %s. Run "
                    "again, or restore the old file",
                    at, *b->build_id ? b->build_id : "missing", expected);
}

static int cannot_open(const char *path)
{
    if (errno == ENOENT || errno == ENOTDIR)
        return sca_fail(SCA_ENOTFOUND, "%s: no such file; the analysis needs its lines", path);
    if (errno)
        return sca_fail(SCA_EIO, "%s: %s", path, strerror(errno));
    return sca_fail(SCA_EFORMAT, "%s: not an ELF program or library", path);
}

/* libelf takes a section table behind the end of the file for none. */
static bool is_cut_off(Elf *elf)
{
    GElf_Ehdr header;
    size_t sections = 0;
    return gelf_getehdr(elf, &header) && header.e_shoff &&
           (elf_getshdrnum(elf, &sections) || !sections);
}

static int open_parts(struct sca_binary *b, const struct sca_binary_source *source)
{
    const char *at = source->at ? source->at : b->path;
    errno = 0;
    b->elf = b->bytes ? elf_memory(b->bytes, source->size) : open_elf(at, &b->file);
    if (!b->elf)
        return cannot_open(at);
    if (is_cut_off(b->elf))
        return sca_fail(SCA_EFORMAT, "%s is truncated: its section table lies beyond its end", at);
    int status = check_identity(b, at, source->build_id);
    if (status)
        return status;
    bool wanted = b->extent >= SCA_BINARY_LINES && !find_section(b->elf, ".debug_info");
    if (wanted)
        find_debug_file(b, source);
    b->stripped = !b->debug_elf && !find_section(b->elf, ".symtab");
    return read_psg(b);
}

int sca_binary_open_source(const struct sca_binary_source *source, struct sca_binary **out)
{
    struct sca_binary *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b || elf_version(EV_CURRENT) == EV_NONE) {
        free(b);
        free((void *)source->bytes);
        return sca_fail(SCA_ENOMEM, "%s: out of memory", source->path);
    }
    b->file = b->debug_file = -1;
    b->bytes = (void *)source->bytes;
    b->extent = b->bytes ? source->extent : SCA_BINARY_WHOLE;
    b->path = sca_arena_string(&b->arena, source->path);
    int status = b->path ? open_parts(b, source) : SCA_ENOMEM;
    if (status)
        sca_binary_close(b);
    else
        *out = b;
    return status;
}

int sca_binary_open(const char *path, const char *build_id, struct sca_binary **out)
{
    const struct sca_binary_source source = {.path = path, .build_id = build_id};
    return sca_binary_open_source(&source, out);
}

Dwarf *sca_binary_dwarf(struct sca_binary *b)
{
    Elf *elf = b->debug_elf ? b->debug_elf : b->elf;
    if (!b->dwarf) {
        b->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
        b->unreadable = has_unreadable_section(elf);
    }
    return b->dwarf;
}

char *sca_binary_from_server(const char *build_id)
{
    return sca_debuginfod_find(build_id, SCA_DEBUGINFOD_EXECUTABLE);
}

void sca_binary_close(struct sca_binary *b)
{
    if (!b)
        return;
    if (b->unwind)
        dwarf_cfi_end(b->unwind);
    dwarf_end(b->dwarf);
    elf_end(b->debug_elf);
    elf_end(b->elf);
    if (b->debug_file >= 0)
        close(b->debug_file);
    if (b->file >= 0)
        close(b->file);
    free(b->symbols);
    free(b->bytes);
    sca_arena_free(&b->arena);
    free(b);
}
