#include "signals/own_signal.h"
#include "base/descriptor.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS = 2048, HEXADECIMAL = 16 };

/* From proc(5), which says it of other threads, too. */
bool sca_own_signal_is_blocked_for(int tid)
{
    static const char name[] = "\nSigBlk:";
    char path[48], text[STATUS];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = sca_descriptor_read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, name);
    uint64_t blocked = at ? strtoull(at + sizeof name - 1, NULL, HEXADECIMAL) : 0;
    return blocked >> (SCA_OWN_SIGNAL - 1) & 1;
}
