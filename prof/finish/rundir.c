#include "finish/rundir.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100000 };

void sca_rundir_program_path(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    path[n > 0 ? n : 0] = '\0';
}

const char *sca_rundir_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct wanted {
    char *hex;
    size_t size;
};

static size_t aligned(size_t n)
{
    return (n + 3) / 4 * 4;
}

static bool note_build_id(const char *note, const char *end, struct wanted *wanted)
{
    while (end - note >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) head;
        memcpy(&head, note, sizeof head);
        const char *name = note + sizeof head;
        const unsigned char *id = (const unsigned char *)name + aligned(head.n_namesz);
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && !memcmp(name, "GNU", 4)) {
            for (size_t i = 0; i < head.n_descsz && 2 * i + 3 <= wanted->size; i++)
                snprintf(wanted->hex + 2 * i, 3, "%02x", id[i]);
            return true;
        }
        note = (const char *)id + aligned(head.n_descsz);
    }
    return false;
}

/* The program is the first object; its notes are in memory. */
static int first_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const char *note = (const char *)info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_NOTE && note_build_id(note, note + segment->p_memsz, data))
            break;
    }
    return 1;
}

void sca_rundir_program_build_id(char *hex, size_t size)
{
    struct wanted wanted = {hex, size};
    hex[0] = '\0';
    dl_iterate_phdr(first_object, &wanted);
}

static bool is_empty(const char *directory)
{
    DIR *dir = opendir(directory);
    bool empty = dir != NULL;
    for (struct dirent *entry; dir && empty && (entry = readdir(dir));)
        empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    if (dir)
        closedir(dir);
    return empty;
}

/* ".", "/" and the like name where to, not what: the usual name is put there. */
static bool names_a_place(const char *output)
{
    size_t length = strlen(output), dots = 0;
    while (length && output[length - 1] == '/')
        length--;
    while (dots < length && output[length - 1 - dots] == '.')
        dots++;
    return dots <= 2 && (dots == length || output[length - 1 - dots] == '/');
}

static int write_name(char *to, const char *output, const char *program, uint32_t ranks)
{
    char here[SCA_DIRECTORY / 2] = "", usual[SCA_DIRECTORY / 4];
    bool absolute = output && output[0] == '/';
    if (!absolute && !getcwd(here, sizeof here))
        return errno;
    size_t room = SCA_DIRECTORY - 8; /* for the suffix */
    bool own = !output || names_a_place(output);
    snprintf(usual, sizeof usual, "/scalana-%s-%up", program, ranks);
    int n = snprintf(to, room, "%s%s%s%s", here, absolute || !output ? "" : "/",
                     output ? output : "", own ? usual : "");
    if (n < 0 || (size_t)n >= room)
        return ENAMETOOLONG;
    while (n > 1 && to[n - 1] == '/')
        to[--n] = '\0';
    return 0;
}

/* mkdir alone decides: two runs at the same time never get the same name. A directory that the
 * user made and left empty is taken as meant. */
int sca_rundir_make(char directory[SCA_DIRECTORY], const char *output, const char *program,
                    uint32_t ranks)
{
    int error = write_name(directory, output, program, ranks);
    size_t length = strlen(directory);
    for (int i = 1; !error && i < ATTEMPTS; i++) {
        if (i > 1)
            snprintf(directory + length, 8, ".%d", i);
        if (!mkdir(directory, 0777))
            return 0;
        if (errno != EEXIST)
            error = errno;
        else if (i == 1 && output && is_empty(directory))
            return access(directory, W_OK) ? errno : 0;
    }
    return error ? error : EEXIST;
}
