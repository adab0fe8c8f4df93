#include "threads/team.h"
#include "base/guard.h"
#include "calls/activity.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "mpi_functions.h"
#include "sampling/interval.h"
#include "sampling/sample_next.h"
#include "sampling/threads.h"

#include <errno.h>

enum { PATHS = 64 }; /* regions told apart, by the low bits of their number */

struct member {
    uint64_t work_ns[2], waited_ns[2]; /* of phases by turns */
} __attribute__((aligned(64)));        /* a line */

static struct { /* the region that is followed */
    bool active;
    uint32_t site;
    uint64_t began_ns, began_cpu_ns; /* of the first thread */
    uint64_t told_ns;                /* what its intervals had told of it by then */
    uint64_t members;                /* a bit for each */
    unsigned size;
    uint64_t phases_ns; /* in virtual time, ns */
    uint64_t busy_ns;   /* the same without waits for locks, */
    uint64_t even_ns;   /* and if all had computed as much */
    uint64_t own_ns;    /* what the first thread computed */
} team;

static struct {
    uint64_t ns;     /* since the phase began, virtual */
    unsigned phase;  /* of this region */
    uint32_t thread; /* who had it */
    bool known;
} turn_over; /* the last that a thread of the team had (`ordered`) */

static struct member members[SCA_TEAM_MOST];
static struct lately {
    double work, both;          /* without waits for locks, and with them */
} lately[PATHS][SCA_TEAM_MOST]; /* what each had in the region, the earlier the less */

static _Thread_local struct {
    bool in;    /* the region that is followed */
    int nested; /* regions inside it */
    unsigned phase;
    uint64_t mark_ns; /* CPU time when it began to compute */
    bool in_task;     /* that it began while it waited */
    bool paused;      /* waits for tasks since paused_ns; what it runs then is tasks_ns */
    uint64_t paused_ns, task_ns, tasks_ns;
    uint64_t locked_ns, spun_ns; /* sca_thread's then */
} me __attribute__((tls_model("initial-exec")));

static uint64_t cpu_now(void)
{
    return sca_cpu_time_at(sca_clock_now());
}

static uint64_t beyond(uint64_t ns, uint64_t part_ns)
{
    return ns > part_ns ? ns - part_ns : 0;
}

static struct member *my_member(void)
{
    return &members[sca_threads_number() % SCA_TEAM_MOST];
}

/* ---- phases ---- */

struct share { /* of what a team had lately */
    double all, most;
};

static void add_share(struct share *to, double *part, uint64_t ns)
{
    *part = *part * SCA_THREADS_REMEMBERED + (double)ns;
    to->all += *part;
    to->most = *part > to->most ? *part : to->most;
}

/* What the busiest has of it: this time, or on shared cores as it was lately. */
static uint64_t longest_of(uint64_t all_ns, uint64_t longest_ns, const struct share *share)
{
    if (!sca_clock_is_crowded() || share->all <= 0)
        return longest_ns;
    return (uint64_t)((double)all_ns * share->most / share->all);
}

/* Threads that wait for each other by turns do not compute unevenly. */
static void add_phase(unsigned turn)
{
    struct lately *of = lately[team.site % PATHS];
    struct share work = {0}, both = {0};
    uint64_t work_ns = 0, both_ns = 0, longest_ns = 0, busiest_ns = 0;
    for (unsigned i = 0; i < SCA_TEAM_MOST; i++) {
        if (!(team.members >> i & 1))
            continue;
        uint64_t worked = members[i].work_ns[turn], took = worked + members[i].waited_ns[turn];
        work_ns += worked;
        both_ns += took;
        longest_ns = took > longest_ns ? took : longest_ns;
        busiest_ns = worked > busiest_ns ? worked : busiest_ns;
        add_share(&work, &of[i].work, worked);
        add_share(&both, &of[i].both, took);
    }
    team.phases_ns += longest_of(both_ns, longest_ns, &both);
    team.busy_ns += longest_of(work_ns, busiest_ns, &work);
    team.even_ns += work_ns / (team.size ? team.size : 1);
    team.own_ns += members[0].work_ns[turn];
}

/* ---- the first thread ---- */

