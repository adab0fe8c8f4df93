#include "hosts/launch.h"
#include "sca_error.h"
#include "sca_words.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { END_TRIES = 20, END_MS = 100, SAID = 4096 };

static const char placeholder[] = "{host}";

/* ---- words ---- */

/* Letters, digits and what addresses and user names have: nothing that an option begins with, or
 * that a shell knows. */
static int check_host(const char *host)
{
    bool good = *host && *host != '-' && strlen(host) < 256;
    for (const char *at = host; good && *at; at++)
        good = isalnum((unsigned char)*at) || strchr("._-:@%[]", *at);
    return good ? SCA_OK : sca_fail(SCA_EINVAL, "--hosts: '%.80s' is no name of a host", host);
}

/* A word as a shell reads it back. */
static char *quoted(const char *word)
{
    char *text = sca_must(malloc(4 * strlen(word) + 3)), *to = text;
    *to++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = *word;
    strcpy(to, "'");
    return text;
}

static bool has_shell(const char *launcher)
{
    const char *name = sca_words_base_name(launcher);
    return !strcmp(name, "ssh") || !strcmp(name, "rsh");
}

static bool is_by_host(const struct sca_launch_plan *plan, const struct sca_words *launcher)
{
    return strstr(plan->launcher, placeholder) || has_shell(launcher->list[0]);
}

/* {host} within a word becomes the host. */
static void add_launcher(struct sca_words *out, const struct sca_words *launcher, const char *host)
{
    bool named = !host;
    for (size_t i = 0; i < launcher->count; i++) {
        const char *word = launcher->list[i], *at = host ? strstr(word, placeholder) : NULL;
        named |= at != NULL;
        char *made = at ? sca_words_format("%.*s%s%s", (int)(at - word), word, host,
                                           at + sizeof placeholder - 1)
                        : sca_words_format("%s", word);
        sca_words_add(out, made);
        free(made);
    }
    if (!named)
        sca_words_add(out, host);
}

static void add_collector(struct sca_words *out, const struct sca_launch_plan *plan, bool by_host)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    sca_words_add(out, n > 0 ? self : "scalana-live");
    sca_words_add(out, "--collect");
    sca_words_add(out, plan->front);
    sca_words_add(out, "--token");
    sca_words_add(out, by_host ? "-" : plan->token_path);
    sca_words_add(out, "--");
    sca_words_add(out, plan->run);
}

static void add_quoted(struct sca_words *out, const struct sca_words *words)
{
    char *line = sca_words_format("exec");
    for (size_t i = 0; i < words->count; i++) {
        char *word = quoted(words->list[i]), *longer = sca_words_format("%s %s", line, word);
        free(word);
        free(line);
        line = longer;
    }
    sca_words_add(out, line);
    free(line);
}

int sca_launch_words(const struct sca_launch_plan *plan, const char *host, struct sca_words *out)
{
    struct sca_words launcher = {0}, collector = {0};
    sca_words_split(&launcher, plan->launcher);
    if (!launcher.count)
        return sca_fail(SCA_EINVAL, "--launcher needs a command, such as srun --overlap");
    int status = host ? check_host(host) : SCA_OK;
    if (status == SCA_OK) {
        add_launcher(out, &launcher, host);
        add_collector(&collector, plan, host != NULL);
        if (has_shell(launcher.list[0]))
            add_quoted(out, &collector);
        else
            sca_words_add_all(out, collector.list);
    }
    sca_words_free(&launcher);
    sca_words_free(&collector);
    return status;
}

/* ---- processes ---- */

