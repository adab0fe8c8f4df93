#include "meet.h"
#include "gather.h"
#include "patience.h"
#include "presence.h"
#include "settings.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CPU_WORDS = 4 };

/* What ranks tell each other. CPUs beyond 256 are folded. */
struct hello {
    uint64_t host, release;
    uint64_t processes; /* the namespace of process numbers */
    int64_t pid;
    uint64_t cpus[CPU_WORDS];
};

/* Rank 0's decision for all. */
struct plan {
    uint32_t enable;
    int32_t error;
    char directory[SCA_DIRECTORY];
};

static const char no_agreement[] = "the MPI library would not let the ranks agree";
static struct plan plan;

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static struct hello own_hello(const char *host)
{
    struct hello hello = {.host = hash_text(host), .release = hash_text(SCA_VERSION)};
    struct stat st;
    cpu_set_t set;
    CPU_ZERO(&set);
    hello.pid = getpid();
    hello.processes = stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
    if (!sched_getaffinity(0, sizeof set, &set))
        for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &set))
                hello.cpus[cpu / 64 % CPU_WORDS] |= 1ull << cpu % 64;
    return hello;
}

/* Neighbouring ranks mostly share a host: only a change looks through those before. */
static bool first_of_host(const struct hello *all, uint32_t i)
{
    if (i && all[i - 1].host == all[i].host)
        return false;
    uint32_t first = 0;
    while (all[first].host != all[i].host)
        first++;
    return first == i;
}

/* False when ranks run different releases, whose messages may differ. */
static bool count_hosts(const struct hello *all, uint32_t rank, uint32_t size,
                        struct sca_meeting *meeting)
{
    uint64_t cpus[CPU_WORDS] = {0};
    bool same_release = true;
    for (uint32_t i = 0; i < size; i++) {
        meeting->hosts += first_of_host(all, i);
        same_release &= all[i].release == all[0].release;
        if (all[i].host != all[rank].host)
            continue;
        meeting->local++;
        for (int w = 0; w < CPU_WORDS; w++)
            cpus[w] |= all[i].cpus[w];
    }
    for (int w = 0; w < CPU_WORDS; w++)
        meeting->cores += (uint32_t)__builtin_popcountll(cpus[w]);
    return same_release;
}

/* Whom this rank can see dying: the same host and numbers that mean the same. */
static void watch(const struct hello *all, uint32_t rank, uint32_t size)
{
    const struct hello *own = &all[rank];
    int32_t *pids = own->processes ? sca_scratch(size * sizeof *pids) : NULL;
    for (uint32_t i = 0; pids && i < size; i++)
        if (all[i].host == own->host && all[i].processes == own->processes)
            pids[i] = (int32_t)all[i].pid;
    sca_watch(pids);
}

static void decide(uint32_t size)
{
    char path[SCA_DIRECTORY];
    plan.enable = sca_settings.enable;
    sca_program_path(path, sizeof path);
    if (plan.enable)
        plan.error =
            sca_rundir_make(plan.directory, sca_settings.output, sca_base_name(path), size);
}

/* All ranks' greetings, or NULL and why. */
static struct hello *greet(uint32_t rank, uint32_t size, struct sca_meeting *meeting,
                           const char **why)
{
    static struct hello mine;
    static char line[96];
    int missing = sca_presence_missing();
    meeting->partial = missing >= 0;
    snprintf(line, sizeof line, "rank %d of those on this host has not loaded libscalana-prof.so",
             missing);
    *why = line;
    if (missing >= 0)
        return NULL;
    mine = own_hello(meeting->host);
    struct hello *all = sca_scratch(size * sizeof mine);
    *why = no_agreement;
    if (!all)
        return NULL;
    enum sca_gather_begun begun = sca_gather_begin(rank, size, &mine, sizeof mine, all);
    meeting->partial = begun == SCA_NOT_ALL;
    if (meeting->partial)
        *why = "not every rank has loaded libscalana-prof.so";
    return begun == SCA_ALL ? all : NULL;
}

const char *sca_meet(uint32_t rank, uint32_t size, struct sca_meeting *meeting)
{
    const char *why;
    *meeting = (struct sca_meeting){0};
    gethostname(meeting->host, sizeof meeting->host - 1);
    struct hello *all = greet(rank, size, meeting, &why);
    if (!all)
        return why;
    bool same_release = count_hosts(all, rank, size, meeting);
    watch(all, rank, size);
    munmap(all, size * sizeof *all);
    if (!same_release)
        return "the ranks loaded different releases of libscalana-prof.so";
    if (rank == 0)
        decide(size);
    if (sca_gather_broadcast(&plan, sizeof plan))
        return no_agreement;
    meeting->enable = plan.enable;
    meeting->error = plan.error;
    memcpy(meeting->directory, plan.directory, sizeof meeting->directory);
    return NULL;
}
