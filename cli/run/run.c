#include "run/run.h"
#include "job/job.h"
#include "machine/cores.h"
#include "run/campaign.h"
#include "run/notes.h"
#include "results/result_folder.h"
#include "plan/settings.h"
#include "plan/sizes.h"
#include "run/verdict.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 4096 };

static int fail(int status)
{
    fprintf(stderr, "scalana: %s\n", sca_error_message());
    return status == SCA_EINVAL ? SCA_EXIT_USAGE : SCA_EXIT_FAILED;
}

/* What would leave no profile is said before hours of computation. */
static int check_target(const struct sca_target *t)
{
    if (sca_launcher_is_one(t->path))
        return sca_fail(SCA_EINVAL,
                        "%s is a launcher. scalana run starts the ranks by itself: scalana run -n "
                        "8 ./PROGRAM. Options for it go with --launcher='%s OPTIONS'",
                        t->path, sca_words_base_name(t->path));
    if (t->kind == SCA_TARGET_STATIC)
        return sca_fail(SCA_EFORMAT,
                        "%s is statically linked, so nothing can be preloaded. Link it with shared "
                        "libraries (without -static)",
                        t->path);
    if (t->mpi == SCA_MPI_ABI)
        return sca_fail(SCA_EFORMAT,
                        "%s links the standard ABI of MPI 5 (%s), which ScalAna cannot record yet. "
                        "Link it with the MPI's own library (mpicc without -mpi-abi or mpicc_abi)",
                        t->path, t->mpi_library);
    if (t->not_found)
        return sca_fail(SCA_ENOTFOUND,
                        "%s needs %s, which is not found. Load the module it was built with, or "
                        "set LD_LIBRARY_PATH",
                        t->path, t->not_found);
    return SCA_OK;
}

/* OpenMP threads of each rank; 1 where nobody says how many. */
static unsigned threads_of(const struct sca_target *t)
{
    const char *value = getenv("OMP_NUM_THREADS");
    long threads = t->threaded && value ? strtol(value, NULL, 10) : 1;
    return threads > 0 && threads <= MOST_THREADS ? (unsigned)threads : 1;
}

static void warn_of_threads(const struct sca_target *t)
{
    if (t->threaded && !getenv("OMP_NUM_THREADS"))
        fprintf(stderr,
                "scalana: %s has OpenMP threads, and OMP_NUM_THREADS is not set. Each rank may use "
                "all cores\n",
                t->path);
}

static int run_and_judge(struct sca_campaign *c)
{
    struct sca_words options = {0};
    fprintf(stderr, "scalana: %s, into %s\n", c->launcher->words.list[0], c->folder);
    if (!c->settings->nthreads)
        warn_of_threads(c->target);
    int status = sca_campaign_run(c);
    if (c->settings->fail_above) {
        sca_words_add(&options, "--fail-above");
        sca_words_add(&options, c->settings->fail_above);
    }
    if (status == SCA_EXIT_OK)
        status = sca_verdict_find(c->folder, &c->runs, options.list);
    sca_words_free(&options);
    return status;
}

static int start(struct sca_run_settings *s, const struct sca_target *target)
{
    struct sca_batch batch = sca_batch_here();
    struct sca_cores cores = sca_cores_of("");
    struct sca_launcher launcher;
    struct sca_campaign campaign = {.settings = s, .target = target, .launcher = &launcher};
    int status = sca_launcher_find(s->launcher, &batch, target, &launcher);
    if (status == SCA_OK)
        status = sca_launcher_check_user(&launcher);
    if (status != SCA_OK) {
        sca_launcher_free(&launcher);
        return fail(status);
    }
    /* A job's slots are for ranks, however many threads they have. */
    campaign.slots =
        batch.slots ? batch.slots : cores.cores / sca_sizes_threads(s, threads_of(target));
    campaign.cores = batch.slots ? 0 : cores.cores;
    sca_sizes_choose(s, campaign.slots);
    char *folder = sca_result_folder_make(s->output, target->path);
    campaign.folder = folder;
    if (folder)
        sca_notes_collect(s, target, &launcher, &campaign.meta);
    int result = folder ? run_and_judge(&campaign) : fail(SCA_EIO);
    sca_campaign_free(&campaign);
    sca_launcher_free(&launcher);
    free(folder);
    return result;
}

static int run(struct sca_run_settings *s)
{
    struct sca_target target;
    if (s->job || s->ci)
        return sca_job_print(s) == SCA_OK ? SCA_EXIT_OK : SCA_EXIT_FAILED;
    int status = sca_target_look(s->command[0], &target);
    if (status == SCA_OK)
        status = check_target(&target);
    int result = status == SCA_OK ? start(s, &target) : fail(status);
    sca_target_free(&target);
    return result;
}

int sca_run_main(int argc, char **argv)
{
    struct sca_run_settings settings = {0};
    int operands = 0;
    int status = sca_options_parse(&sca_run_command, &settings, argc, argv, &operands);
    if (status == SCA_PARSE_DONE)
        return SCA_EXIT_OK;
    argv[1 + operands] = NULL;
    settings.command = argv + 1;
    if (status == SCA_OK)
        status = sca_run_settings_check(&settings);
    int result = status == SCA_OK ? run(&settings) : fail(status);
    sca_words_free(&settings.meta);
    return result;
}
