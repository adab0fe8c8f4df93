#include "inspect/elf_debug.h"
#include "inspect/inspect.h"
#include "sca_error.h"
#include "inspect/thin_archive.h"
#include "sca_words.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct loading {
    struct sca_psg *psg;
    struct sca_words files; /* loaded so far, the program first, to load none twice */
    char *rpath; /* the program's DT_RPATH: its libraries' libraries are found by it, too */
    bool found, stripped; /* stripped: the program itself, and no debug file helped */
    bool bitcode;         /* something is not machine code yet */
};

static int load_file(struct loading *l, const char *path);

static int load_section(struct loading *l, Elf_Scn *section, const char *name)
{
    for (Elf_Data *data = NULL; (data = elf_rawdata(section, data));) {
        l->found = true;
        int status = data->d_buf ? sca_psg_add(l->psg, data->d_buf, data->d_size, name) : SCA_OK;
        if (status)
            return status;
    }
    return SCA_OK;
}

/* libelf takes a section table behind the end of the file for none. */
static bool is_cut_off(Elf *elf)
{
    GElf_Ehdr header;
    size_t sections = 0;
    return gelf_getehdr(elf, &header) && header.e_shoff &&
           (elf_getshdrnum(elf, &sections) || !sections);
}

static int load_sections(struct loading *l, Elf *elf, const char *name)
{
    size_t strings;
    int status = SCA_OK;
    if (is_cut_off(elf))
        return sca_fail(SCA_EFORMAT, "%s is truncated: its section table lies beyond its end",
                        name);
    if (elf_getshdrstrndx(elf, &strings))
        return sca_fail(SCA_EFORMAT, "%s: damaged ELF file: %s", name, elf_errmsg(-1));
    for (Elf_Scn *section = NULL; !status && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char *title = NULL;
        if (gelf_getshdr(section, &header))
            title = elf_strptr(elf, strings, header.sh_name);
        if (!title || header.sh_type != SHT_PROGBITS || strcmp(title, SCA_PSG_SECTION))
            continue;
        if (header.sh_flags & SHF_COMPRESSED)
            elf_compress(section, 0, 0);
        status = load_section(l, section, name);
    }
    return status;
}

/* ---- needed libraries ---- */

struct needs {
    struct sca_words names;
    const char *runpath; /* DT_RUNPATH, or DT_RPATH */
    bool inherited;      /* it is DT_RPATH */
};

static void read_needs(Elf *elf, struct needs *needs)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        GElf_Dyn entry;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getdyn(data, i, &entry); i++) {
            const char *text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
            if (entry.d_tag == DT_NEEDED && text)
                sca_words_add(&needs->names, text);
            if ((entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) && text) {
                needs->runpath = text;
                needs->inherited = entry.d_tag == DT_RPATH;
            }
        }
    }
}

/* Tries the folders of a list like a:b:$ORIGIN/c. */
static bool find_in(const char *list, const char *name, const char *binary, char *out)
{
    const char *slash = strrchr(binary, '/');
    int here = slash ? (int)(slash - binary) : 0;
    for (const char *at = list; at && *at; at += strspn(at, ":")) {
        int length = (int)strcspn(at, ":"), skip = 0;
        if (!strncmp(at, "$ORIGIN", 7))
            skip = 7;
        else if (!strncmp(at, "${ORIGIN}", 9))
            skip = 9;
        int n = snprintf(out, PATH_MAX, "%.*s%.*s/%s", skip ? here : 0, binary, length - skip,
                         at + skip, name);
        if (n < PATH_MAX && !access(out, R_OK))
            return true;
        at += length;
    }
    return false;
}

static int load_needs(struct loading *l, Elf *elf, const char *path)
{
    struct needs needs = {0};
    char real[PATH_MAX], found[PATH_MAX];
    int status = SCA_OK;
    read_needs(elf, &needs);
    if (needs.inherited && l->files.count == 1)
        l->rpath = sca_must(strdup(needs.runpath));
    for (size_t i = 0; !status && i < needs.names.count && realpath(path, real); i++) {
        const char *name = needs.names.list[i];
        if (find_in(needs.runpath, name, real, found) ||
            find_in(l->rpath, name, l->files.list[0], found) ||
            find_in(getenv("LD_LIBRARY_PATH"), name, real, found) ||
            find_in("/usr/local/lib:/lib:/usr/lib", name, real, found))
            status = load_file(l, found);
    }
    sca_words_free(&needs.names);
    return status;
}

/* ---- files ---- */

