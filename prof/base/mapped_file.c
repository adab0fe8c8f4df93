#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool sca_mapped_file_open(struct sca_mapped_file *f, const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *bytes = MAP_FAILED;
    *f = (struct sca_mapped_file){0};
    if (fd < 0)
        return false;
    if (!fstat(fd, &info) && info.st_size > 0)
        bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return false;
    *f = (struct sca_mapped_file){bytes, (uint64_t)info.st_size};
    return true;
}

void sca_mapped_file_close(struct sca_mapped_file *f)
{
    munmap((void *)(uintptr_t)f->bytes, f->size);
    *f = (struct sca_mapped_file){0};
}
