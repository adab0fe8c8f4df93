#include "base/descriptor.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HIGH = 512 };

ssize_t sca_descriptor_read(int fd, void *to, size_t size)
{
    return syscall(SYS_read, fd, to, size);
}

int sca_descriptor_control(int fd, int command, uintptr_t argument)
{
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

int sca_descriptor_move(int fd)
{
    int high = sca_descriptor_control(fd, F_DUPFD_CLOEXEC, HIGH);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}
