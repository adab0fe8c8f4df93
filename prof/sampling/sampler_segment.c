#include "sampling/sampler_segment.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "base/guard.h"
#include "base/thread_memory.h"
#include "sampling/idle.h"
#include "sampling/sampler_backend.h"
#include "sampling/sampler_rate.h"
#include "signals/own_signal.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SITES = 1024, /* calls told apart by the low bits of their number, and looks in vain */
    GENTLY = 8,   /* so slowly a mean moves */
    OUTLIER = 64, /* times the mean, such as a set-up, counts as so much */
    EVENLY = 8,   /* samples as far from each other, in a segment that is longer than likely */
    MOST_DOUBLINGS = 10,  /* of that distance, further on */
    LOOK_NS = 10000000,   /* CPU time between looks for one that is so much longer */
    OVERLONG = 4,         /* times what was likely */
    FIRM_NS = 1000000,    /* and no less */
    RARELY_NS = 50000000, /* while samples come steadily */
    STEADILY = 8          /* samples until the clock is set anew */
};

_Static_assert(SITES * sizeof(uint32_t) <= SCA_SEGMENTES_BYTES, "the table has room");

static int signal_number;
static const char mark; /* its address tells our timers' signals from others */

struct segments {
    void (*run)(bool on);
    uint64_t period_ns;
    timer_t timer;
    bool timed;            /* there is a timer */
    volatile bool clocked; /* this segment, or the last one */
    volatile bool drawn;   /* or might have been, for one sample; else these come steadily */
    bool off;              /* recording is paused: not drawn, and tells nothing of others */
    volatile bool busy;    /* waiting, or the clock is being set: no time for a look */
    unsigned number;       /* of the segment */
    uint32_t site;         /* the call that it follows */
    uint64_t began_ns; /* by the thread's CPU clock: what others had the core for is no matter */
    unsigned periods, beyond;      /* beyond: samples, of what was likely */
    uint64_t likely_ns, offset_ns; /* offset: of the sample in what is likely */
    uint32_t *mean_ns;             /* of segments after each call, SITES of them; 0: none yet */
    uint32_t usual_ns;             /* of all */
};
static _Thread_local struct segments mine __attribute__((tls_model("initial-exec")));

/* An eighth more or less. */
static uint64_t vary(uint64_t ns)
{
    return ns - ns / 8 + sca_sampler_distance_random() % (ns / 4 + 1);
}

/* The clock is set for several samples at once, for that is dear; to another distance each time, or
 * it would keep step with programs whose iterations last as long as a few of them. */
static struct sca_aim aim_steadily(uint64_t period_ns, bool first)
{
    unsigned periods = sca_sampler_rate_periods();
    uint64_t period = period_ns * periods;
    if (first) /* the clock comes into the midst of things */
        return (struct sca_aim){1 + sca_sampler_distance_random() % period, 1, periods};
    return (struct sca_aim){vary(period), STEADILY, periods};
}

/* Beyond what was likely, to the same place in twice as much, again and again. In a segment that is
 * many times as long as usual not for all that it takes: its samples would drown those of all
 * others (trimmed weights: Potter 1990). */
static struct sca_aim aim_beyond(void)
{
    uint64_t distance_ns = mine.beyond ? 2 * mine.likely_ns : mine.likely_ns + mine.offset_ns;
    unsigned doublings = mine.beyond > EVENLY ? mine.beyond - EVENLY : 0;
    mine.beyond++;
    distance_ns <<= doublings < MOST_DOUBLINGS ? doublings : MOST_DOUBLINGS;
    return (struct sca_aim){distance_ns, 1, 2 * mine.periods};
}

static struct sca_aim aim_at_drawn(bool first)
{
    if (!first)
        return aim_beyond();
    mine.offset_ns = sca_sampler_distance_random() % mine.likely_ns;
    return (struct sca_aim){mine.offset_ns + 1, 1, mine.periods};
}

struct sca_aim sca_sampler_segment_aim(uint64_t period_ns, bool first)
{
    return mine.drawn ? aim_at_drawn(first) : aim_steadily(period_ns, first);
}

/* Only for segments that are drawn, which are few. */
static void set_clock(bool on)
{
    uint64_t begin_ns = sca_clock_now();
    mine.run(on);
    mine.clocked = on;
    sca_sampler_spent(begin_ns);
}

