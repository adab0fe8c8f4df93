#include "sampler_stretch.h"
#include "arena.h"
#include "clock.h"
#include "guard.h"
#include "sampler_backend.h"
#include "sampler_rate.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SITES = 256,     /* calls told apart by the low bits of their number */
    FIRST_PARTS = 4, /* of a stretch as long as usual, a sample in each */
    PARTS = 8,
    CLOSE_NS = 50000,     /* no parts shorter than this, but for stretches that are */
    GENTLY = 8,           /* so slowly a mean moves */
    OUTLIER = 4,          /* times the mean: others had the core, mostly; counts as so much */
    MOST_DOUBLINGS = 10,  /* of parts in a stretch that is longer than usual */
    LOOK_NS = 10000000,   /* CPU time between looks for one that is so much longer */
    RARELY_NS = 50000000, /* while samples come steadily */
    UNUSUAL_NS = 50000    /* somebody else had the core */
};

static int signal_number;
static const char mark; /* its address tells our timers' signals from others */

struct stretches {
    void (*run)(bool on);
    uint64_t period_ns;
    timer_t timer;
    bool timed;            /* there is a timer */
    volatile bool clocked; /* this stretch, or the last one */
    volatile bool parted;  /* a sample in each part of it; else steadily */
    volatile bool busy;    /* waiting, or the clock is being set: no time for a look */
    unsigned number, seen; /* of the stretch; at the last look */
    uint32_t site;         /* the call that it follows */
    uint64_t began_ns;
    unsigned periods, doublings;
    uint64_t likely_ns, part_ns;
    uint64_t from_ns, at_ns; /* since it began: where the next part does, where the last aim was */
    uint32_t mean_ns[SITES]; /* of stretches after each call; 0: there was none yet */
    uint32_t usual_ns;       /* of all */
};
static _Thread_local struct stretches mine __attribute__((tls_model("initial-exec")));

static struct sca_aim aim_steadily(uint64_t period_ns, bool first)
{
    struct sca_aim aim = {.periods = sca_rate_periods()};
    uint64_t period = period_ns * aim.periods;
    aim.distance_ns = sca_sampler_distance(period);
    if (first) /* the clock comes into the midst of things */
        aim.distance_ns -= period / 2 - 1;
    return aim;
}

/* Somewhere in the next part. Beyond what was likely, parts grow: a stretch that is many times as
 * long as usual brings few samples more, which stand for much. */
static struct sca_aim aim_at_part(void)
{
    uint64_t length_ns = mine.part_ns << mine.doublings;
    uint64_t at_ns = mine.from_ns + sca_sampler_dice() % length_ns;
    struct sca_aim aim = {at_ns - mine.at_ns + 1, mine.periods << mine.doublings};
    mine.at_ns = at_ns;
    mine.from_ns += length_ns;
    if (mine.from_ns >= mine.likely_ns && mine.doublings < MOST_DOUBLINGS)
        mine.doublings++;
    return aim;
}

struct sca_aim sca_stretch_aim(uint64_t period_ns, bool first)
{
    return mine.parted ? aim_at_part() : aim_steadily(period_ns, first);
}

static void account(uint64_t cost_ns)
{
    __atomic_fetch_add(&sca_arena_header()->tool_ns, cost_ns, __ATOMIC_RELAXED);
}

/* Only for stretches that are drawn, which are few. */
static void set_clock(bool on)
{
    uint64_t begin_ns = sca_clock_now(), cost_ns;
    mine.run(on);
    mine.clocked = on;
    cost_ns = sca_clock_now() - begin_ns;
    account(cost_ns < UNUSUAL_NS ? cost_ns : UNUSUAL_NS);
}

/* A clock that begins is dear, so what is drawn is sampled several times; not too closely. As a run
 * goes on, more stretches have been seen, and samples become rarer: then more often. */
static uint64_t part_of(uint64_t mean_ns)
{
    uint64_t part_ns = mean_ns / (mine.periods > 1 ? PARTS : FIRST_PARTS);
    uint64_t least_ns = mean_ns < CLOSE_NS ? mean_ns : CLOSE_NS;
    return part_ns > least_ns ? part_ns : least_ns;
}

/* Drawn with the probability that brings one sample in a period. */
static void begin(void)
{
    mine.site = sca_thread.previous % SITES;
    mine.number++;
    mine.periods = sca_rate_periods();
    uint32_t mean_ns = mine.mean_ns[mine.site] ? mine.mean_ns[mine.site] : mine.usual_ns;
    mine.likely_ns = mean_ns;
    mine.part_ns = part_of(mean_ns);
    mine.from_ns = mine.at_ns = mine.doublings = 0;
    uint64_t period_ns = mine.period_ns * mine.periods;
    mine.parted = mine.part_ns && mine.part_ns < period_ns;
    if (!mine.parted || sca_sampler_dice() % period_ns < mine.part_ns)
        set_clock(true);
    mine.began_ns = sca_clock_now();
}

static void learn(uint32_t *mean_ns, uint64_t length_ns)
{
    uint64_t most_ns = *mean_ns ? (uint64_t)*mean_ns * OUTLIER : UINT32_MAX;
    length_ns = length_ns < most_ns ? length_ns : most_ns;
    uint64_t now_ns = *mean_ns ? *mean_ns + length_ns / GENTLY - *mean_ns / GENTLY : length_ns;
    *mean_ns = (uint32_t)(now_ns < UINT32_MAX ? now_ns : UINT32_MAX);
}

static void end(void)
{
    uint64_t length_ns = sca_clock_now() - mine.began_ns;
    if (mine.clocked)
        set_clock(false);
    learn(&mine.mean_ns[mine.site], length_ns);
    learn(&mine.usual_ns, length_ns);
}

void sca_stretch_wait(bool waits)
{
    if (!mine.run)
        return;
    mine.busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (waits)
        end();
    else
        begin();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    mine.busy = waits;
}

/* A stretch that has gone on since the last look is longer than anybody thought: had it not been
 * drawn, all of it would go without samples. From here on it is sampled whether drawn or not. */
static void look(void)
{
    if (!mine.busy && mine.parted && mine.seen == mine.number) {
        mine.parted = false;
        set_clock(true);
    }
    mine.seen = mine.number;
}

static void set_timer(void)
{
    uint64_t in_ns = mine.parted ? (uint64_t)LOOK_NS * sca_rate_periods() : RARELY_NS;
    struct itimerspec at = {.it_value = {0, (long)in_ns}};
    timer_settime(mine.timer, 0, &at, NULL);
}

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    (void)ucontext;
    int kept = errno;
    uint64_t begin_ns = sca_clock_now();
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark && mine.timed) {
        look();
        set_timer();
        account(sca_sampler_cost_since(begin_ns));
    }
    errno = kept;
}

static bool make_timer(void)
{
    if (!signal_number)
        signal_number = sca_signal_take(on_signal);
    return signal_number && sca_signal_timer(CLOCK_THREAD_CPUTIME_ID, (int)syscall(SYS_gettid),
                                             signal_number, &mark, &mine.timer);
}

void sca_stretch_start(void (*run)(bool on), uint64_t period_ns)
{
    mine = (struct stretches){
        .run = run, .period_ns = period_ns, .began_ns = sca_clock_now(), .clocked = true};
    mine.timed = make_timer();
    if (mine.timed)
        set_timer();
}

void sca_stretch_stop(void)
{
    if (mine.timed)
        timer_delete(mine.timer);
    mine = (struct stretches){0};
}
