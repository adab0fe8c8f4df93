/*
 * Linked into a program with one defect: it decides how often a loop is done again, and measures
 * what that takes, so that the truth owes nothing to ScalAna. Settings:
 *
 * - MUTATE_OUT=DIR: each rank that comes to the loop writes DIR/<rank> at its end: instances of the
 *   loop, those that were done again, passes done again, CPU seconds for that with the looks at the
 *   clock, 1 if several threads came
 * - MUTATE_RANKS=N,N: the ranks that do it again (none)
 * - MUTATE_AMOUNT=X: passes for each instance, on the mean (0)
 * - MUTATE_EVERY=N: all of them in every N-th instance (1)
 * - MUTATE_SITE=1: only instances between mutate_enter() and mutate_leave() count
 *
 * Fortran's names end in an underscore. Only the thread that comes first repeats.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int mutate_more(int place);
void mutate_enter(int place);
void mutate_leave(int place);
int mutmor_(const int *place);
void mutent_(const int *place);
void mutlea_(const int *place);

static struct {
    bool ready, delayed, site;
    int rank;
    long every;
    double amount, clock; /* seconds of a look at the clock */
    pthread_t thread;
} plan;

static struct {
    long instances, repeated, passes, left;
    double owed, began, seconds;
    int entered;
    bool threads;
} state;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

static void write_down(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", setting("MUTATE_OUT", "."), plan.rank);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fprintf(file, "%ld %ld %ld %.9f %d\n", state.instances, state.repeated, state.passes,
            state.seconds, state.threads);
    fclose(file);
}

static bool is_named(const char *list, int rank)
{
    while (*list) {
        char *end;
        long named = strtol(list, &end, 10);
        if (end == list)
            return false;
        if (named == rank)
            return true;
        list = *end == ',' ? end + 1 : end;
    }
    return false;
}

static double cost_of_clock(void)
{
    double least = 1, before = cpu_seconds();
    for (int i = 0; i < 100; i++) {
        double now = cpu_seconds();
        least = now - before < least ? now - before : least;
        before = now;
    }
    return least;
}

static bool prepare(void)
{
    int runs = 0;
    if (plan.ready)
        return true;
    if (PMPI_Initialized(&runs) != MPI_SUCCESS || !runs || !getenv("MUTATE_OUT"))
        return false;
    if (PMPI_Finalized(&runs) != MPI_SUCCESS || runs)
        return false;
    PMPI_Comm_rank(MPI_COMM_WORLD, &plan.rank);
    plan.delayed = is_named(setting("MUTATE_RANKS", ""), plan.rank);
    plan.amount = strtod(setting("MUTATE_AMOUNT", "0"), NULL);
    plan.every = strtol(setting("MUTATE_EVERY", "1"), NULL, 10);
    plan.site = *setting("MUTATE_SITE", "0") == '1';
    plan.thread = pthread_self();
    plan.clock = cost_of_clock();
    atexit(write_down);
    return plan.ready = true;
}

static bool goes_on(void)
{
    if (--state.left > 0)
        return true;
    /* between the two looks at the clock lies one; the rank takes both of them for the defect */
    state.seconds += cpu_seconds() - state.began + plan.clock;
    return false;
}

int mutate_more(int place)
{
    (void)place;
    if (!prepare())
        return false;
    if (!pthread_equal(plan.thread, pthread_self())) {
        state.threads = true;
        return false;
    }
    if (state.left > 0)
        return goes_on();
    if (plan.site && !state.entered)
        return false;
    state.instances++;
    if (!plan.delayed || state.instances % plan.every)
        return false;
    state.owed += plan.amount * (double)plan.every;
    state.left = (long)state.owed;
    state.owed -= (double)state.left;
    if (state.left <= 0)
        return false;
    state.repeated++;
    state.passes += state.left;
    state.began = cpu_seconds();
    return true;
}

void mutate_enter(int place)
{
    (void)place;
    state.entered++;
}

void mutate_leave(int place)
{
    (void)place;
    state.entered--;
}

int mutmor_(const int *place)
{
    return mutate_more(*place);
}

void mutent_(const int *place)
{
    mutate_enter(*place);
}

void mutlea_(const int *place)
{
    mutate_leave(*place);
}
