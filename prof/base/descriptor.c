#include "base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

enum { HIGH = 512 };

int sca_descriptor_move(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}
