#include "sca_replace.h"
#include "sca_error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct job {
    int (*write)(FILE *out, const void *context);
    const void *context;
    const char *path; /* as the user wrote it */
};

static int refuse(const struct job *job)
{
    return sca_fail(SCA_EIO, "cannot write %s: %s",
                    strcmp(job->path, "-") ? job->path : "standard output", strerror(errno));
}

static int fill(const struct job *job, FILE *out)
{
    int status = job->write(out, job->context);
    if (status == SCA_OK && (fflush(out) || ferror(out)))
        status = refuse(job);
    return status;
}

static int write_to(const struct job *job, const char *path, const char *mode)
{
    FILE *out = fopen(path, mode);
    if (!out)
        return refuse(job);
    int status = fill(job, out);
    if (fclose(out) && status == SCA_OK)
        status = refuse(job);
    return status;
}

struct target {      /* to be freed */
    char *path;      /* links are followed */
    char *temporary; /* next to it, of no file */
};

static int name(const char *path, struct target *out)
{
    char *real = realpath(path, NULL);
    *out = (struct target){.path = real ? real : strdup(path)};
    if (!out->path || asprintf(&out->temporary, "%s.%ld.tmp", out->path, (long)getpid()) < 0) {
        free(out->path);
        *out = (struct target){0};
        return sca_fail(SCA_ENOMEM, "out of memory writing %s", path);
    }
    unlink(out->temporary); /* left by a dead process of the same number */
    return SCA_OK;
}

static void free_target(struct target *target)
{
    free(target->path);
    free(target->temporary);
}

static int replace(const struct job *job)
{
    struct target target;
    int status = name(job->path, &target);
    if (status != SCA_OK)
        return status;
    status = write_to(job, target.temporary, "wxe");
    if (status == SCA_OK && rename(target.temporary, target.path))
        status = refuse(job);
    if (status)
        unlink(target.temporary);
    free_target(&target);
    return status;
}

/* Permissions do not say it all: /proc takes no files of anybody. */
static int try_next_to(const struct job *job)
{
    struct target target;
    int status = name(job->path, &target);
    if (status != SCA_OK)
        return status;
    FILE *out = fopen(target.temporary, "wxe");
    status = out ? SCA_OK : refuse(job);
    if (out) {
        fclose(out);
        unlink(target.temporary);
    }
    free_target(&target);
    return status;
}

int sca_replace_check(const char *path)
{
    struct job job = {.path = path};
    struct stat info;
    if (!strcmp(path, "-"))
        return SCA_OK;
    bool there = !stat(path, &info);
    if (there && !S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : access(path, W_OK) ? errno : 0;
        return errno ? refuse(&job) : SCA_OK;
    }
    return try_next_to(&job);
}

int sca_replace_file(const char *path, int (*write)(FILE *out, const void *context),
                     const void *context)
{
    struct job job = {write, context, path};
    struct stat info;
    if (!strcmp(path, "-"))
        return fill(&job, stdout);
    if (!stat(path, &info) && !S_ISREG(info.st_mode))
        return write_to(&job, path, "we");
    return replace(&job);
}
