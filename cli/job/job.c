#include "job/job.h"
#include "base/installation.h"
#include "base/process.h"
#include "job/command_line.h"
#include "job/recipe.h"
#include "plan/sizes.h"
#include "sca_error.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PBS_NAME = 15 }; /* letters of a job's name that PBS takes */

static void put_slurm(const char *name, unsigned ranks)
{
    printf(
        "#SBATCH --job-name=%s\n"
        "#SBATCH --ntasks=%u\n"
        "#SBATCH --time=01:00:00\n"
        "#SBATCH --output=%s-%%j.out\n"
        "# Adapt the lines above (account, partition, time for all runs together), then submit:\n"
        "#   sbatch THIS-FILE\n",
        name, ranks, name);
}

static void put_flux(const char *name, unsigned ranks)
{
    printf("#flux: --job-name=%s\n"
           "#flux: --nslots=%u\n"
           "#flux: --time-limit=60m\n"
           "#flux: --output=%s-{{id}}.out\n"
           "# Adapt the lines above (queue, bank, time for all runs together), then submit:\n"
           "#   flux batch THIS-FILE\n",
           name, ranks, name);
}

static void put_pbs(const char *name, unsigned ranks)
{
    printf("#PBS -N %.*s\n"
           "#PBS -l select=%u:ncpus=1:mpiprocs=1\n"
           "#PBS -l walltime=01:00:00\n"
           "#PBS -j oe\n"
           "# Adapt the lines above (queue, account, time for all runs together), then submit:\n"
           "#   qsub THIS-FILE\n",
           PBS_NAME, name, ranks);
}

/* A name that every batch system takes. */
static char *job_name(const struct sca_run_settings *s)
{
    char *name = sca_words_format("scalana-%s", sca_words_base_name(s->command[0]));
    for (char *c = name; *c; c++)
        if (*c <= ' ' || *c >= 127 || strchr("'\"\\/{}%,:", *c))
            *c = '_';
    return name;
}

static void put_job(const struct sca_run_settings *s)
{
    char here[PATH_MAX] = ".";
    char *name = job_name(s), *scalana = sca_installation_path("bin/scalana");
    char *folder = sca_process_quote(getcwd(here, sizeof here) ? here : ".");
    char *line = sca_command_line(s, scalana, NULL);
    puts("#!/bin/sh");
    if (!strcmp(s->job, "slurm"))
        put_slurm(name, sca_sizes_largest(s));
    else if (!strcmp(s->job, "flux"))
        put_flux(name, sca_sizes_largest(s));
    else
        put_pbs(name, sca_sizes_largest(s));
    printf("# Load the modules here that the program was built with.\n"
           "cd %s || exit 1\n"
           "exec %s\n",
           folder, line);
    free(line);
    free(folder);
    free(scalana);
    free(name);
}

int sca_job_print(const struct sca_run_settings *s)
{
    if (s->job)
        put_job(s);
    else
        sca_recipe_print(s);
    return fflush(stdout) ? sca_fail(SCA_EIO, "cannot write the script") : SCA_OK;
}
