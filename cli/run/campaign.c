#include "run/campaign.h"
#include "base/installation.h"
#include "base/process.h"
#include "machine/system_file.h"
#include "results/result_folder.h"
#include "results/run_works.h"
#include "plan/settings.h"
#include "sca_error.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BY_SIGNAL = 128 };

/* Each run reads the same input: a file is rewound to where it stood. */
static off_t input_position(void)
{
    struct stat st;
    bool is_file = !fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode);
    return is_file ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
}

struct size { /* one run's; threads 0: as the environment says */
    unsigned number, ranks, threads;
};

/* Every launcher starts `env`; not every one hands variables on. */
static void tell_threads(unsigned threads, struct sca_words *command)
{
    char *variable = sca_words_format("OMP_NUM_THREADS=%u", threads);
    sca_words_add(command, "env");
    sca_words_add(command, variable);
    free(variable);
}

/* Ranks of so many threads that have cores of their own. */
static unsigned slots_of(const struct sca_campaign *c, const struct size *size)
{
    return size->threads && c->cores ? c->cores / size->threads : c->slots;
}

static int compose(const struct sca_campaign *c, const struct size *size, const char *run,
                   struct sca_words *command)
{
    unsigned ranks = size->ranks;
    char folder[PATH_MAX];
    char *prof = sca_installation_command("scalana-prof");
    if (!prof)
        return SCA_ENOTFOUND;
    if (!realpath(c->folder, folder)) {
        free(prof);
        return sca_fail(SCA_EIO, "%s: %s", c->folder, strerror(errno));
    }
    char *output = sca_words_format("--output=%s/%s", folder, sca_words_base_name(run));
    sca_launcher_compose(c->launcher, ranks, ranks <= slots_of(c, size), c->target->threaded,
                         command);
    if (size->threads)
        tell_threads(size->threads, command);
    sca_words_add(command, prof);
    sca_words_add(command, output);
    sca_words_add(command, "--");
    sca_words_add(command, c->target->path);
    sca_words_add_all(command, c->settings->command + 1);
    free(output);
    free(prof);
    return SCA_OK;
}

static void announce(const struct sca_campaign *c, const struct size *size, unsigned number,
                     unsigned total)
{
    unsigned ranks = size->ranks;
    fprintf(stderr, "scalana: %u rank%s", ranks, ranks == 1 ? "" : "s");
    if (size->threads)
        fprintf(stderr, " of %u thread%s", size->threads, size->threads == 1 ? "" : "s");
    fprintf(stderr, ", run %u of %u", number, total);
    if (ranks > slots_of(c, size) && size->threads > 1)
        fprintf(stderr, ", with %u core%s for %u threads: they share cores", c->cores,
                c->cores == 1 ? "" : "s", ranks * size->threads);
    else if (ranks > slots_of(c, size))
        fprintf(stderr, ", with cores for %u: ranks share cores", slots_of(c, size));
    fputc('\n', stderr);
}

static int say_stopped(const struct sca_campaign *c, unsigned ranks, int status, int signal)
{
    struct sca_words kept = {0};
    unsigned runs = sca_result_folder_runs(c->folder, &kept);
    sca_words_free(&kept);
    if (signal)
        fprintf(stderr, "scalana: interrupted by signal %d (%s)", signal, strsignal(signal));
    else if (status > BY_SIGNAL)
        fprintf(stderr, "scalana: the run on %u rank%s was ended by signal %d (%s)", ranks,
                ranks == 1 ? "" : "s", status - BY_SIGNAL, strsignal(status - BY_SIGNAL));
    else
        fprintf(stderr, "scalana: the run on %u rank%s ended with exit status %d", ranks,
                ranks == 1 ? "" : "s", status);
    if (runs)
        fprintf(stderr, "; %s keeps %u run%s: scalana report %s\n", c->folder, runs,
                runs == 1 ? "" : "s", c->folder);
    else
        fputs("; no profile was kept\n", stderr);
    if (!runs)
        rmdir(c->folder); /* stays if there is anything in it */
    return signal ? BY_SIGNAL + signal : status;
}

/* A script that starts MPI programs leaves a profile of each: the second takes the next free name.
 */
static bool is_driver(const char *run)
{
    char *second = sca_words_format("%s.2", run);
    bool is = sca_result_folder_is_run(second);
    free(second);
    return is;
}

