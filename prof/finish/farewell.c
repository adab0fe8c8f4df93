#include "finish/farewell.h"
#include "base/file_limit.h"
#include "base/patience.h"
#include "finish/rundir.h"
#include "base/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_SECONDS 0.5

/* The kernel lets go of the lock of who is killed while it speaks: the next one speaks then. */
static void await_turn(int fd)
{
    struct sca_patience p = sca_patience_begin(WAIT_SECONDS);
    for (unsigned turn = 0; flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;) {
        if (sca_patience_is_over(&p))
            return;
        sca_patience_pause(&turn);
    }
}

/* On a full disk the note stays empty: then that nobody may write it says the same. */
static void note_said(int fd, const char *why)
{
    size_t length = strlen(why);
    bool done = sca_file_limit_allows(length) && write(fd, why, length) > 0;
    if (!done)
        done = !fchmod(fd, 0);
    (void)done;
}

static bool is_said(int fd)
{
    struct stat st;
    return !fstat(fd, &st) && (st.st_size > 0 || !(st.st_mode & S_IWUSR));
}

void sca_farewell(const char *directory, enum sca_log_level level, const char *line,
                  const char *why)
{
    char path[SCA_DIRECTORY + 16];
    snprintf(path, sizeof path, "%s/incomplete", directory);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 && !access(path, F_OK))
        return;
    if (fd >= 0)
        await_turn(fd);
    bool said = fd >= 0 && is_said(fd);
    if (!said) {
        sca_say(level, "%s", line);
        sca_say_wait();
    }
    if (fd < 0)
        return;
    if (!said)
        note_said(fd, why);
    close(fd);
}
