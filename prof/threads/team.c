#include "threads/team.h"
#include "base/guard.h"
#include "calls/activity.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "mpi_functions.h"
#include "sampling/interval.h"
#include "sampling/sample_next.h"
#include "sampling/threads.h"
#include "threads/inner_team.h"
#include "threads/phase.h"
#include "threads/turns.h"

#include <errno.h>

enum { PATHS = 64 }; /* regions told apart, by the low bits of their number */

static struct { /* the region that is followed */
    bool active;
    uint32_t site;
    uint64_t forked_ns;
    uint64_t began_ns,
        began_cpu_ns;  /* of the first thread: what it has not told the interval yet */
    uint64_t told_ns;  /* what its intervals had told of it when the phase began */
    uint64_t phase_ns; /* when the phase began */
    uint64_t members;  /* a bit for each */
    unsigned size;
    struct sca_phase_times times; /* not told yet */
} team;

static unsigned regions; /* so far */
static unsigned usual;   /* threads of the last region's team */

static bool calls_mpi[PATHS]; /* the first thread does, within the region */

static struct sca_team_region outermost; /* stands for the region that is followed itself */

static _Thread_local struct {
    bool in;    /* the region that is followed */
    int nested; /* regions inside it */
    unsigned phase;
    bool arrived; /* at the barrier that ends the phase before this one */
    enum sca_team_state state;
    uint32_t piece, task;          /* and of which task; 0: of none that is known */
    struct sca_team_region inner;  /* the region inside that it has forked */
    uint64_t mark_ns;              /* CPU time when that state began */
    uint64_t locked_ns, spun_ns;   /* sca_thread's then */
    uint64_t wait_ns, wait_cpu_ns; /* when a wait began that is not to be in its interval, by both
                                      clocks; 0: none did */
} me __attribute__((tls_model("initial-exec")));

static uint64_t cpu_now(void)
{
    return sca_cpu_time_at(sca_clock_now());
}

static uint64_t beyond(uint64_t ns, uint64_t part_ns)
{
    return ns > part_ns ? ns - part_ns : 0;
}

static unsigned my_turn(void)
{
    return (me.phase - me.arrived) % 2;
}

static struct sca_phase *my_phase(void)
{
    return &sca_phases[my_turn()];
}

/* Tasks have numbers of their own in each of the two phases: the last bit tells them apart. */
static uint32_t number_of(uint32_t task)
{
    return task ? task << 1 | my_turn() : 0;
}

/* Who has not left a barrier yet may run tasks that others make behind it: they are none of this
 * phase. */
static uint32_t task_of(uint32_t number)
{
    return (number & 1) == my_turn() ? number >> 1 : 0;
}

static struct sca_phase_member *my_member(void)
{
    return &my_phase()->members[sca_threads_number() % SCA_TEAM_MOST];
}

/* ---- phases ---- */

/* Calls of MPI within the phase ended intervals, which have told what the first thread computed by
 * then. */
static void add_phase(unsigned turn)
{
    uint64_t left_ns, cpu_ns, told_ns = sca_interval_told_ns() - team.told_ns;
    sca_interval_begun(&left_ns, &cpu_ns);
    const struct sca_phase_team of = {
        .site = team.site,
        .members = team.members,
        .size = team.size,
        .shares_cores = sca_clock_is_crowded_by(team.size),
        .began_ns = team.phase_ns,
        .left_ns = left_ns,
        .told_ns = told_ns,
    };
    sca_phase_add(&sca_phases[turn], &of, &team.times);
    team.told_ns += told_ns;
}

/* ---- what a thread is at ---- */

static uint64_t locked_since(void)
{
    return sca_thread.locked_ns - me.locked_ns;
}

/* What it spun is no work. */
static uint64_t worked_until(uint64_t cpu_ns)
{
    return beyond(cpu_ns, me.mark_ns + sca_thread.spun_ns - me.spun_ns);
}

