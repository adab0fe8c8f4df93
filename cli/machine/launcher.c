#include "machine/launcher.h"
#include "base/process.h"
#include "sca_error.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Debian's packages of several MPIs stand side by side under these names; then the common ones. */
static const char *const openmpi_names[] = {"mpirun.openmpi", "mpiexec.openmpi", "mpirun",
                                            "mpiexec",        "prterun",         NULL};
static const char *const mpich_names[] = {"mpiexec.mpich", "mpirun.mpich", "mpiexec", "mpirun",
                                          "mpiexec.hydra", "mpirun_rsh",   NULL};
static const char *const any_names[] = {"mpirun", "mpiexec", "srun", "flux", NULL};

static bool is_named(const char *path, const char *name)
{
    return !strcmp(sca_words_base_name(path), name);
}

char *sca_launcher_version(const char *path)
{
    static const char hydra[] = "Version:";
    int status;
    char *text = sca_process_output((char *[]){(char *)path, "--version", NULL}, 1, &status);
    char *at = strstr(text, hydra);
    if (at)
        at += strlen(hydra) + strspn(at + strlen(hydra), " ");
    else
        at = text;
    char *version = sca_words_format("%.*s", (int)strcspn(at, "\n"), at);
    free(text);
    return version;
}

/* Only what is named like one is asked what it is: a script of the user's might begin the run. */
static bool is_mpi_launcher(const char *path)
{
    static const char *const known[] = {"mpirun", "mpiexec", "orterun", "prterun"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(sca_words_base_name(path), known[i], strlen(known[i])))
            return true;
    return false;
}

static enum sca_launcher_kind kind_of(const char *path)
{
    int status;
    enum sca_launcher_kind kind = SCA_LAUNCHER_OTHER;
    if (is_named(path, "srun"))
        return SCA_LAUNCHER_SRUN;
    if (is_named(path, "flux"))
        return SCA_LAUNCHER_FLUX;
    if (!is_mpi_launcher(path))
        return SCA_LAUNCHER_OTHER;
    char *text = sca_process_output((char *[]){(char *)path, "--version", NULL}, 1, &status);
    if (strstr(text, "Open MPI") || strstr(text, "OpenRTE") || strstr(text, "PRTE"))
        kind = SCA_LAUNCHER_OPENMPI;
    else if (strstr(text, "HYDRA") || strstr(text, "Intel(R) MPI") || strstr(text, "MPICH"))
        kind = SCA_LAUNCHER_HYDRA;
    free(text);
    return kind;
}

bool sca_launcher_is_one(const char *path)
{
    return kind_of(path) != SCA_LAUNCHER_OTHER;
}

static bool serves(const char *path, enum sca_mpi_family family)
{
    enum sca_launcher_kind kind = kind_of(path);
    if (family == SCA_MPI_OPENMPI)
        return kind == SCA_LAUNCHER_OPENMPI;
    if (family == SCA_MPI_MPICH)
        return kind == SCA_LAUNCHER_HYDRA;
    return true;
}

/* PREFIX/lib/libmpi.so has its launcher in PREFIX/bin, whatever PATH says. In /usr several MPIs
 * stand side by side. */
static char *beside_library(enum sca_mpi_family family, const char *library)
{
    char real[PATH_MAX];
    char *path = NULL;
    if (!library || !realpath(library, real))
        return NULL;
    for (int up = 0; up < 3 && !path; up++) {
        char *slash = strrchr(real, '/');
        if (!slash)
            return NULL;
        *slash = '\0';
        char *candidate = sca_words_format("%s/bin/mpiexec", real);
        path = *real && strcmp(real, "/usr") ? sca_words_find_program(candidate) : NULL;
        free(candidate);
    }
    if (path && serves(path, family))
        return path;
    free(path);
    return NULL;
}

char *sca_launcher_of_family(enum sca_mpi_family family, const char *library)
{
    const char *const *names = family == SCA_MPI_OPENMPI ? openmpi_names
                               : family == SCA_MPI_MPICH ? mpich_names
                                                         : any_names;
    char *path = beside_library(family, library);
    for (; !path && *names; names++) {
        path = sca_words_find_program(*names);
        if (path && !serves(path, family)) {
            free(path);
            path = NULL;
        }
    }
    return path;
}

static int find_named(const char *named, struct sca_launcher *launcher)
{
    sca_words_split(&launcher->words, named);
    launcher->users = true;
    if (!launcher->words.count)
        return sca_fail(SCA_EINVAL, "--launcher needs a command");
    char *path = sca_words_find_program(launcher->words.list[0]);
    if (!path)
        return sca_fail(SCA_EINVAL, "--launcher: %s does not exist", launcher->words.list[0]);
    launcher->kind = kind_of(path);
    free(path);
    return SCA_OK;
}

/* srun starts ranks that find each other only by an interface that their MPI knows: Open MPI has
 * PMIx; MPICH has PMI 2, and PMIx only where it was built for it. NULL: none. */
static const char *srun_interface(enum sca_mpi_family family)
{
    static const char pmix[] = "--mpi=pmix", pmi2[] = "--mpi=pmi2";
    int status;
    char *list = sca_process_output((char *[]){"srun", "--mpi=list", NULL}, 1, &status);
    bool has_pmix = strstr(list, "pmix"), has_pmi2 = strstr(list, "pmi2");
    free(list);
    if (family == SCA_MPI_MPICH && has_pmi2)
        return pmi2;
    if (has_pmix)
        return pmix;
    return has_pmi2 && family != SCA_MPI_OPENMPI ? pmi2 : NULL;
}

