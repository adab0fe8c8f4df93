#include "finish/profile_file.h"
#include "base/file_limit.h"
#include "sca_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

void sca_profile_file_begin(struct sca_profile_file *file, const char *directory)
{
    snprintf(file->path, sizeof file->path, "%s/" SCA_PROFILE_FILE, directory);
    snprintf(file->temporary, sizeof file->temporary, "%s/." SCA_PROFILE_FILE ".%d", directory,
             (int)getpid());
    file->bytes = 0;
    file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    file->error = file->fd < 0 ? errno : 0;
}

static int write_all(int fd, const uint8_t *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        }
    }
    return 0;
}

void sca_profile_file_append(struct sca_profile_file *file, const void *bytes, size_t length)
{
    if (file->error)
        return;
    file->bytes += length;
    file->error = sca_file_limit_allows(file->bytes) ? write_all(file->fd, bytes, length) : EFBIG;
}

bool sca_profile_file_try(struct sca_profile_file *file, const void *bytes, size_t length)
{
    const uint64_t bytes_before = file->bytes;
    const int error_before = file->error;
    sca_profile_file_append(file, bytes, length);
    if (!file->error || error_before)
        return !file->error;
    bool back = !ftruncate(file->fd, (off_t)bytes_before) &&
                lseek(file->fd, (off_t)bytes_before, SEEK_SET) >= 0;
    if (back) {
        file->error = 0;
        file->bytes = bytes_before;
    }
    return false;
}

int sca_profile_file_end(struct sca_profile_file *file, bool whole)
{
    if (file->fd < 0)
        return file->error;
    if (close(file->fd) && !file->error)
        file->error = errno;
    if (whole && !file->error && rename(file->temporary, file->path))
        file->error = errno;
    if (!whole || file->error)
        unlink(file->temporary);
    return file->error;
}
