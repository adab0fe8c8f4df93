#include "run/run.h"
#include "outside/objects.h"
#include "run/linked_in.h"
#include "arena/arena.h"
#include "arena/snapshot.h"
#include "calls/budget.h"
#include "unwind/callpath.h"
#include "clock/clock.h"
#include "finish/describe.h"
#include "finish/farewell.h"
#include "finish/finish.h"
#include "finish/post.h"
#include "base/cores.h"
#include "base/guard.h"
#include "finish/presence.h"
#include "sampling/idle.h"
#include "sampling/sampler.h"
#include "base/say.h"
#include "base/settings.h"
#include "clock/stint.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
    bool begun, active; /* ranks met; this rank's state is live */
    pid_t owner;
    uint32_t rank, size;
    struct sca_meeting meeting;
    char file[SCA_DIRECTORY + 32];
    char no_profile[512]; /* why nothing is recorded, "" while it is */
    uint64_t cpu_begin;
} run;

static uint64_t process_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A rank on a host that does not see rank 0's directory makes its own. */
static bool open_arena(void)
{
    const char *directory = run.meeting.directory;
    if (run.rank && access(directory, F_OK))
        mkdir(directory, 0777);
    snprintf(run.file, sizeof run.file, "%s/rank-%u.part", directory, run.rank);
    int status = sca_arena_open(run.file, run.rank, run.size);
    if (status > 0) /* mostly true of all ranks: one says it */
        sca_say(run.rank ? SCA_LOG_DEBUG : SCA_LOG_WARN,
                "rank %u records only in memory, and an abort would lose its data: %s: %s",
                run.rank, run.file, strerror(sca_arena_error()));
    return status >= 0;
}

/* A forked child shares the mapping and must leave it alone. */
static void in_child(void)
{
    sca_recording = false;
    run.begun = run.active = false;
}

static bool prepare(void)
{
    const char *wrong = sca_meet(run.rank, run.size, &run.meeting);
    const struct sca_meeting *m = &run.meeting;
    if (wrong)
        snprintf(run.no_profile, sizeof run.no_profile, "%s", wrong);
    else if (m->enable && m->error)
        snprintf(run.no_profile, sizeof run.no_profile, "cannot make the run directory %.300s: %s",
                 m->directory, strerror(m->error));
    else if (m->enable && (!open_arena() || sca_callpath_init()))
        snprintf(run.no_profile, sizeof run.no_profile, "no memory for the tables");
    return !wrong && m->enable && !run.no_profile[0];
}

void sca_run_clock_begins(void)
{
    struct sca_part_header *h = sca_arena_header();
    run.cpu_begin = process_cpu_ns();
    h->init_ns = h->last_ns = sca_clock_now();
    sca_snapshot_begin(run.meeting.directory);
}

static void start(void)
{
    sca_clock_set_crowded(run.meeting.local > run.meeting.cores);
    sca_clock_set_threads(run.meeting.cores * sca_cores_wanted() / run.meeting.local);
    sca_stint_init();
    sca_idle_init();
    sca_describe_run(&run.meeting, run.rank, run.size);
    run.active = true;
    sca_finish_prepare();
    sca_sampler_start();
    sca_budget_begin();
    sca_run_clock_begins();
    sca_recording = true;
}

static void say_warnings(void)
{
    const char *line = sca_settings.warnings;
    for (size_t length; (length = strcspn(line, "\n")); line += length + (line[length] == '\n'))
        sca_say(SCA_LOG_WARN, "%.*s", (int)length, line);
}

void sca_run_begin(uint32_t world_rank, uint32_t world_size)
{
    sca_thread.in_tool++;
    run.rank = world_rank;
    run.size = world_size;
    run.owner = getpid();
    sca_say_begin();
    sca_clock_init();
    pthread_atfork(NULL, NULL, in_child);
    bool ready = prepare(), partial = run.meeting.partial;
    run.begun = run.meeting.enable || run.no_profile[0];
    if (run.rank == 0 && run.begun)
        say_warnings();
    /* At once: who sees it may start anew, and at the end the launcher may be faster than us. */
    bool speaker = partial ? sca_settings.enable && sca_presence_is_first() : run.rank == 0;
    if (speaker && !run.meeting.silent && run.no_profile[0])
        sca_say(SCA_LOG_WARN, "no profile: %s", run.no_profile);
    sca_presence_end();
    if (ready)
        start();
    sca_thread.in_tool--;
}

/* What the recording covered, as far as this rank got: up to MPI_Finalize, which is the last call
 * in the books, or to now. */
static void close_books(enum sca_part_state state)
{
    struct sca_part_header *h = sca_arena_header();
    sca_recording = false;
    sca_snapshot_end();
    if (state != SCA_FINALIZED)
        h->last_ns = sca_clock_now();
    h->wall_ns = h->last_ns - h->init_ns;
    h->cpu_ns = process_cpu_ns() - run.cpu_begin;
    __atomic_store_n(&h->state, state, __ATOMIC_RELEASE);
}