/* In a job srun takes its number of ranks from these. Collectors are as many as hosts. */
static void forget_ranks(void)
{
    static const char *const names[] = {"SLURM_NTASKS", "SLURM_NPROCS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

/* It ends with this process: nothing of it stays in the job. */
static void become(char *const *words, int input, int log, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    setsid(); /* the terminal is the front's alone: its interrupt, and what a launcher would ask */
    forget_ranks();
    dup2(input, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execvp(words[0], words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(127);
}

/* Standard input of a collector that is started by host holds the token. */
static int input_of(const struct sca_launch_plan *plan, bool by_host)
{
    int ends[2];
    if (!by_host)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    int status = sca_token_send(plan->token, ends[1]); /* less than a pipe holds */
    close(ends[1]);
    if (status == SCA_OK)
        return ends[0];
    close(ends[0]);
    return -1;
}

static int start(const struct sca_launch_plan *plan, const char *host, struct sca_launch *out)
{
    struct sca_words words = {0};
    int status = sca_launch_words(plan, host, &words);
    int input = status == SCA_OK ? input_of(plan, host != NULL) : -1;
    if (input >= 0) {
        pid_t parent = getpid(), child = fork();
        if (!child)
            become(words.list, input, out->log, parent);
        out->pids = sca_must(realloc(out->pids, (out->n + 1) * sizeof *out->pids));
        if (child > 0)
            out->pids[out->n++] = child;
        status = child > 0 ? SCA_OK : SCA_EIO;
        close(input);
    } else if (status == SCA_OK) {
        status = SCA_EIO;
    }
    if (status == SCA_EIO)
        sca_fail(SCA_EIO, "cannot start %s: %s", words.list[0], strerror(errno));
    sca_words_free(&words);
    return status;
}

static int start_by_host(const struct sca_launch_plan *plan, struct sca_launch *out)
{
    char *copy = sca_words_format("%s", plan->hosts), *rest = copy;
    int status = SCA_OK;
    for (char *host; status == SCA_OK && (host = strsep(&rest, ","));)
        status = start(plan, host, out);
    free(copy);
    return status;
}

static int check(const struct sca_launch_plan *plan, bool *by_host)
{
    struct sca_words launcher = {0};
    sca_words_split(&launcher, plan->launcher);
    int status = launcher.count ? SCA_OK : SCA_EINVAL;
    *by_host = launcher.count && is_by_host(plan, &launcher);
    sca_words_free(&launcher);
    if (status != SCA_OK)
        return sca_fail(SCA_EINVAL, "--launcher needs a command, such as srun --overlap");
    if (*by_host && !plan->hosts)
        return sca_fail(SCA_EINVAL, "--launcher %.100s goes host by host: --hosts says to which",
                        plan->launcher);
    if (!*by_host && plan->hosts)
        return sca_fail(SCA_EINVAL,
                        "--hosts is for launchers that go host by host: ssh, or one with "
                        "{host} in it");
    return SCA_OK;
}

int sca_launch_start(const struct sca_launch_plan *plan, struct sca_launch *out)
{
    *out = (struct sca_launch){.log = -1};
    int status = check(plan, &out->by_host);
    if (status != SCA_OK)
        return status;
    out->log = memfd_create("scalana-live", MFD_CLOEXEC);
    if (out->log < 0)
        return sca_fail(SCA_EIO, "cannot start %.100s: %s", plan->launcher, strerror(errno));
    status = out->by_host ? start_by_host(plan, out) : start(plan, NULL, out);
    if (status != SCA_OK)
        sca_launch_end(out);
    return status;
}

size_t sca_launch_running(struct sca_launch *launch)
{
    for (size_t i = 0; i < launch->n;)
        if (waitpid(launch->pids[i], NULL, WNOHANG))
            launch->pids[i] = launch->pids[--launch->n];
        else
            i++;
    return launch->n;
}

char *sca_launch_said(const struct sca_launch *launch)
{
    char text[SAID + 1];
    off_t end = launch->log < 0 ? 0 : lseek(launch->log, 0, SEEK_END);
    off_t from = end > SAID ? end - SAID : 0;
    ssize_t n = end > 0 ? pread(launch->log, text, SAID, from) : 0;
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    text[n > 0 ? n : 0] = '\0';
    const char *line = strrchr(text, '\n');
    return sca_words_format("%s", line ? line + 1 : text);
}

void sca_launch_end(struct sca_launch *launch)
{
    for (int i = 0; i < END_TRIES && sca_launch_running(launch); i++)
        nanosleep(&(struct timespec){0, END_MS * 1000000L}, NULL);
    for (size_t i = 0; i < launch->n; i++)
        kill(launch->pids[i], SIGTERM);
    for (int i = 0; i < END_TRIES && sca_launch_running(launch); i++)
        nanosleep(&(struct timespec){0, END_MS * 1000000L}, NULL);
    for (size_t i = 0; i < launch->n; i++)
        kill(launch->pids[i], SIGKILL);
    while (launch->n && sca_launch_running(launch))
        nanosleep(&(struct timespec){0, END_MS * 1000000L}, NULL);
    free(launch->pids);
    if (launch->log >= 0)
        close(launch->log);
    *launch = (struct sca_launch){.log = -1};
}
