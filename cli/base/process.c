#include "base/process.h"
#include "sca_progress.h"
#include "sca_words.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN = 126, NO_PROGRAM = 127, BY_SIGNAL = 128 };

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

/* What the handler sees. */
static volatile sig_atomic_t received, child_pid;

static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    received = number;
    if (info->si_code != SI_KERNEL && child_pid > 0) /* the terminal has told the child itself */
        kill((pid_t)child_pid, number);
}

static int shell_status(int status)
{
    return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

static void listen_to(struct sigaction *before)
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    received = 0;
    for (int i = 0; i < PASSED_ON; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) /* nohup */
            sigaction(passed_on[i], &action, NULL);
    }
}

static int complain(const char *program)
{
    int status = errno == ENOENT ? NO_PROGRAM : CANNOT_RUN;
    fprintf(stderr, "scalana: %s: %s\n", program, strerror(errno));
    return status;
}

/* Signals wait until the child is known, and has what this process had. */
static pid_t start(char *const *command, const struct sigaction *before, const sigset_t *mask)
{
    pid_t child = fork();
    if (child)
        return child;
    for (int i = 0; i < PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(command[0], command);
    _exit(complain(command[0]));
}

int sca_process_run(char *const *command, int *signal)
{
    struct sigaction before[PASSED_ON];
    sigset_t these, mask;
    int status = 0;
    sigemptyset(&these);
    for (int i = 0; i < PASSED_ON; i++)
        sigaddset(&these, passed_on[i]);
    fflush(NULL);
    sigprocmask(SIG_BLOCK, &these, &mask);
    listen_to(before);
    pid_t child = start(command, before, &mask);
    child_pid = child;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    child_pid = 0;
    for (int i = 0; i < PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
    *signal = received;
    return child < 0 ? complain(command[0]) : shell_status(status);
}

static void become_quietly(char *const *command, int output, int errors)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nowhere, STDIN_FILENO);
    dup2(errors ? output : nowhere, STDERR_FILENO);
    dup2(output, STDOUT_FILENO);
    execvp(command[0], command);
    _exit(NO_PROGRAM);
}

static char *read_all(int input)
{
    char *text = NULL, buffer[4096];
    size_t size = 0;
    FILE *out = sca_must(open_memstream(&text, &size));
    for (ssize_t n; (n = read(input, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0)
            fwrite(buffer, 1, (size_t)n, out);
    fclose(out);
    close(input);
    return sca_must(text);
}

char *sca_process_output(char *const *command, int errors, int *status)
{
    int ends[2], ended = 0;
    *status = CANNOT_RUN;
    if (pipe2(ends, O_CLOEXEC))
        return sca_words_format("%s", "");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become_quietly(command, ends[1], errors);
    close(ends[1]);
    sca_progress_watch("waiting for %s", sca_words_base_name(command[0]));
    char *text = read_all(ends[0]);
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    sca_progress_end();
    *status = child > 0 ? shell_status(ended) : CANNOT_RUN;
    return text;
}

int sca_process_become(char *const *command)
{
    fflush(NULL);
    execvp(command[0], command);
    return complain(command[0]);
}

static int is_plain(const char *word)
{
    for (const char *c = word; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("%+,-./:=@_", *c))
            return 0;
    return *word != '\0';
}

char *sca_process_quote(const char *word)
{
    char *text = NULL;
    size_t size = 0;
    if (is_plain(word))
        return sca_words_format("%s", word);
    FILE *out = sca_must(open_memstream(&text, &size));
    fputc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, out);
    fputc('\'', out);
    fclose(out);
    return sca_must(text);
}