static void readable_size(char *text, size_t size, uint64_t bytes)
{
    if (bytes < 10000)
        snprintf(text, size, "%u bytes", (unsigned)bytes);
    else if (bytes < 10000000)
        snprintf(text, size, "%.1f KB", (double)bytes / 1e3);
    else
        snprintf(text, size, "%.1f MB", (double)bytes / 1e6);
}

enum { TIME = 32 };

static const char *readable_ns(char text[TIME], double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    for (; unit < 3 && ns >= 999.5; unit++)
        ns /= 1000;
    snprintf(text, TIME, "%.*f %s", ns < 9.95 && unit ? 1 : 0, ns, units[unit]);
    return text;
}

/* Why it is above the budget. No budget governs what is paid once: in a short run that is most of
 * the cost. Nor are calls given up, however often they come, nor steps that are asked for. */
static void why_above(char *text, size_t size, const struct sca_outcome *outcome, double cpu)
{
    double calls = outcome->calls ? (double)outcome->calls : 1;
    char every[TIME];
    snprintf(text, size,
             ", %.2f %% once for MPI_Init and MPI_Finalize, %.2f %% for MPI calls%s: %.1f us each, "
             "one every %s",
             100 * (double)outcome->once_ns / cpu, 100 * (double)outcome->calls_ns / cpu,
             sca_settings.full ? " with every iteration recorded (SCALANA_RECORD)" : "",
             1e-3 * (double)outcome->calls_ns / calls, readable_ns(every, cpu / calls));
}

/* Where ranks share cores, who waits for one that is held up keeps a core busy: that nobody
 * measures. */
static void readable_cost(char *text, size_t size, const struct sca_outcome *outcome)
{
    double cpu = outcome->cpu_ns ? (double)outcome->cpu_ns : 1;
    double share = 100 * (double)outcome->tool_ns / cpu;
    char why[192] = "";
    if (share > sca_settings.budget)
        why_above(why, sizeof why, outcome, cpu);
    snprintf(text, size, "own cost %.2f %% of CPU time%s%s", share, why,
             sca_clock_is_crowded() ? " (ranks share cores: waits of other ranks add to it)" : "");
}

static void leave_parts(const char *why)
{
    char line[SCA_DIRECTORY + 512];
    snprintf(line, sizeof line, "profile kept in parts in %s: %s", run.meeting.directory, why);
    sca_farewell(run.meeting.directory, SCA_LOG_WARN, line, why);
}

/* The one line at the end. */
static void report(const struct sca_outcome *outcome)
{
    char size[32], cost[320];
    readable_size(size, sizeof size, outcome->bytes);
    readable_cost(cost, sizeof cost, outcome);
    if (outcome->written)
        sca_say(SCA_LOG_INFO, "profile in %s (%s, %u rank%s); %s", run.meeting.directory, size,
                run.size, run.size == 1 ? "" : "s", cost);
    else if (sca_arena_error() || access(run.file, F_OK))
        sca_say(SCA_LOG_WARN, "no profile: %s: %s", run.meeting.directory, outcome->why);
    else
        leave_parts(outcome->why);
}

void sca_run_end(void)
{
    struct sca_outcome outcome;
    if (!run.active || getpid() != run.owner)
        return;
    sca_thread.in_tool++;
    sca_sampler_stop();
    sca_budget_end();
    close_books(SCA_FINALIZED);
    sca_describe_core();
    sca_objects_note_pipes();
    sca_callpath_end();
    run.active = run.begun = false;
    sca_finish(&run.meeting, run.rank, run.size, &outcome);
    if (outcome.written) {
        unlink(run.file);
        if (run.rank)
            rmdir(run.meeting.directory); /* where it is not rank 0's own, it is empty now */
        sca_post_end();
    }
    if (run.rank == 0 || outcome.why[0])
        report(&outcome);
    if (!outcome.written)
        rmdir(run.meeting.directory); /* an empty one only */
    sca_thread.in_tool--;
}

static void end_early(enum sca_part_state state, const char *why)
{
    char line[SCA_DIRECTORY + 128];
    close_books(state);
    run.active = run.begun = false;
    snprintf(line, sizeof line, "%s; incomplete profile in %s", why, run.meeting.directory);
    if (sca_arena_error()) {
        sca_say(SCA_LOG_WARN, "%s; no profile: %s", why, strerror(sca_arena_error()));
        sca_say_wait();
    } else {
        sca_farewell(run.meeting.directory, SCA_LOG_INFO, line, why);
    }
}

void sca_run_abort(int code)
{
    char why[64];
    if (!run.active || getpid() != run.owner)
        return;
    sca_thread.in_tool++;
    snprintf(why, sizeof why, "rank %u called MPI_Abort with %d", run.rank, code);
    end_early(SCA_ABORTED, why);
    sca_thread.in_tool--;
}

/* The process ends. Without MPI_Finalize, what was recorded stays in the parts. */
__attribute__((destructor)) static void leave(void)
{
    char why[64];
    if (!run.owner)
        sca_linked_in_say();
    if (!run.begun || getpid() != run.owner)
        return;
    if (run.active) {
        snprintf(why, sizeof why, "rank %u ended without MPI_Finalize", run.rank);
        end_early(SCA_EXITED, why);
    }
    run.begun = false;
}
