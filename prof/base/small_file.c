#include "base/small_file.h"
#include "base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

size_t sca_small_file_bytes(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    text[0] = '\0';
    if (fd < 0)
        return 0;
    ssize_t n = sca_descriptor_read(fd, text, size - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

bool sca_small_file_read(const char *path, char *text, size_t size)
{
    return sca_small_file_bytes(path, text, size) > 0;
}