/* A process has one first thread, so this needs no lock. */
static bool is_followed(void)
{
    const struct sca_thread *t = &sca_thread;
    return sca_recording && !sca_paused && !(t->in_mpi | t->in_tool) && t->previous != SCA_NONE &&
           sca_interval_is_open() && sca_threads_is_first() && !team.active;
}

bool sca_team_fork(const void *return_address, const void *cfa, const void *into)
{
    me.nested += me.in;
    if (!is_followed())
        return false;
    int kept = errno;
    sca_thread.in_tool++;
    uint32_t site =
        into ? sca_activity_site_into(SCA_OUTSIDE_OpenMP_region, return_address, cfa, into)
             : sca_activity_site(SCA_OUTSIDE_OpenMP_region, return_address, cfa);
    team.site = site;
    team.members = team.size = 0;
    team.phases_ns = team.busy_ns = team.even_ns = team.own_ns = 0;
    turn_over.known = false;
    team.began_ns = sca_clock_now();
    team.began_cpu_ns = sca_cpu_time_at(team.began_ns);
    team.told_ns = sca_interval_told_ns();
    team.active = site != SCA_NONE;
    sca_thread.in_tool--;
    errno = kept;
    return team.active;
}

/* The next call says which interval that is. State lock held. */
static void book(enum sca_part_sample_kind kind, unsigned threads, uint64_t ns)
{
    sca_sample_next_book(team.site, kind, threads, ns);
}

static void book_region(void)
{
    sca_guard_lock();
    book(SCA_SAMPLE_REGION, team.size, team.phases_ns);
    if (team.busy_ns > team.even_ns)
        book(SCA_SAMPLE_UNEVEN, team.size, team.busy_ns - team.even_ns);
    if (team.phases_ns > team.busy_ns)
        book(SCA_SAMPLE_CONTENDED, team.size, team.phases_ns - team.busy_ns);
    sca_guard_unlock();
}

/* Calls of MPI inside the region ended intervals that have their part of it. */
static void leave_out_told(void)
{
    uint64_t told_ns = sca_interval_told_ns() - team.told_ns;
    team.phases_ns = beyond(team.phases_ns, told_ns);
    team.busy_ns = beyond(team.busy_ns, told_ns);
    team.even_ns = beyond(team.even_ns, told_ns);
    team.own_ns = beyond(team.own_ns, told_ns);
}

static void join(void)
{
    int kept = errno;
    sca_thread.in_tool++;
    uint64_t now_ns = sca_clock_now();
    const struct sca_interval_region region = {
        .wall_ns = beyond(now_ns, team.began_ns),
        .cpu_ns = beyond(sca_cpu_time_at(now_ns), team.began_cpu_ns),
    };
    add_phase((me.phase - 1) % 2);
    team.active = me.in = false;
    leave_out_told();
    if (team.size > 1) {
        sca_interval_add_region(&region, team.phases_ns, beyond(team.phases_ns, team.own_ns));
        book_region();
    }
    sca_thread.in_tool--;
    errno = kept;
}

void sca_team_join(bool followed)
{
    if (followed)
        join();
    else if (me.in && me.nested)
        me.nested--;
    sca_thread.awaits = false;
}

/* ---- all threads ---- */

void sca_team_begin(bool followed)
{
    uint32_t number = sca_threads_number();
    sca_thread.in_tool++;
    me.in = followed && number < SCA_TEAM_MOST;
    me.nested = 0;
    me.phase = 0;
    me.paused = me.in_task = false;
    me.locked_ns = sca_thread.locked_ns;
    me.spun_ns = sca_thread.spun_ns;
    if (me.in) {
        *my_member() = (struct member){0};
        __atomic_fetch_or(&team.members, 1ul << number, __ATOMIC_RELAXED);
        __atomic_fetch_add(&team.size, 1, __ATOMIC_RELAXED);
        me.mark_ns = cpu_now();
    }
    sca_thread.awaits = false;
    sca_thread.in_tool--;
}

static void end_phase(void)
{
    struct member *m = my_member();
    m->work_ns[me.phase % 2] = beyond(cpu_now(), me.mark_ns + sca_thread.spun_ns - me.spun_ns);
    m->waited_ns[me.phase % 2] = sca_thread.locked_ns - me.locked_ns;
    me.phase++;
    sca_thread.awaits = true;
}

