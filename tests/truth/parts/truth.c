#include "../truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CAUSES = 4 };

static double planted[CAUSES], began;
static int world_rank;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_planted(void)
{
    const char *folder = getenv("TRUTH_PLANTED");
    char path[4096];
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/%d", folder, world_rank);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    for (int i = 0; i < CAUSES; i++)
        fprintf(file, "%d %.9f\n", i, planted[i]);
    fclose(file);
}

bool truth_defect(int rank)
{
    const char *wish = getenv("TRUTH_DEFECT");
    world_rank = rank;
    atexit(write_planted);
    return !wish || strcmp(wish, "off") != 0;
}

static double factor(double usual)
{
    const char *wish = getenv("TRUTH_FACTOR");
    return wish ? atof(wish) : usual;
}

/* How many steps' defects are in this one. */
static int gathered(int step, int steps)
{
    const char *wish = getenv("TRUTH_EVERY");
    int every = !wish ? 1 : atoi(wish) > 0 ? atoi(wish) : steps;
    return step % every == every / 2 ? every : 0;
}

double truth_times(bool ill, double usual, int step, int steps)
{
    return ill ? 1 + (factor(usual) - 1) * gathered(step, steps) : 1;
}

int truth_extra(bool ill, int usual, int work, int step, int steps)
{
    double once = getenv("TRUTH_FACTOR") ? (factor(1) - 1) * work : usual;
    return ill ? (int)(once * gathered(step, steps)) : 0;
}

void truth_begin(void)
{
    began = cpu_seconds();
}

void truth_end(int cause, double part)
{
    planted[cause] += part * (cpu_seconds() - began);
}

void truth_add(int cause, double seconds)
{
    planted[cause] += seconds;
}