/* A program that waits by looking again and again does so most of the time in segments that are
 * over before a clock is set. Where it looks at a few things in turn and then works, the work comes
 * after as many looks each time. */
static bool is_idle(uint64_t mean_ns)
{
    return sca_thread.in_vain > 1 && mean_ns < SCA_IDLE_NS;
}

static void set_timer(bool soon)
{
    uint64_t in_ns = soon ? (uint64_t)LOOK_NS * sca_sampler_rate_periods() : RARELY_NS;
    struct itimerspec at = {.it_value = {0, (long)in_ns}};
    timer_settime(mine.timer, 0, &at, NULL);
}

/* Drawn with the probability that brings one sample in a period, for one sample: though to open the
 * clock and to close it costs as much as one and a half, several in one segment tell hardly more.
 */
static void begin(void)
{
    mine.off = sca_paused;
    if (mine.off) {
        mine.drawn = false;
        return;
    }
    bool steady = !mine.drawn;
    mine.site = (sca_thread.previous * (SCA_MOST_LOOKS + 1) + sca_thread.in_vain) % SITES;
    mine.number++;
    mine.periods = sca_sampler_rate_periods();
    uint32_t mean_ns = mine.mean_ns[mine.site] ? mine.mean_ns[mine.site] : mine.usual_ns;
    mine.likely_ns = vary(mean_ns);
    mine.beyond = 0;
    uint64_t period_ns = mine.period_ns * mine.periods;
    mine.drawn = mine.likely_ns && mine.likely_ns < period_ns;
    bool clocked = !mine.drawn || sca_sampler_distance_random() % period_ns < mine.likely_ns;
    if (clocked && !is_idle(mean_ns))
        set_clock(true);
    if (mine.drawn && steady && mine.timed)
        set_timer(true); /* looks are rare while samples come steadily */
    mine.began_ns = sca_cpu_time_at(sca_clock_now());
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
    uint64_t now_ns = sca_cpu_time_at(sca_clock_now());
    uint64_t length_ns = now_ns > mine.began_ns ? now_ns - mine.began_ns : 0;
    if (mine.clocked)
        set_clock(false);
    if (mine.off)
        return;
    learn(&mine.mean_ns[mine.site], length_ns);
    learn(&mine.usual_ns, length_ns);
}

void sca_sampler_segment_wait(bool waits)
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

void sca_sampler_segment_part(void)
{
    if (!mine.run || !mine.number)
        return;
    mine.busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    end();
    begin();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    mine.busy = false;
}

/* Had it not been drawn, all of it would go without samples. */
static bool is_overlong(void)
{
    uint64_t now_ns = sca_clock_cpu(), most_ns = OVERLONG * mine.likely_ns;
    most_ns = most_ns > FIRM_NS ? most_ns : FIRM_NS;
    return now_ns > mine.began_ns && now_ns - mine.began_ns > most_ns;
}

/* What is much longer than anybody thought is sampled from here on, whether drawn or not. The next
 * ones will be as others are: true if those need looks. */
static bool look(void)
{
    bool drawn = mine.drawn;
    if (!mine.busy && drawn && is_overlong()) {
        mine.drawn = false;
        set_clock(true);
    }
    return drawn;
}

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    (void)ucontext;
    int kept = errno;
    uint64_t begin_ns = sca_clock_now();
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark && mine.timed) {
        set_timer(look());
        sca_sampler_count_signal(begin_ns);
    }
    errno = kept;
}

static bool make_timer(void)
{
    if (!signal_number)
        signal_number = sca_own_signal_take(on_signal);
    return signal_number &&
           sca_sampler_signal_timer(CLOCK_THREAD_CPUTIME_ID, (int)syscall(SYS_gettid),
                                    signal_number, &mark, &mine.timer);
}

void sca_sampler_segment_start(void (*run)(bool on), uint64_t period_ns)
{
    if (!sca_thread_memory_take())
        return;
    mine = (struct segments){.run = run,
                             .period_ns = period_ns,
                             .began_ns = sca_cpu_time_at(sca_clock_now()),
                             .clocked = true,
                             .mean_ns = sca_thread_table(SCA_TABLE_SEGMENTES)};
    mine.timed = make_timer();
    if (mine.timed)
        set_timer(false);
}

void sca_sampler_segment_stop(void)
{
    if (mine.timed)
        timer_delete(mine.timer);
    mine = (struct segments){0};
}
