#include "base/say.h"
#include "base/patience.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat at_begin;
static bool usable;

void sca_say_begin(void)
{
    usable = !fstat(STDERR_FILENO, &at_begin);
}

static bool still_ours(void)
{
    struct stat st;
    return usable && !fstat(STDERR_FILENO, &st) && st.st_dev == at_begin.st_dev &&
           st.st_ino == at_begin.st_ino;
}

void sca_say(enum sca_log_level level, const char *format, ...)
{
    static const char name[] = "scalana: ";
    char line[2048];
    va_list args;
    int saved = errno;
    if (level > sca_settings.log || !still_ours())
        return;
    memcpy(line, name, sizeof name);
    va_start(args, format);
    vsnprintf(line + sizeof name - 1, sizeof line - sizeof name - 1, format, args);
    va_end(args);
    size_t length = strlen(line);
    line[length++] = '\n';
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
    errno = saved;
}

void sca_say_wait(void)
{
    struct sca_patience p = sca_patience_begin(0.1);
    int unread = 0;
    if (!still_ours() || !S_ISFIFO(at_begin.st_mode))
        return;
    for (unsigned turn = 0; !sca_patience_is_over(&p); sca_patience_pause(&turn))
        if (ioctl(STDERR_FILENO, FIONREAD, &unread) || !unread)
            return;
}
