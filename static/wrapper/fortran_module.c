#include "sca_cache_folder.h"
#include "sca_error.h"
#include "sca_options.h"
#include "sca_psg.h"
#include "wrapper/fortran_folders.h"
#include "wrapper/wrapper.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int failed(const char *path)
{
    fprintf(stderr, "scalana-static: %s: %s\n", path, strerror(errno));
    return SCA_EXIT_FAILED;
}

/* All of mpif.h is parameters, commons of the MPI library's and declarations: nothing to link. */
static int write_source(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return SCA_EIO;
    fputs("module mpi\n  include 'mpif.h'\n", file);
    for (const char *const *name = sca_fortran_procedures; *name; name++)
        fprintf(file, "  external %s\n", *name);
    fputs("end module mpi\n", file);
    bool written = !ferror(file);
    return fclose(file) || !written ? SCA_EIO : SCA_OK;
}

int sca_fortran_module_make(const char *folder, char *mpifort)
{
    char *source = sca_words_format("%s/mpi.f90", folder);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return failed(folder);
    if (write_source(source))
        return failed(source);
    return sca_wrapper_run(
        (char *[]){mpifort, "-c", "-J", (char *)folder, source, "-o", "/dev/null", NULL},
        SCA_PSG_DEFAULT_DEPTH);
}

/* ---- kept for the next compilation ---- */

/* What a file is, as far as a rebuilt one differs: its name, size and time. */
static char *identity(const char *path)
{
    struct stat info = {0};
    if (!path || stat(path, &info))
        return sca_words_format("-");
    return sca_words_format("%s %jd %jd", path, (intmax_t)info.st_size, (intmax_t)info.st_mtime);
}

static char *kept_folder(const struct compiler *compiler, const char *header, const char *replaced)
{
    char cache[PATH_MAX];
    if (!sca_cache_folder("mpi-module", cache, sizeof cache))
        return NULL;
    char *key = sca_words_format("%s %d %s %s", SCA_VERSION, compiler->version, identity(header),
                                 identity(replaced));
    sca_cache_make_folder(cache);
    return sca_words_format("%s/%016" PRIx64, cache,
                            sca_psg_hash(SCA_PSG_HASH_SEED, key, strlen(key)));
}

/* Compiles without a word: true if it could be done. */
static bool compile(const struct compiler *compiler, const struct sca_words *folders,
                    const char *folder, const char *source)
{
    const char *const before[] = {compiler->command, "-c", "-J", folder, source, "-o", "/dev/null"};
    struct sca_words command = {0};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        sca_words_add(&command, before[i]);
    sca_fortran_add_folders(&command, folders);
    int status = 1, nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        _exit(sca_wrapper_run(command.list, SCA_PSG_DEFAULT_DEPTH));
    }
    close(nowhere);
    return child > 0 && waitpid(child, &status, 0) > 0 && status == 0;
}

static char *module_in(const char *folder)
{
    return sca_words_format("%s/mpi.mod", folder);
}

/* In a folder of its own first: compilations beside this one see a whole module or none. */
static bool make_beside(const struct compiler *compiler, const struct sca_words *folders,
                        const char *kept)
{
    char *folder = mkdtemp(sca_words_format("%s.XXXXXX", kept));
    if (!folder)
        return false;
    char *source = sca_words_format("%s/mpi.f90", folder);
    bool made = !write_source(source) && compile(compiler, folders, folder, source) &&
                !access(module_in(folder), R_OK);
    unlink(source);
    if (made && !rename(folder, kept)) {
        fprintf(stderr,
                "scalana-static: made a module mpi from mpif.h for flang in %s; it does not check "
                "arguments\n",
                kept);
        return true;
    }
    unlink(module_in(folder));
    rmdir(folder);
    return made;
}

char *sca_fortran_module_kept(const struct compiler *compiler, const struct sca_words *folders,
                              const char *header, const char *replaced)
{
    char *kept = kept_folder(compiler, header, replaced);
    if (!kept || (access(module_in(kept), R_OK) && !make_beside(compiler, folders, kept)))
        return NULL;
    return access(module_in(kept), R_OK) ? NULL : kept;
}
