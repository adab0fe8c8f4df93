#include "symbols/application.h"

#include <string.h>

static bool starts(const char *path, const char *with)
{
    return !strncmp(path, with, strlen(with));
}

static bool is_distributions_library(const char *path)
{
    return starts(path, "/lib") || starts(path, "/usr/lib");
}

bool sca_application_is_users_library(const char *path)
{
    const char *slash = strrchr(path, '/');
    return !is_distributions_library(path) && slash && !starts(slash, "/libscalana-");
}

static bool is_distributions_program(const char *path)
{
    return is_distributions_library(path) || starts(path, "/bin/") || starts(path, "/usr/bin/");
}

static bool runs_distributions_program(const struct sca_code *files, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (files[i].program)
            return is_distributions_program(files[i].path);
    return false;
}

static bool is_at_hand(const struct sca_code *file)
{
    if (!file->binary)
        return false;
    if (file->program || file->binary->psg)
        return true;
    return sca_application_is_users_library(file->path) &&
           sca_binary_mpi_use(file->binary) != SCA_MPI_OFFERED;
}

/* Linked with one of the application's libraries. */
static bool needs_application(const struct sca_code *file, const struct sca_code *files,
                              uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (files[i].application && !files[i].program &&
            sca_binary_needs(file->binary, sca_binary_library_name(files[i].binary)))
            return true;
    return false;
}

static bool add_one_that_communicates(struct sca_code *files, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct sca_code *f = &files[i];
        if (f->application || !f->binary || !is_distributions_library(f->path))
            continue;
        enum sca_mpi_use use = sca_binary_mpi_use(f->binary);
        f->application =
            use == SCA_MPI_CALLED || (use == SCA_MPI_UNUSED && needs_application(f, files, count));
        if (f->application)
            return true;
    }
    return false;
}

void sca_application_find(struct sca_code *files, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        files[i].application = is_at_hand(&files[i]);
    if (runs_distributions_program(files, count))
        while (add_one_that_communicates(files, count)) {
        }
}

bool sca_application_is_system_library(const struct sca_code *file, const struct sca_code *files,
                                       uint32_t count)
{
    return file->binary && !file->application && is_distributions_library(file->path) &&
           runs_distributions_program(files, count);
}