/* A further thread that calls MPI has intervals of its own, in which it waits for its team. */
static void begin_wait(void)
{
    if (!sca_interval_is_open() || sca_threads_is_first() || me.wait_ns)
        return;
    me.wait_ns = sca_clock_now();
    me.wait_cpu_ns = sca_cpu_time_at(me.wait_ns);
}

static void end_wait(void)
{
    if (me.wait_ns)
        sca_interval_awaited(me.wait_ns, me.wait_cpu_ns, cpu_now());
    me.wait_ns = 0;
}

static void begin_state(enum sca_team_state state, uint64_t cpu_ns)
{
    if (state == SCA_TEAM_WAITS)
        begin_wait();
    else
        end_wait();
    me.state = state;
    me.mark_ns = cpu_ns;
    me.locked_ns = sca_thread.locked_ns;
    me.spun_ns = sca_thread.spun_ns;
    if (state == SCA_TEAM_PIECE)
        me.piece = sca_pieces_take(&my_phase()->pieces, task_of(me.task));
    sca_thread.awaits = state == SCA_TEAM_WAITS;
}

static void add_work(uint64_t ns)
{
    struct sca_phase_member *m = my_member();
    m->work_ns += ns;
    if (me.state != SCA_TEAM_PIECE)
        return;
    m->pieces_ns += ns;
    sca_pieces_end(&my_phase()->pieces, me.piece, ns);
}

/* What the first thread did before it called MPI is of the interval before. */
static void leave_out_mpi(void)
{
    uint64_t now_ns, cpu_ns;
    sca_interval_begun(&now_ns, &cpu_ns);
    me.mark_ns = cpu_ns > me.mark_ns ? cpu_ns : me.mark_ns;
}

static void end_state(uint64_t cpu_ns)
{
    if (me.state == SCA_TEAM_WAITS)
        return;
    if (sca_threads_is_first())
        leave_out_mpi();
    add_work(worked_until(cpu_ns));
    my_member()->waited_ns += locked_since();
}

/* ---- regions inside ---- */

static uint32_t site_of(const void *return_address, const void *cfa, const void *into)
{
    return into ? sca_activity_site_into(SCA_OUTSIDE_OpenMP_region, return_address, cfa, into)
                : sca_activity_site(SCA_OUTSIDE_OpenMP_region, return_address, cfa);
}

static struct sca_team_region *fork_inside(const void *return_address, const void *cfa,
                                           const void *into)
{
    if (me.nested++ || sca_thread.in_tool)
        return NULL;
    int kept = errno;
    sca_thread.in_tool++;
    end_state(cpu_now());
    me.inner = (struct sca_team_region){.site = site_of(return_address, cfa, into)};
    sca_thread.in_tool--;
    errno = kept;
    return &me.inner;
}

/* Which of its threads takes a piece is chance: threads of all teams share the cores. */
static void note_inside(const struct sca_team_region *r)
{
    const struct sca_inner_phase times = sca_inner_team_times(r);
    const struct sca_phase_inside of = {
        .site = r->site,
        .threads = r->site == SCA_NONE || r->threads < 2 ? 0 : r->threads,
        .ns = times.most_ns,
        .uneven_ns = r->has_pieces || !r->threads ? 0 : times.most_ns - times.all_ns / r->threads,
    };
    sca_phase_add_inside(my_member()->inside, &of);
}

static void join_inside(void)
{
    if (--me.nested || sca_thread.in_tool)
        return;
    sca_thread.in_tool++;
    if (me.state != SCA_TEAM_WAITS) {
        add_work(sca_inner_team_times(&me.inner).busiest_ns);
        note_inside(&me.inner);
    }
    begin_state(me.state, cpu_now());
    sca_thread.in_tool--;
}

/* ---- the first thread ---- */

