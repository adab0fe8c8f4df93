#include "wrapper/wrapper.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whole lines: other compilers write at the same time. */
static void append(const char *path, const char *line)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return;
    if (write(fd, line, strlen(line)) < 0)
        unlink(path); /* better none than half of it */
    close(fd);
}

static const char *output_of(char **arguments)
{
    for (; *arguments; arguments++)
        if (!strncmp(*arguments, "-o", 2) && (*arguments)[2])
            return *arguments + 2;
        else if (!strcmp(*arguments, "-o") && arguments[1])
            return arguments[1];
    return "a.out";
}

void sca_build_log_note(const struct request *r, char **arguments)
{
    const char *path = getenv("SCALANA_BUILD_LOG"), *output = output_of(arguments);
    char here[PATH_MAX];
    if (!path || r->untouched)
        return;
    if (r->compiles)
        append(path, "compile\n");
    if (r->links && (*output == '/' || getcwd(here, sizeof here)))
        append(path, *output == '/' ? sca_words_format("link %s\n", output)
                                    : sca_words_format("link %s/%s\n", here, output));
}
