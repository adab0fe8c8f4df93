#include "check_main.h"
#include "machine/launcher.h"

#include <stdlib.h>
#include <string.h>

/* The words before a program on so many ranks, blanks between; the caller frees them. */
static char *composed(enum sca_launcher_kind kind, const char *words, bool users, bool own_cores,
                      bool threads)
{
    struct sca_launcher launcher = {.kind = kind, .users = users};
    struct sca_words command = {0};
    sca_words_split(&launcher.words, words);
    sca_launcher_compose(&launcher, 4, own_cores, threads, &command);
    char *line = sca_words_format("%s", command.list[0]);
    for (size_t i = 1; i < command.count; i++) {
        char *longer = sca_words_format("%s %s", line, command.list[i]);
        free(line);
        line = longer;
    }
    sca_words_free(&command);
    sca_launcher_free(&launcher);
    return line;
}

static void expect(char *line, const char *expected)
{
    ck_assert_str_eq(line, expected);
    free(line);
}

START_TEST(a_rank_is_bound_to_its_core)
{
    expect(composed(SCA_LAUNCHER_OPENMPI, "mpirun", false, true, false),
           "mpirun -n 4 --bind-to core:if-supported");
    expect(composed(SCA_LAUNCHER_HYDRA, "mpiexec", false, true, false),
           "mpiexec -n 4 -bind-to core");
    expect(composed(SCA_LAUNCHER_SRUN, "srun --mpi=pmix", false, true, false),
           "srun --mpi=pmix -n 4 --cpu-bind=cores");
    expect(composed(SCA_LAUNCHER_FLUX, "flux run", false, true, false),
           "flux run -n 4 -o cpu-affinity=per-task");
}
END_TEST

START_TEST(threads_and_shared_cores_are_not_bound)
{
    expect(composed(SCA_LAUNCHER_OPENMPI, "mpirun", false, true, true),
           "mpirun -n 4 --bind-to none");
    expect(composed(SCA_LAUNCHER_OPENMPI, "mpirun", false, false, false),
           "mpirun -n 4 --oversubscribe");
    expect(composed(SCA_LAUNCHER_OPENMPI, "mpirun", false, false, true),
           "mpirun -n 4 --oversubscribe --bind-to none");
    expect(composed(SCA_LAUNCHER_HYDRA, "mpiexec", false, false, false), "mpiexec -n 4");
    expect(composed(SCA_LAUNCHER_SRUN, "srun", false, true, true), "srun -n 4");
}
END_TEST

START_TEST(the_users_command_gets_the_number_alone)
{
    expect(composed(SCA_LAUNCHER_OPENMPI, "mpirun --map-by node", true, true, false),
           "mpirun --map-by node -n 4");
    expect(composed(SCA_LAUNCHER_OTHER, "start --tasks=%n -x", true, false, false),
           "start --tasks=4 -x");
}
END_TEST

START_TEST(settings_reach_other_hosts)
{
    setenv("SCALANA_FREQUENCY", "500", 1);
    expect(composed(SCA_LAUNCHER_OPENMPI, "mpirun", true, true, false),
           "mpirun -n 4 -x SCALANA_FREQUENCY");
    expect(composed(SCA_LAUNCHER_HYDRA, "mpiexec", true, true, false), "mpiexec -n 4");
    unsetenv("SCALANA_FREQUENCY");
}
END_TEST

SCA_SUITE("launcher", a_rank_is_bound_to_its_core, threads_and_shared_cores_are_not_bound,
          the_users_command_gets_the_number_alone, settings_reach_other_hosts)