/* A process has one first thread, so this needs no lock. */
static bool is_followed(void)
{
    const struct sca_thread *t = &sca_thread;
    return sca_recording && !sca_paused && !(t->in_mpi | t->in_tool) && t->previous != SCA_NONE &&
           sca_interval_is_open() && sca_threads_is_first() && !team.active;
}

struct sca_team_region *sca_team_fork(const void *return_address, const void *cfa, const void *into)
{
    if (me.in)
        return fork_inside(return_address, cfa, into);
    if (!is_followed())
        return NULL;
    int kept = errno;
    sca_thread.in_tool++;
    uint32_t site = site_of(return_address, cfa, into);
    team.site = site;
    team.members = team.size = 0;
    team.times = (struct sca_phase_times){0};
    regions++;
    sca_pieces_clear(&sca_phases[0].pieces);
    sca_pieces_clear(&sca_phases[1].pieces);
    team.forked_ns = team.phase_ns = team.began_ns = sca_clock_now();
    team.began_cpu_ns = sca_cpu_time_at(team.began_ns);
    team.told_ns = sca_interval_told_ns();
    team.active = site != SCA_NONE;
    sca_thread.forks = true;
    sca_thread.in_tool--;
    errno = kept;
    return team.active ? &outermost : NULL;
}

/* The next call says which interval that is. State lock held. */
static void book(enum sca_part_sample_kind kind, unsigned threads, uint64_t ns)
{
    sca_sample_next_book(team.site, kind, threads, ns);
}

static void book_inside(const struct sca_phase_inside *of)
{
    if (!of->threads)
        return;
    sca_sample_next_book(of->site, SCA_SAMPLE_INNER_REGION, of->threads, of->ns);
    if (of->uneven_ns)
        sca_sample_next_book(of->site, SCA_SAMPLE_INNER_UNEVEN, of->threads, of->uneven_ns);
}

static void book_region(void)
{
    sca_guard_lock();
    book(SCA_SAMPLE_REGION, team.size, team.times.phases_ns);
    if (team.times.busy_ns > team.times.even_ns)
        book(SCA_SAMPLE_UNEVEN, team.size, team.times.busy_ns - team.times.even_ns);
    if (team.times.phases_ns > team.times.busy_ns)
        book(SCA_SAMPLE_CONTENDED, team.size, team.times.phases_ns - team.times.busy_ns);
    for (unsigned i = 0; i < SCA_PHASE_INSIDE; i++)
        book_inside(&team.times.inside[i]);
    for (unsigned i = 0; i < SCA_PHASE_CHAINS && team.times.chains[i].ns; i++)
        sca_sample_next_book(team.times.chains[i].site,
                             team.times.chains[i].alone ? SCA_SAMPLE_LONG_TASK : SCA_SAMPLE_CHAIN,
                             team.size, team.times.chains[i].ns);
    sca_guard_unlock();
}

/* What has come of the region is of the interval that is open. */
static void tell_interval(void)
{
    uint64_t now_ns = sca_clock_now(), begun_ns, begun_cpu_ns;
    uint64_t cpu_ns = sca_cpu_time_at(now_ns);
    sca_interval_begun(&begun_ns, &begun_cpu_ns);
    const struct sca_interval_region region = {
        .wall_ns = beyond(now_ns, begun_ns > team.began_ns ? begun_ns : team.began_ns),
        .cpu_ns =
            beyond(cpu_ns, begun_cpu_ns > team.began_cpu_ns ? begun_cpu_ns : team.began_cpu_ns),
    };
    if (team.size > 1) {
        sca_interval_add_region(&region, team.times.phases_ns,
                                beyond(team.times.phases_ns, team.times.own_ns));
        book_region();
    }
    team.times = (struct sca_phase_times){0};
    team.began_ns = now_ns;
    team.began_cpu_ns = cpu_ns;
}

/* Of a region without MPI all is told at its end. Where the first call comes as a surprise, what
 * was before it is of an interval that is closed. */