/* The program ended well: is there the profile of all its ranks? */
static int check_profile(const struct sca_campaign *c, unsigned ranks, const char *run)
{
    unsigned found = sca_result_folder_ranks(run);
    if (is_driver(run)) {
        fprintf(
            stderr,
            "scalana: %s starts MPI programs itself. Start it without a launcher: scalana-prof "
            "%s ..., then scalana-detect on the folders that it names. What it ran now: scalana "
            "report %s\n",
            c->target->path, c->settings->command[0], c->folder);
        return SCA_EXIT_FAILED;
    }
    if (found == ranks)
        return SCA_EXIT_OK;
    if (!found)
        fprintf(stderr,
                "scalana: the run on %u rank%s left no complete profile: scalana doctor %s shows "
                "what is missing\n",
                ranks, ranks == 1 ? "" : "s", c->target->path);
    else
        fprintf(stderr,
                "scalana: %s started processes of %u rank%s, not %u. It is not the launcher of the "
                "MPI that the program links (see --launcher)\n",
                c->launcher->words.list[0], found, found == 1 ? "" : "s", ranks);
    return SCA_EXIT_FAILED;
}

/* The entry of a size: the one that names its ranks ("8:100"), else the one at its place. */
static const char *entry_of(const struct sca_run_settings *s, unsigned size)
{
    const char *at = s->work, *colon;
    for (unsigned i = 0; at; i++, at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        colon = memchr(at, ':', length);
        if (colon && strtoul(at, NULL, 10) == s->sizes[size])
            return colon + 1;
        if (!colon && i == size)
            return at;
    }
    return NULL;
}

/* The work of a size; NULL: it was not told. In memory of the caller's. */
static char *work_of(const struct sca_run_settings *s, unsigned size)
{
    const char *at = entry_of(s, size);
    return at ? sca_words_format("%.*s", (int)strcspn(at, ","), at) : NULL;
}

static void keep(struct sca_campaign *c, const char *run, unsigned size)
{
    char *work = work_of(c->settings, size);
    int status = work ? sca_run_meta_put(&c->meta, SCA_RUN_WORK, work) : SCA_OK;
    free(work);
    sca_words_add(&c->runs, run);
    if (status == SCA_OK)
        status = sca_run_meta_write(&c->meta, run);
    if (status != SCA_OK)
        fprintf(stderr, "scalana: %s\n", sca_error_message());
}

/* Hydra gives a signal's number as it is, a rank's own exit status likewise. Who ended by itself is
 * noted in the run directory, or has left a whole profile. */
static int status_of_program(const struct sca_campaign *c, int status, const char *run)
{
    char text[256] = "";
    bool may_be_signal = c->launcher->kind == SCA_LAUNCHER_HYDRA && status > 0 && status < SIGRTMIN;
    if (!may_be_signal || sca_result_folder_ranks(run) || !sca_result_folder_is_run(run))
        return status;
    bool noted = sca_system_file_read(run, "/incomplete", text, sizeof text);
    return noted && !strstr(text, " died") ? status : BY_SIGNAL + status;
}

static int run_one(struct sca_campaign *c, const struct size *size, unsigned repetition)
{
    struct sca_words command = {0};
    unsigned ranks = size->ranks;
    char *run = sca_result_folder_run(c->folder, ranks, size->threads, repetition);
    int signal = 0, status = SCA_EXIT_FAILED;
    if (compose(c, size, run, &command) != SCA_OK) {
        fprintf(stderr, "scalana: %s\n", sca_error_message());
    } else {
        status = status_of_program(c, sca_process_run(command.list, &signal), run);
        if (sca_result_folder_is_run(run))
            keep(c, run, size->number);
        status =
            status || signal ? say_stopped(c, ranks, status, signal) : check_profile(c, ranks, run);
    }
    sca_words_free(&command);
    free(run);
    return status;
}

int sca_campaign_run(struct sca_campaign *c)
{
    const struct sca_run_settings *s = c->settings;
    unsigned rounds = (unsigned)s->again + 1, each = s->nthreads ? s->nthreads : 1;
    unsigned sizes = s->nsizes * each, total = rounds * sizes, number = 0;
    off_t input = input_position();
    int status = SCA_EXIT_OK;
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < sizes && status == SCA_EXIT_OK; i++) {
            const struct size size = {i / each, s->sizes[i / each],
                                      s->nthreads ? s->threads[i % each] : 0};
            announce(c, &size, ++number, total);
            if (input >= 0)
                lseek(STDIN_FILENO, input, SEEK_SET);
            status = run_one(c, &size, round);
        }
    return status;
}

void sca_campaign_free(struct sca_campaign *c)
{
    sca_run_meta_free(&c->meta);
    sca_words_free(&c->runs);
}
