#include "symbols/source_checksums.h"
#include "symbols/application.h"
#include "symbols/find_binary.h"
#include "sca_binary.h"
#include "sca_error.h"
#include "sca_wire.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FORMATS = 16, MD5_BYTES = 16, MOST_PATH = 4096 };

struct lines { /* the sections that line tables refer to */
    struct sca_report *report;
    Elf_Data *table, *names;
    uint32_t space;
};

struct entry_format {
    uint64_t content, form;
};

struct entry { /* of a directory or a file */
    const char *name;
    uint64_t directory;
    const uint8_t *md5;
};

static Elf_Data *section(Elf *elf, const char *name)
{
    size_t names;
    Elf_Scn *at = NULL;
    GElf_Shdr header;
    if (!elf || elf_getshdrstrndx(elf, &names))
        return NULL;
    while ((at = elf_nextscn(elf, at))) {
        const char *found = gelf_getshdr(at, &header) ? elf_strptr(elf, names, header.sh_name) : "";
        if (!found || strcmp(found, name) || header.sh_type == SHT_NOBITS)
            continue;
        if (header.sh_flags & SHF_COMPRESSED && elf_compress(at, 0, 0) < 0)
            return NULL;
        return elf_getdata(at, NULL);
    }
    return NULL;
}

static const char *text_at(const Elf_Data *data, uint64_t offset)
{
    const char *text = data && offset < data->d_size ? (const char *)data->d_buf + offset : NULL;
    return text && memchr(text, '\0', data->d_size - offset) ? text : "";
}

static const char *inline_text(struct sca_reader *r)
{
    size_t left = sca_wire_left(r);
    const char *text = (const char *)r->data + r->position;
    const char *end = left ? memchr(text, '\0', left) : NULL;
    return sca_wire_get_bytes(r, end ? (size_t)(end - text) + 1 : left + 1) ? text : "";
}

/* One attribute of an entry; what is of no use here is passed over. False: an unknown form. */
static bool take_attribute(const struct lines *l, struct sca_reader *r, struct entry_format f,
                           bool wide, struct entry *out)
{
    static const struct {
        uint64_t form;
        size_t size;
    } fixed[] = {{DW_FORM_data1, 1}, {DW_FORM_data2, 2}, {DW_FORM_data4, 4}, {DW_FORM_data8, 8}};
    uint64_t number = 0;
    if (f.form == DW_FORM_line_strp || f.form == DW_FORM_strp) {
        number = wide ? sca_wire_get_u64(r) : sca_wire_get_u32(r);
        if (f.content == DW_LNCT_path && f.form == DW_FORM_line_strp)
            out->name = text_at(l->names, number);
    } else if (f.form == DW_FORM_string) {
        const char *text = inline_text(r);
        out->name = f.content == DW_LNCT_path ? text : out->name;
    } else if (f.form == DW_FORM_udata) {
        number = sca_wire_get_varint(r);
    } else if (f.form == DW_FORM_data16) {
        const uint8_t *bytes = sca_wire_get_bytes(r, MD5_BYTES);
        out->md5 = f.content == DW_LNCT_MD5 ? bytes : out->md5;
    } else {
        size_t i = 0;
        while (i < sizeof fixed / sizeof *fixed && fixed[i].form != f.form)
            i++;
        const uint8_t *bytes =
            i < sizeof fixed / sizeof *fixed ? sca_wire_get_bytes(r, fixed[i].size) : NULL;
        for (size_t k = bytes ? fixed[i].size : 0; k-- > 0;)
            number = number << 8 | bytes[k];
        if (!bytes)
            return false;
    }
    if (f.content == DW_LNCT_directory_index)
        out->directory = number;
    return !r->failed;
}

/* The formats of a table's entries; UINT_MAX if there are too many. */
static unsigned read_formats(struct sca_reader *r, struct entry_format *formats)
{
    unsigned n = sca_wire_get_u8(r);
    for (unsigned i = 0; i < n && i < MOST_FORMATS; i++) {
        formats[i].content = sca_wire_get_varint(r);
        formats[i].form = sca_wire_get_varint(r);
    }
    return n <= MOST_FORMATS && !r->failed ? n : UINT32_MAX;
}

/* All entries of a table; free() it. NULL: none, or it cannot be read. */
static struct entry *read_entries(const struct lines *l, struct sca_reader *r, bool wide, size_t *n)
{
    struct entry_format formats[MOST_FORMATS];
    unsigned nformats = read_formats(r, formats);
    *n = nformats == UINT32_MAX ? 0 : (size_t)sca_wire_get_varint(r);
    if (*n > sca_wire_left(r))
        *n = 0;
    struct entry *entries = calloc(*n + 1, sizeof *entries);
    for (size_t i = 0; entries && i < *n; i++) {
        entries[i].name = "";
        for (unsigned k = 0; k < nformats; k++)
            if (!take_attribute(l, r, formats[k], wide, &entries[i])) {
                free(entries);
                return NULL;
            }
    }
    return entries;
}