static bool has_called_mpi(void)
{
    bool *calls = &calls_mpi[team.site % PATHS];
    uint64_t begun_ns, begun_cpu_ns;
    sca_interval_begun(&begun_ns, &begun_cpu_ns);
    if (!*calls && begun_ns > team.forked_ns) {
        team.times = (struct sca_phase_times){0};
        *calls = true;
    }
    return *calls;
}

static void pass_barrier(void)
{
    bool calls = has_called_mpi();
    add_phase((me.phase - 1) % 2);
    if (calls)
        tell_interval();
    team.phase_ns = sca_clock_now();
}

static void join(void)
{
    int kept = errno;
    sca_thread.in_tool++;
    (void)has_called_mpi();
    add_phase((me.phase - 1) % 2);
    team.active = me.in = false;
    usual = team.size;
    tell_interval();
    sca_thread.in_tool--;
    errno = kept;
}

void sca_team_join(const struct sca_team_region *region)
{
    if (region == &outermost)
        join();
    else if (me.in && me.nested)
        join_inside();
    end_wait();
    sca_thread.awaits = false;
}

/* ---- all threads ---- */

static void change(enum sca_team_state state)
{
    uint64_t cpu_ns = cpu_now();
    end_state(cpu_ns);
    begin_state(state, cpu_ns);
}

static void begin_in_team(uint32_t number)
{
    *my_member() = (struct sca_phase_member){0};
    __atomic_fetch_or(&team.members, 1ul << number, __ATOMIC_RELAXED);
    __atomic_fetch_add(&team.size, 1, __ATOMIC_RELAXED);
    me.task = 0;
    begin_state(SCA_TEAM_OWN, cpu_now());
}

/* A thread that is in the team may begin its part of a region inside, and comes back. */
static void begin(struct sca_team_region *region)
{
    uint32_t number = sca_threads_number();
    bool inside = me.in && me.nested;
    bool is_inner = region && region != &outermost;
    if (!inside) {
        me.in = region == &outermost && number < SCA_TEAM_MOST;
        me.nested = 0;
        me.phase = 0;
        me.arrived = false;
        sca_thread.region = me.in ? team.site : 0;
    }
    if (me.in && !inside)
        begin_in_team(number);
    sca_inner_team_begin(is_inner ? region : NULL, region == &me.inner);
}

void sca_team_begin(struct sca_team_region *region)
{
    sca_thread.in_tool++;
    end_wait();
    if (!region && sca_inner_team_is_in())
        sca_inner_team_deepen();
    else
        begin(region);
    sca_thread.awaits = sca_thread.forks = false;
    sca_thread.in_tool--;
}

static void end_phase(void)
{
    change(SCA_TEAM_WAITS);
    my_member()->arrived_ns = sca_clock_now();
    me.phase++;
    me.arrived = true;
}

void sca_team_end(void)
{
    sca_thread.in_tool++;
    if (sca_inner_team_is_in())
        sca_inner_team_end();
    else if (me.in && !me.nested && !me.arrived)
        end_phase();
    if (!me.nested)
        sca_thread.region = 0;
    begin_wait();
    sca_thread.awaits = true; /* the one that forked it comes to sca_team_join() */
    sca_thread.in_tool--;
}

/* A region inside has barriers of its own. */
bool sca_team_arrive(void)
{
    bool inner = sca_inner_team_is_in(), waits = true;
    if (sca_thread.in_tool || (!inner && (!me.in || me.nested)))
        return false;
    sca_thread.in_tool++;
    if (inner)
        sca_thread.awaits = waits = sca_inner_team_arrive();
    else
        end_phase();
    if (waits)
        begin_wait();
    sca_thread.in_tool--;
    return waits;
}

/* All have come: what they said of the phase stands until the barrier after the next. */
static void leave_barrier(void)
{
    if (sca_threads_is_first())
        pass_barrier();
    me.arrived = false;
    *my_member() = (struct sca_phase_member){0};
    begin_state(SCA_TEAM_OWN, cpu_now());
}

