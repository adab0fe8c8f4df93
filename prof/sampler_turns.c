#include "sampler_turns.h"
#include "arena.h"
#include "clock.h"
#include "guard.h"
#include "sampler_backend.h"
#include "sampler_rate.h"
#include "settings.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    STRETCH_NS = 4000000, /* a tick at 250 Hz */
    LATE_NS = 2000000,    /* half a tick: so late a timer is on average */
    RARELY_NS = 25000000, /* between looks while the clock is always on */
    FIRST_SHARE = 8,
    SMALLEST_SHARE = 64,
    UNUSUAL_NS = 50000, /* somebody else had the core */
    LEARNT = 16,
    REMEMBERED = 4, /* stretches: single ones cost a multiple of each other */
    PART_OF_BUDGET = 4
};

static int signal_number;
static const char mark; /* its address tells our timers' signals from others */

struct turns {
    void (*run)(enum sca_turn);
    void (*again)(void);
    uint64_t switch_ns;
    timer_t timer;
    bool timed; /* there is a timer */
    volatile bool off, paused, applying;
    volatile enum sca_turn turn; /* as the clock was told last */
    unsigned share, next_share;
    uint64_t began_ns;        /* this stretch, by the thread's CPU clock */
    unsigned waits;           /* before it */
    uint64_t cost_ns, ran_ns; /* of the stretches so far, the earlier the less */
};
static _Thread_local struct turns mine
    __attribute__((tls_model("initial-exec"))) = {.share = 1, .next_share = 1};

/* From a handler, too, which may come while all of this is set anew. */
unsigned sca_turns_share(void)
{
    unsigned share = mine.share;
    return share ? share : 1;
}

static enum sca_turn wanted(void)
{
    if (mine.off)
        return SCA_TURN_OFF;
    return mine.paused ? SCA_TURN_WAIT : SCA_TURN_ON;
}

/* What a switch costs depends on which timers the kernel has: learnt from our own. */
static void learn(uint64_t took_ns)
{
    if (took_ns < UNUSUAL_NS)
        mine.switch_ns += (2 * took_ns) / LEARNT - mine.switch_ns / LEARNT;
}

/* A turn may come in the midst of it: it is then carried out by what it interrupted. */
static void apply(void)
{
    while (!mine.applying && mine.turn != wanted()) {
        bool brief = mine.turn != SCA_TURN_OFF && wanted() != SCA_TURN_OFF;
        uint64_t begin_ns = sca_clock_now();
        mine.applying = true;
        mine.turn = wanted();
        mine.run(mine.turn);
        mine.applying = false;
        if (brief)
            learn(sca_clock_now() - begin_ns);
    }
}

static void begin_stretch(uint64_t now_ns, uint64_t length_ns)
{
    uint64_t length = sca_sampler_distance(length_ns);
    struct itimerspec at = {.it_value = {0, (long)(length < 999999999u ? length : 999999999u)}};
    timer_settime(mine.timer, 0, &at, NULL);
    mine.began_ns = now_ns;
    mine.waits = sca_thread.clocked_waits;
}

/* Step by step: so that short runs have samples, and as one stretch may fall between the waits. */
static unsigned within_a_step(double share)
{
    unsigned least = mine.share / 2, most = 2 * mine.share;
    if (most < FIRST_SHARE)
        most = FIRST_SHARE;
    if (most > SMALLEST_SHARE)
        most = SMALLEST_SHARE;
    if (share < 2)
        share = 1;
    return share < least ? least : share > most ? most : (unsigned)share;
}

/* What the clock cost in the stretch that ends, all of it ours; and what part of the time it may
 * run at the price of the last few, within a part of the budget that goes down with the rate. */
static unsigned affordable_share(uint64_t now_ns)
{
    uint64_t cost = (sca_thread.clocked_waits - mine.waits) * mine.switch_ns;
    mine.cost_ns += cost - mine.cost_ns / REMEMBERED;
    mine.ran_ns += now_ns - mine.began_ns + 1 - mine.ran_ns / REMEMBERED;
    double part = (double)mine.cost_ns / (double)mine.ran_ns;
    __atomic_fetch_add(&sca_arena_header()->tool_ns, cost, __ATOMIC_RELAXED);
    double rarity = sca_rate_periods();
    double most = sca_settings.budget / 100 / (PART_OF_BUDGET * rarity * rarity);
    return within_a_step(part / most);
}

/* Timers are late: so much longer than the clock has really run. */
static void turn_off(uint64_t now_ns)
{
    uint64_t ran_ns = now_ns - mine.began_ns;
    if (ran_ns <= LATE_NS)
        ran_ns = STRETCH_NS;
    mine.off = true;
    begin_stretch(now_ns, ran_ns * (mine.share - 1) - LATE_NS);
}

static void turn_on(uint64_t now_ns)
{
    mine.off = false;
    begin_stretch(now_ns, mine.share > 1 ? STRETCH_NS : RARELY_NS);
}

/* A stretch stands for the one without samples after it: only then comes another share. */
static void turn(void)
{
    uint64_t now_ns = sca_clock_cpu();
    unsigned before = mine.share;
    if (!mine.off)
        mine.next_share = affordable_share(now_ns);
    if (!mine.off && mine.share > 1) {
        turn_off(now_ns);
    } else {
        mine.share = mine.next_share;
        turn_on(now_ns);
    }
    if (mine.share != before)
        mine.again();
    apply();
}

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    (void)ucontext;
    int kept = errno;
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark && mine.timed)
        turn();
    errno = kept;
}

static bool make_timer(void)
{
    if (!signal_number)
        signal_number = sca_signal_take(on_signal);
    return signal_number && sca_signal_timer(CLOCK_THREAD_CPUTIME_ID, (int)syscall(SYS_gettid),
                                             signal_number, &mark, &mine.timer);
}

void sca_turns_start(void (*run)(enum sca_turn), void (*again)(void), uint64_t switch_ns)
{
    mine = (struct turns){.run = run, .again = again, .switch_ns = switch_ns, .share = 1};
    apply();
    if (!make_timer())
        return;
    mine.timed = true;
    begin_stretch(sca_clock_cpu(), STRETCH_NS);
}

void sca_turns_stop(void)
{
    if (mine.timed)
        timer_delete(mine.timer);
    mine = (struct turns){.share = 1};
}

void sca_turns_pause(bool paused)
{
    if (!mine.run)
        return;
    mine.paused = paused;
    apply();
}
