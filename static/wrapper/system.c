#include "wrapper/wrapper.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

static bool is_this_program(const char *path)
{
    char real[PATH_MAX], self[PATH_MAX];
    return realpath(path, real) && realpath("/proc/self/exe", self) && !strcmp(real, self);
}

char *sca_system_pass_over(char *name)
{
    char *found = strchr(name, '/') ? NULL : sca_words_find_program(name);
    if (!found || !is_this_program(found))
        return name;
    for (const char *at = getenv("PATH"); at && *at; at += strcspn(at, ":"), at += *at == ':') {
        char *candidate = sca_words_format("%.*s/%s", (int)strcspn(at, ":"), at, name);
        if (!access(candidate, X_OK) && !is_this_program(candidate))
            return candidate;
        free(candidate);
    }
    return name;
}

/* In the environment of what scalana-static asks. */
static const char asked[] = "SCALANA_STATIC_ASKS";

bool sca_system_is_asked(void)
{
    return getenv(asked) != NULL;
}

static void become(char *const *command, int output)
{
    setenv(asked, "1", 1);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(output, 1);
    dup2(nowhere, 2);
    execvp(command[0], command);
    _exit(127);
}

static char *read_line(int input)
{
    char *line = NULL;
    size_t size = 0;
    FILE *stream = fdopen(input, "r");
    if (stream && getline(&line, &size, stream) < 0)
        line = NULL;
    while (stream && fgetc(stream) != EOF) /* let the command finish undisturbed */
        continue;
    if (stream)
        fclose(stream);
    if (line)
        line[strcspn(line, "\n")] = 0;
    return line;
}

char *sca_system_first_line(char *const *command)
{
    int ends[2], status = 0;
    if (pipe2(ends, O_CLOEXEC))
        return NULL;
    pid_t child = fork();
    if (child == 0)
        become(command, ends[1]);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return NULL;
    }
    char *line = read_line(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? line : NULL;
}
