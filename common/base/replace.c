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

static int replace(const struct job *job)
{
    char *real = realpath(job->path, NULL), *temporary = NULL;
    const char *target = real ? real : job->path;
    int status = SCA_OK;
    if (asprintf(&temporary, "%s.%ld.tmp", target, (long)getpid()) < 0) {
        free(real);
        return sca_fail(SCA_ENOMEM, "out of memory writing %s", job->path);
    }
    unlink(temporary); /* left by a dead process of the same number */
    status = write_to(job, temporary, "wxe");
    if (status == SCA_OK && rename(temporary, target))
        status = refuse(job);
    if (status)
        unlink(temporary);
    free(temporary);
    free(real);
    return status;
}

/* Of a path, which is cut. */
static const char *folder_of(char *copy)
{
    char *slash = strrchr(copy, '/');
    if (!slash)
        return ".";
    *slash = '\0';
    return slash == copy ? "/" : copy;
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
    char *real = there ? realpath(path, NULL) : strdup(path);
    int status = real && access(folder_of(real), W_OK | X_OK) ? refuse(&job) : SCA_OK;
    free(real);
    return status;
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