void sca_team_depart(void)
{
    sca_thread.in_tool++;
    if (sca_inner_team_is_in()) {
        sca_inner_team_depart();
        sca_thread.awaits = false;
        end_wait();
    } else
        leave_barrier();
    sca_thread.in_tool--;
}

enum sca_team_state sca_team_turn_to(enum sca_team_state state)
{
    enum sca_team_state before = me.state;
    if (state == SCA_TEAM_PIECE)
        sca_inner_team_note_piece();
    if (sca_thread.in_tool)
        return before;
    sca_thread.in_tool++;
    if (me.in && !me.nested)
        change(state == SCA_TEAM_OWN && me.arrived ? SCA_TEAM_WAITS : state);
    else if (state != SCA_TEAM_WAITS)
        end_wait();
    sca_thread.in_tool--;
    return before;
}

void sca_team_next_piece(bool any)
{
    sca_inner_team_note_piece();
    if (me.in && sca_clock_is_crowded_by(usual > team.size ? usual : team.size) &&
        (any || me.state == SCA_TEAM_PIECE))
        (void)sca_team_turn_to(any ? SCA_TEAM_PIECE : SCA_TEAM_OWN);
}

/* ---- tasks ---- */

uint32_t sca_team_make_task(const struct sca_depend *depends, uint32_t n,
                            const void *return_address, const void *cfa, const void *body)
{
    if (!me.in || me.nested || sca_thread.in_tool)
        return 0;
    int kept = errno;
    sca_thread.in_tool++;
    uint32_t site = sca_activity_site_into(SCA_OUTSIDE_OpenMP_task, return_address, cfa, body);
    uint32_t task =
        site == SCA_NONE ? 0 : sca_pieces_make_task(&my_phase()->pieces, site, depends, n);
    sca_thread.in_tool--;
    errno = kept;
    return number_of(task);
}

uint32_t sca_team_set_task(uint32_t task)
{
    uint32_t before = me.task;
    me.task = task;
    return before;
}

/* ---- turns ---- */

static bool takes_turns(void)
{
    return me.in && !me.nested && me.state == SCA_TEAM_OWN && !sca_thread.in_tool;
}

/* Since the phase began, each thread with a core of its own. */
static uint64_t virtual_now(uint64_t cpu_ns)
{
    const struct sca_phase_member *m = my_member();
    return m->work_ns + m->waited_ns + worked_until(cpu_ns) + locked_since();
}

uint64_t sca_team_turn_begin(void)
{
    if (!takes_turns())
        return 0;
    sca_thread.in_tool++;
    uint64_t began_ns = cpu_now();
    begin_wait();
    sca_thread.in_tool--;
    sca_thread.awaits = true;
    return began_ns;
}

uint64_t sca_team_turn_come(uint64_t began_ns, uint64_t key, uint32_t *of)
{
    if (!began_ns)
        return 0;
    sca_thread.in_tool++;
    sca_thread.awaits = false;
    struct sca_team_turn turn; /* of another phase it is not meant */
    bool known = sca_turns_read(key, &turn) && turn.region == regions && turn.phase == me.phase;
    uint64_t waited_ns = known ? beyond(turn.ns, virtual_now(began_ns)) : 0;
    uint64_t cpu_ns = cpu_now();
    sca_thread.spun_ns += beyond(cpu_ns, began_ns);
    end_wait();
    *of = known ? turn.thread : 0;
    sca_thread.in_tool--;
    return waited_ns;
}

void sca_team_turn_over(uint64_t key)
{
    if (!takes_turns())
        return;
    sca_thread.in_tool++;
    sca_turns_write(&(struct sca_team_turn){.key = key,
                                            .ns = virtual_now(cpu_now()),
                                            .region = regions,
                                            .phase = me.phase,
                                            .thread = sca_threads_number()});
    sca_thread.in_tool--;
}