static bool is_new(struct loading *l, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        return false;
    for (size_t i = 0; i < l->files.count; i++)
        if (!strcmp(l->files.list[i], real))
            return false;
    sca_words_add(&l->files, real);
    return true;
}

/* A program says what it has in its debug file; libraries without graph need not have one. */
static int load_debug_file(struct loading *l, Elf *elf, const char *path)
{
    int fd, status = SCA_OK;
    Elf *debug = sca_elf_debug_open(elf, path, &fd);
    if (debug) {
        status = load_sections(l, debug, path);
        elf_end(debug);
        close(fd);
    }
    l->stripped |= !l->found && l->files.count == 1 && sca_elf_debug_is_stripped(elf);
    return status;
}

static int load_object(struct loading *l, Elf *elf, const char *path)
{
    bool before = l->found;
    l->found = false;
    int status = load_sections(l, elf, path);
    if (!status && !l->found)
        status = load_debug_file(l, elf, path);
    if (!status && (l->found || l->files.count == 1))
        status = load_needs(l, elf, path);
    l->found |= before;
    return status;
}

/* What -flto leaves in objects. */
static bool is_bitcode(Elf *file)
{
    static const char magic[] = {'B', 'C', (char)0xc0, (char)0xde};
    size_t size = 0;
    const char *bytes = elf_rawfile(file, &size);
    return bytes && size > sizeof magic && !memcmp(bytes, magic, sizeof magic);
}

static int load_archive(struct loading *l, Elf *archive, int fd, const char *path)
{
    int status = SCA_OK;
    Elf_Cmd next = ELF_C_READ;
    for (Elf *member; !status && (member = elf_begin(fd, next, archive)); elf_end(member)) {
        if (elf_kind(member) == ELF_K_ELF)
            status = load_sections(l, member, path);
        l->bitcode |= is_bitcode(member);
        next = elf_next(member);
    }
    return status;
}

static int load_thin_archive(struct loading *l, const char *path)
{
    struct sca_words members = {0};
    int status = sca_thin_archive_members(path, &members);
    for (size_t i = 0; !status && i < members.count; i++)
        if (access(members.list[i], R_OK))
            status = sca_fail(SCA_EIO, "%s, of the archive %s: %m", members.list[i], path);
        else
            status = load_file(l, members.list[i]);
    sca_words_free(&members);
    return status;
}

static int load_file(struct loading *l, const char *path)
{
    if (!is_new(l, path))
        return SCA_OK;
    int status = SCA_OK, fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (fd < 0)
        status = sca_fail(SCA_EIO, "%s: %m", path);
    else if (elf && elf_kind(elf) == ELF_K_AR)
        status = load_archive(l, elf, fd, path);
    else if (elf && elf_kind(elf) == ELF_K_ELF)
        status = load_object(l, elf, path);
    else if (sca_thin_archive_is_one(fd))
        status = load_thin_archive(l, path);
    else if (elf && is_bitcode(elf))
        l->bitcode = true;
    else if (l->files.count == 1) /* a library may be a linker script */
        status = sca_fail(SCA_EFORMAT, "%s is not an ELF binary", path);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return status;
}

int sca_elf_load(struct sca_psg *psg, const char *path)
{
    struct loading l = {.psg = psg};
    struct stat info;
    if (access(path, R_OK) || stat(path, &info))
        return sca_fail(SCA_EIO, "%s: %m", path);
    if (!S_ISREG(info.st_mode))
        return sca_fail(SCA_EFORMAT, "%s is not an ELF binary", path);
    if (elf_version(EV_CURRENT) == EV_NONE)
        return sca_fail(SCA_EVERSION, "libelf is too old: %s", elf_errmsg(-1));
    int status = load_file(&l, path);
    sca_words_free(&l.files);
    free(l.rpath);
    if (!status && !psg->nfunctions && l.bitcode)
        status = sca_fail(SCA_ENOTFOUND,
                          "%s is bitcode (-flto): give the program that it is linked into, which "
                          "has the program structure graph",
                          path);
    else if (!status && !psg->nfunctions && l.stripped)
        status = sca_fail(SCA_ENOTFOUND,
                          "%s has no program structure graph: not built with 'scalana-static "
                          "COMPILER ...', or stripped and without its debug file",
                          path);
    else if (!status && !psg->nfunctions)
        status = sca_fail(
            SCA_ENOTFOUND,
            "%s has no program structure graph: compile it with 'scalana-static COMPILER ...'",
            path);
    return status;
}
