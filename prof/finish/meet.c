#include "finish/meet.h"
#include "finish/other_launcher.h"
#include "base/allowed_cores.h"
#include "base/cores.h"
#include "base/patience.h"
#include "finish/post.h"
#include "finish/presence.h"
#include "base/settings.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CPU_WORDS = 4 };

/* What ranks tell each other. CPUs beyond 256 are folded. */
struct hello {
    uint64_t machine, node, clock, processes; /* host.h */
    uint64_t release;
    int64_t pid;
    uint64_t cpus[CPU_WORDS];
    uint32_t threads, quota; /* cores.h */
};

/* Rank 0's decision for all. */
struct plan {
    uint32_t enable;
    int32_t error;
    char directory[SCA_DIRECTORY];
};

static const char no_agreement[] = "the MPI library refused the agreement of the ranks";
static struct plan plan;

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static struct hello own_hello(const struct sca_host *host)
{
    struct hello hello = {.machine = host->machine,
                          .node = host->node,
                          .clock = host->clock,
                          .processes = host->processes,
                          .release = hash_text(SCA_VERSION),
                          .pid = getpid(),
                          .threads = sca_cores_wanted(),
                          .quota = sca_cores_quota()};
    cpu_set_t set;
    if (sca_allowed_cores(&set))
        for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &set))
                hello.cpus[cpu / 64 % CPU_WORDS] |= 1ull << cpu % 64;
    return hello;
}

/* Ranks with the same key form a group. Groups are numbered in the order of their lowest ranks;
 * `count` of them, whose lowest ranks are in `first`. `number` is each rank's. */
struct groups {
    uint32_t count, *first, *number;
};

static uint64_t key_of(const struct hello *all, uint32_t i, size_t key)
{
    uint64_t value;
    memcpy(&value, (const char *)&all[i] + key, sizeof value);
    return value;
}

/* Neighbouring ranks mostly share a host: only a change looks through those before. */
static bool group_by(struct groups *g, const struct hello *all, uint32_t size, size_t key)
{
    g->count = 0;
    g->first = sca_scratch(size * sizeof *g->first);
    g->number = sca_scratch(size * sizeof *g->number);
    for (uint32_t i = 0; g->first && g->number && i < size; i++) {
        uint32_t n = i ? g->number[i - 1] : 0;
        if (!i || key_of(all, i, key) != key_of(all, i - 1, key))
            for (n = 0; n < g->count && key_of(all, g->first[n], key) != key_of(all, i, key);)
                n++;
        if (n == g->count)
            g->first[g->count++] = i;
        g->number[i] = n;
    }
    return g->first && g->number;
}

static void forget(struct groups *g, uint32_t size)
{
    if (g->first)
        munmap(g->first, size * sizeof *g->first);
    if (g->number)
        munmap(g->number, size * sizeof *g->number);
}

/* Threads of a machine's ranks, and the cores they may use together. Ranks of a machine mostly
 * share the control group that limits them: its quota is theirs together. */
static void count_cores(const struct hello *all, const struct groups *g, uint32_t size,
                        uint32_t machine, uint32_t *local, uint32_t *cores)
{
    uint64_t cpus[CPU_WORDS] = {0};
    uint32_t quota = 0;
    bool limited = true;
    *local = *cores = 0;
    for (uint32_t i = g->first[machine]; i < size; i++) {
        if (g->number[i] != machine)
            continue;
        *local += all[i].threads;
        quota = all[i].quota > quota ? all[i].quota : quota;
        limited &= all[i].quota != 0;
        for (int w = 0; w < CPU_WORDS; w++)
            cpus[w] |= all[i].cpus[w];
    }
    for (int w = 0; w < CPU_WORDS; w++)
        *cores += (uint32_t)__builtin_popcountll(cpus[w]);
    if (limited && quota < *cores)
        *cores = quota;
}

static bool count_machines(const struct hello *all, uint32_t rank, uint32_t size,
                           struct sca_meeting *meeting)
{
    struct groups g;
    bool known = group_by(&g, all, size, offsetof(struct hello, machine));
    if (known)
        count_cores(all, &g, size, g.number[rank], &meeting->local, &meeting->cores);
    /* Only rank 0 tells of the run as a whole. */
    for (uint32_t i = 0, local, cores; known && !rank && i < g.count; i++) {
        count_cores(all, &g, size, i, &local, &cores);
        meeting->crowded |= local > cores;
    }
    forget(&g, size);
    return known;
}

static bool count_hosts(const struct hello *all, uint32_t rank, uint32_t size,
                        struct sca_meeting *meeting)
{
    struct groups g;
    bool known = group_by(&g, all, size, offsetof(struct hello, node));
    meeting->hosts = g.count;
    if (known)
        meeting->node = g.number[rank];
    forget(&g, size);
    return known;
}