static bool find_srun(const struct sca_target *target, struct sca_launcher *launcher)
{
    char *path = sca_words_find_program("srun");
    const char *interface = path ? srun_interface(target->mpi) : NULL;
    bool usable = path && (interface || target->mpi != SCA_MPI_OPENMPI);
    if (usable) {
        launcher->kind = SCA_LAUNCHER_SRUN;
        sca_words_add(&launcher->words, path);
        if (interface)
            sca_words_add(&launcher->words, interface);
        /* As mpirun does: else the others wait for a rank that has failed. */
        sca_words_add(&launcher->words, "--kill-on-bad-exit=1");
    }
    free(path);
    return usable;
}

static bool find_flux(struct sca_launcher *launcher)
{
    char *path = sca_words_find_program("flux");
    if (path) {
        launcher->kind = SCA_LAUNCHER_FLUX;
        sca_words_add(&launcher->words, path);
        sca_words_add(&launcher->words, "run");
    }
    free(path);
    return path != NULL;
}

static int nothing_fits(const struct sca_target *target)
{
    static const char *const packages[] = {"openmpi-bin", "openmpi-bin", "mpich", "mpich"};
    if (target->mpi == SCA_MPI_NONE)
        return sca_fail(SCA_ENOTFOUND, "no mpirun, mpiexec, srun or flux in PATH. Load the MPI "
                                       "that the program was built with, or give --launcher");
    return sca_fail(SCA_ENOTFOUND,
                    "%s links %s (%s), whose launcher is not in PATH. Load its module, install it "
                    "(apt-get install %s), or give --launcher",
                    target->path, sca_mpi_family_name(target->mpi), target->mpi_library,
                    packages[target->mpi]);
}

int sca_launcher_find(const char *named, const struct sca_batch *batch,
                      const struct sca_target *target, struct sca_launcher *launcher)
{
    *launcher = (struct sca_launcher){0};
    if (named)
        return find_named(named, launcher);
    if (batch->system == SCA_BATCH_SLURM && find_srun(target, launcher))
        return SCA_OK;
    if (batch->system == SCA_BATCH_FLUX && find_flux(launcher))
        return SCA_OK;
    char *path = sca_launcher_of_family(target->mpi, target->mpi_library);
    if (!path)
        return nothing_fits(target);
    launcher->kind = kind_of(path);
    sca_words_add(&launcher->words, path);
    if (launcher->kind == SCA_LAUNCHER_FLUX)
        sca_words_add(&launcher->words, "run");
    free(path);
    return SCA_OK;
}

void sca_launcher_free(struct sca_launcher *launcher)
{
    sca_words_free(&launcher->words);
}

/* Open MPI's mpirun hands on its environment on its own host alone. */
static void add_settings(struct sca_words *command)
{
    static const char prefix[] = "SCALANA_";
    for (char **at = environ; *at; at++)
        if (!strncmp(*at, prefix, strlen(prefix))) {
            char *name = sca_words_format("%.*s", (int)strcspn(*at, "="), *at);
            sca_words_add(command, "-x");
            sca_words_add(command, name);
            free(name);
        }
}

static void add_placement(enum sca_launcher_kind kind, bool own_cores, bool threads,
                          struct sca_words *command)
{
    bool bind = own_cores && !threads;
    if (kind == SCA_LAUNCHER_OPENMPI && !own_cores)
        sca_words_split(command, "--oversubscribe");
    /* It binds each of two ranks to a core by itself, all threads of it. */
    if (kind == SCA_LAUNCHER_OPENMPI && (own_cores || threads))
        sca_words_split(command, bind ? "--bind-to core:if-supported" : "--bind-to none");
    else if (kind == SCA_LAUNCHER_HYDRA && bind)
        sca_words_split(command, "-bind-to core");
    else if (kind == SCA_LAUNCHER_SRUN && bind)
        sca_words_split(command, "--cpu-bind=cores");
    else if (kind == SCA_LAUNCHER_FLUX && bind)
        sca_words_split(command, "-o cpu-affinity=per-task");
}

/* Where the user's command has %n, the number of ranks goes there. */
static bool add_users_words(const struct sca_words *words, unsigned ranks,
                            struct sca_words *command)
{
    bool counted = false;
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->list[i], *mark = strstr(word, "%n");
        char *text = mark ? sca_words_format("%.*s%u%s", (int)(mark - word), word, ranks, mark + 2)
                          : sca_words_format("%s", word);
        counted |= mark != NULL;
        sca_words_add(command, text);
        free(text);
    }
    return counted;
}

void sca_launcher_compose(const struct sca_launcher *launcher, unsigned ranks, bool own_cores,
                          bool threads, struct sca_words *command)
{
    char number[16];
    snprintf(number, sizeof number, "%u", ranks);
    if (!add_users_words(&launcher->words, ranks, command)) {
        sca_words_add(command, "-n");
        sca_words_add(command, number);
    }
    if (!launcher->users)
        add_placement(launcher->kind, own_cores, threads, command);
    if (launcher->kind == SCA_LAUNCHER_OPENMPI)
        add_settings(command);
}

int sca_launcher_check_user(const struct sca_launcher *launcher)
{
    bool allowed = getenv("OMPI_ALLOW_RUN_AS_ROOT") && getenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM");
    for (size_t i = 0; i < launcher->words.count; i++)
        allowed |= !strcmp(launcher->words.list[i], "--allow-run-as-root");
    if (launcher->kind != SCA_LAUNCHER_OPENMPI || geteuid() || allowed)
        return SCA_OK;
    return sca_fail(
        SCA_EINVAL,
        "Open MPI does not run as root unless two variables allow it. Run as another user, or, in "
        "a container, export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
}