static bool is_known(const struct sca_report *r, const char *file)
{
    for (uint32_t i = 0; i < r->nsources; i++)
        if (!strcmp(r->sources[i].file, file))
            return true;
    return false;
}

static bool is_shown(const struct sca_report *r, const char *file)
{
    for (uint32_t i = 0; i < r->nvertices; i++)
        if (!strcmp(r->vertices[i].file, file))
            return true;
    return false;
}

static void add_source(struct lines *l, const char *file, const uint8_t *md5)
{
    struct sca_report *r = l->report;
    char text[2 * MD5_BYTES + 1];
    if (r->nsources == l->space || is_known(r, file) || !is_shown(r, file))
        return;
    for (int i = 0; i < MD5_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", md5[i]);
    r->sources[r->nsources].file = sca_report_string(r, file);
    r->sources[r->nsources++].md5 = sca_report_string(r, text);
}

static void take_file(struct lines *l, const struct entry *file, const struct entry *directories,
                      size_t n)
{
    char path[MOST_PATH];
    const char *in = file->directory < n ? directories[file->directory].name : "";
    if (!file->md5)
        return;
    if (*file->name == '/')
        snprintf(path, sizeof path, "%s", file->name);
    else if (*in == '/' || !n)
        snprintf(path, sizeof path, "%s/%s", in, file->name);
    else
        snprintf(path, sizeof path, "%s/%s/%s", directories[0].name, in, file->name);
    add_source(l, path, file->md5);
}

/* The header of one unit's table, from behind its length on. */
static void read_unit(struct lines *l, struct sca_reader *r, bool wide)
{
    size_t ndirectories = 0, nfiles = 0;
    const uint8_t *version = sca_wire_get_bytes(r, 2);
    if (!version || version[0] != 5 || version[1])
        return;
    sca_wire_get_bytes(r, 2); /* sizes of addresses and segments */
    wide ? sca_wire_get_u64(r) : sca_wire_get_u32(r);
    sca_wire_get_bytes(r, 5); /* instruction lengths, line base and range */
    unsigned opcodes = sca_wire_get_u8(r);
    sca_wire_get_bytes(r, opcodes ? opcodes - 1 : 0);
    struct entry *directories = read_entries(l, r, wide, &ndirectories);
    struct entry *files = directories ? read_entries(l, r, wide, &nfiles) : NULL;
    for (size_t i = 0; files && i < nfiles; i++)
        take_file(l, &files[i], directories, ndirectories);
    free(files);
    free(directories);
}

static void read_units(struct lines *l)
{
    struct sca_reader all, unit;
    sca_wire_reader_init(&all, l->table->d_buf, l->table->d_size);
    while (sca_wire_left(&all) > 4) {
        uint64_t length = sca_wire_get_u32(&all);
        bool wide = length == UINT32_MAX;
        if (wide)
            length = sca_wire_get_u64(&all);
        const uint8_t *bytes =
            length <= sca_wire_left(&all) ? sca_wire_get_bytes(&all, length) : NULL;
        if (!bytes)
            return;
        sca_wire_reader_init(&unit, bytes, (size_t)length);
        read_unit(l, &unit, wide);
    }
}

static void read_binary(struct lines *l, const struct sca_binary_places *places,
                        const struct sca_module *module)
{
    struct sca_binary *binary = NULL;
    if (sca_find_binary(places, module, true, &binary) == SCA_OK && sca_binary_dwarf(binary)) {
        Elf *elf = binary->debug_elf ? binary->debug_elf : binary->elf;
        l->table = section(elf, ".debug_line");
        l->names = section(elf, ".debug_line_str");
        if (l->table)
            read_units(l);
    }
    sca_binary_close(binary);
}

void sca_source_checksums_fill(struct sca_report *report, const struct sca_profile *run,
                               const char *symfs)
{
    struct sca_profile *only = (struct sca_profile *)run; /* it is only read */
    const struct sca_binary_places places = {symfs, &only, 1};
    const struct sca_module program = {report->path, report->build_id};
    struct lines l = {.report = report, .space = report->nvertices};
    report->sources = sca_report_alloc(report, (l.space + 1) * sizeof *report->sources);
    if (!report->sources)
        return;
    read_binary(&l, &places, &program);
    for (uint32_t i = 0; i < run->nmodules; i++) {
        const struct sca_module *m = &run->modules[i];
        if (*m->path == '/' && strcmp(m->path, report->path) &&
            sca_application_is_users_library(m->path))
            read_binary(&l, &places, m);
    }
}
