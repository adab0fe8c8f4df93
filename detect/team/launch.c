#include "team/launch.h"
#include "sca_error.h"
#include "sca_options.h"

#include <stdlib.h>

static int number(const char *name, uint32_t *out)
{
    const char *value = getenv(name);
    unsigned long n;
    if (!value || sca_options_parse_uint(value, 0, UINT32_MAX, &n) != SCA_OK)
        return 0;
    *out = (uint32_t)n;
    return 1;
}

struct sca_launch sca_launch_place(void)
{
    static const struct {
        const char *rank, *size;
    } launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                     {"PMI_RANK", "PMI_SIZE"},
                     {"PALS_RANKID", "PALS_NRANKS"},
                     {"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
                     /* of the step: a batch script that starts this alone has a job's */
                     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    struct sca_launch at = {.launched = true};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (number(launchers[i].rank, &at.rank) && number(launchers[i].size, &at.size) &&
            at.rank < at.size)
            return at;
    return (struct sca_launch){.size = 1};
}