void sca_team_end(bool followed)
{
    sca_thread.in_tool++;
    if (followed && me.in)
        end_phase();
    sca_thread.awaits = true; /* the one that forked it comes to sca_team_join() */
    sca_thread.in_tool--;
}

bool sca_team_arrive(void)
{
    if (!me.in || me.nested || sca_thread.in_tool)
        return false;
    sca_thread.in_tool++;
    end_phase();
    sca_thread.in_tool--;
    return true;
}

/* All have come: what they said of the phase stands until the barrier after the next. */
void sca_team_depart(void)
{
    sca_thread.in_tool++;
    if (sca_threads_is_first())
        add_phase((me.phase - 1) % 2);
    me.mark_ns = cpu_now();
    me.locked_ns = sca_thread.locked_ns;
    me.spun_ns = sca_thread.spun_ns;
    sca_thread.awaits = false;
    sca_thread.in_tool--;
}

bool sca_team_pause(void)
{
    if (!me.in || me.nested || me.paused || me.in_task || sca_thread.awaits || sca_thread.in_tool)
        return false;
    sca_thread.in_tool++;
    me.paused = sca_thread.awaits = true;
    me.tasks_ns = 0;
    me.paused_ns = cpu_now();
    sca_thread.in_tool--;
    return true;
}

/* What it spun is no work: it began so much later. */
void sca_team_resume(void)
{
    sca_thread.in_tool++;
    me.mark_ns += beyond(cpu_now(), me.paused_ns + me.tasks_ns);
    me.paused = sca_thread.awaits = false;
    sca_thread.in_tool--;
}

/* ---- turns ---- */

static bool takes_turns(void)
{
    return me.in && !me.nested && !me.in_task && !sca_thread.in_tool;
}

/* Since the phase began, each thread with a core of its own. */
static uint64_t virtual_now(uint64_t cpu_ns)
{
    return beyond(cpu_ns, me.mark_ns + sca_thread.spun_ns - me.spun_ns) +
           (sca_thread.locked_ns - me.locked_ns);
}

uint64_t sca_team_turn_begin(void)
{
    if (!takes_turns())
        return 0;
    sca_thread.in_tool++;
    uint64_t began_ns = cpu_now();
    sca_thread.in_tool--;
    sca_thread.awaits = true;
    return began_ns;
}

uint64_t sca_team_turn_come(uint64_t began_ns, uint32_t *of)
{
    if (!began_ns)
        return 0;
    sca_thread.in_tool++;
    sca_thread.awaits = false;
    sca_thread.spun_ns += beyond(cpu_now(), began_ns);
    bool known = turn_over.known && turn_over.phase == me.phase;
    uint64_t waited_ns = known ? beyond(turn_over.ns, virtual_now(began_ns)) : 0;
    *of = turn_over.thread;
    sca_thread.in_tool--;
    return waited_ns;
}

void sca_team_turn_over(void)
{
    if (!takes_turns())
        return;
    sca_thread.in_tool++;
    turn_over.ns = virtual_now(cpu_now());
    turn_over.phase = me.phase;
    turn_over.thread = sca_threads_number();
    turn_over.known = true;
    sca_thread.in_tool--;
}

/* ---- tasks ---- */

bool sca_team_task_begin(void)
{
    bool waits = sca_thread.awaits && me.in && !sca_thread.in_tool;
    if (!waits)
        return false;
    sca_thread.in_tool++;
    me.task_ns = cpu_now();
    me.in_task = true;
    sca_thread.awaits = false;
    sca_thread.in_tool--;
    return true;
}

void sca_team_task_end(bool waits)
{
    if (!waits)
        return;
    sca_thread.in_tool++;
    uint64_t ns = beyond(cpu_now(), me.task_ns);
    me.in_task = false;
    if (me.paused)
        me.tasks_ns += ns;
    else
        my_member()->work_ns[(me.phase - 1) % 2] += ns;
    sca_thread.awaits = true;
    sca_thread.in_tool--;
}
