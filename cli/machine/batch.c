#include "machine/batch.h"
#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned number_of(const char *text)
{
    long n = text ? strtol(text, NULL, 10) : 0;
    return n > 0 ? (unsigned)n : 0;
}

static unsigned number_in(const char *variable)
{
    return number_of(getenv(variable));
}

/* srun counts tasks where the job asked for tasks, else it has the cores of its nodes. */
static unsigned slurm_slots(void)
{
    unsigned tasks = number_in("SLURM_NTASKS"), nodes = number_in("SLURM_JOB_NUM_NODES");
    return tasks ? tasks : number_in("SLURM_CPUS_ON_NODE") * (nodes ? nodes : 1);
}

static unsigned flux_slots(void)
{
    char *command[] = {"flux", "resource", "list", "-s", "free", "-n", "-o", "{ncores}", NULL};
    int status;
    char *text = sca_process_output(command, 0, &status);
    unsigned cores = status ? 0 : number_of(text);
    free(text);
    return cores;
}

/* A line for each rank there is room for. */
static unsigned pbs_slots(void)
{
    const char *path = getenv("PBS_NODEFILE");
    FILE *file = path ? fopen(path, "re") : NULL;
    unsigned lines = 0;
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

struct sca_batch sca_batch_here(void)
{
    if (getenv("FLUX_URI"))
        return (struct sca_batch){SCA_BATCH_FLUX, "Flux", flux_slots()};
    if (getenv("SLURM_JOB_ID"))
        return (struct sca_batch){SCA_BATCH_SLURM, "Slurm", slurm_slots()};
    if (getenv("PBS_JOBID"))
        return (struct sca_batch){SCA_BATCH_PBS, "PBS", pbs_slots()};
    if (getenv("LSB_JOBID"))
        return (struct sca_batch){SCA_BATCH_OTHER, "LSF", number_in("LSB_DJOB_NUMPROC")};
    if (getenv("PE_HOSTFILE"))
        return (struct sca_batch){SCA_BATCH_OTHER, "Grid Engine", number_in("NSLOTS")};
    return (struct sca_batch){SCA_BATCH_NONE, "", 0};
}