/* Keeps who leads each clock, for Finalize. */
static bool find_clocks(const struct hello *all, uint32_t rank, uint32_t size,
                        struct sca_meeting *meeting)
{
    struct groups g;
    bool known = group_by(&g, all, size, offsetof(struct hello, clock));
    meeting->clocks = g.count;
    meeting->leader = g.first;
    meeting->offsets = known ? sca_scratch(g.count * sizeof *meeting->offsets) : NULL;
    if (known)
        meeting->own = g.number[rank];
    g.first = NULL;
    forget(&g, size);
    return known && meeting->offsets;
}

/* False when ranks run different releases, whose messages may differ. */
static bool is_same_release(const struct hello *all, uint32_t size)
{
    for (uint32_t i = 1; i < size; i++)
        if (all[i].release != all[0].release)
            return false;
    return true;
}

/* Whom this rank can see dying: whose process numbers mean the same here. */
static void watch(const struct hello *all, uint32_t rank, uint32_t size)
{
    const struct hello *own = &all[rank];
    int32_t *pids = own->processes ? sca_scratch(size * sizeof *pids) : NULL;
    for (uint32_t i = 0; pids && i < size; i++)
        if (all[i].processes == own->processes)
            pids[i] = (int32_t)all[i].pid;
    sca_patience_watch(pids);
}

static void decide(uint32_t size)
{
    char path[SCA_DIRECTORY];
    plan.enable = sca_settings.enable;
    sca_rundir_program_path(path, sizeof path);
    if (plan.enable)
        plan.error =
            sca_rundir_make(plan.directory, sca_settings.output, sca_rundir_base_name(path), size);
}

/* Whose clocks are not rank 0's: how far off they are. */
static void compare_clocks(uint32_t rank, struct sca_meeting *m, bool again)
{
    if (!rank)
        sca_offsets_measure(m->leader, m->clocks, m->offsets, again);
    else if (m->leader[m->own] == rank &&
             !(again && m->offsets[m->own].error == SCA_OFFSET_UNKNOWN))
        sca_offsets_answer();
}

static bool compare_at_begin(uint32_t rank, struct sca_meeting *m)
{
    if (m->clocks < 2)
        return true;
    compare_clocks(rank, m, false);
    return !sca_post_broadcast(m->offsets, (unsigned)(m->clocks * sizeof *m->offsets));
}

void sca_meet_again(uint32_t rank, struct sca_meeting *m)
{
    if (m->clocks > 1)
        compare_clocks(rank, m, true);
}

/* All ranks' greetings, or NULL and why. */
static struct hello *greet(uint32_t rank, uint32_t size, struct sca_meeting *meeting,
                           const char **why)
{
    static char line[96];
    int missing = sca_presence_missing();
    const char *other = sca_other_launcher(size);
    meeting->partial = missing >= 0 || other;
    meeting->silent = other && sca_other_launcher_silent();
    snprintf(line, sizeof line, "rank %d on this host has not loaded libscalana-prof.so", missing);
    *why = other ? other : line;
    if (meeting->partial)
        return NULL;
    struct hello *all = sca_scratch(size * sizeof *all);
    *why = no_agreement;
    if (!all)
        return NULL;
    all[rank] = own_hello(&meeting->host);
    enum sca_post_begun begun = sca_post_begin(rank, size, sizeof *all, all);
    meeting->partial = begun == SCA_NOT_ALL;
    if (meeting->partial)
        *why = "not every rank has loaded libscalana-prof.so";
    return begun == SCA_ALL ? all : NULL;
}

const char *sca_meet(uint32_t rank, uint32_t size, struct sca_meeting *meeting)
{
    const char *why;
    *meeting = (struct sca_meeting){0};
    sca_host_describe(&meeting->host);
    struct hello *all = greet(rank, size, meeting, &why);
    if (!all)
        return why;
    bool same_release = is_same_release(all, size);
    bool known = count_machines(all, rank, size, meeting) &&
                 count_hosts(all, rank, size, meeting) && find_clocks(all, rank, size, meeting);
    watch(all, rank, size);
    munmap(all, size * sizeof *all);
    if (!same_release)
        return "the ranks loaded different releases of libscalana-prof.so";
    if (rank == 0)
        decide(size);
    if (!known || sca_post_broadcast(&plan, sizeof plan))
        return no_agreement;
    meeting->enable = plan.enable;
    meeting->error = plan.error;
    memcpy(meeting->directory, plan.directory, sizeof meeting->directory);
    if (meeting->enable && !compare_at_begin(rank, meeting))
        return no_agreement;
    return NULL;
}
