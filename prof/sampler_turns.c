#include "sampler_turns.h"
#include "arena.h"
#include "clock.h"
#include "guard.h"
#include "sampler_backend.h"
#include "settings.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    STRETCH_NS = 12000000, /* three ticks at 250 Hz */
    RARELY_NS = 25000000,  /* between looks while the clock is always on */
    SMALLEST_SHARE = 8
};

static int signal_number;
static const char mark; /* its address tells our timers' signals from others */

struct turns {
    void (*run)(bool on);
    void (*again)(void);
    uint64_t switch_ns;
    timer_t timer;
    bool timed; /* there is a timer */
    volatile bool off, paused, running;
    unsigned share;
    uint64_t began_ns; /* this stretch, by the thread's CPU clock */
    unsigned yields;   /* at its beginning */
};
static _Thread_local struct turns mine __attribute__((tls_model("initial-exec"))) = {.share = 1};

unsigned sca_turns_share(void)
{
    return mine.share;
}

static bool should_run(void)
{
    return !mine.off && !mine.paused;
}

/* A turn may come between the look and the switch: looked at again. */
static void apply(void)
{
    while (mine.running != should_run()) {
        mine.running = should_run();
        mine.run(mine.running);
    }
}

static void begin_stretch(uint64_t now_ns, uint64_t length_ns)
{
    uint64_t length = sca_sampler_distance(length_ns);
    struct itimerspec at = {.it_value = {0, (long)(length < 999999999u ? length : 999999999u)}};
    timer_settime(mine.timer, 0, &at, NULL);
    mine.began_ns = now_ns;
    mine.yields = sca_thread.clocked_yields;
}

/* What the clock cost in the stretch that ends, all of it ours; and what part of the time it may
 * run at that price, within half of the budget. */
static unsigned affordable_share(uint64_t now_ns)
{
    uint64_t cost = (sca_thread.clocked_yields - mine.yields) * mine.switch_ns;
    double part = (double)cost / (double)(now_ns - mine.began_ns + 1);
    double share = part / (sca_settings.budget / 200);
    __atomic_fetch_add(&sca_arena_header()->tool_ns, cost, __ATOMIC_RELAXED);
    return share < 2 ? 1 : share > SMALLEST_SHARE ? SMALLEST_SHARE : (unsigned)share;
}

static void turn_off(uint64_t now_ns)
{
    mine.off = true;
    begin_stretch(now_ns, (uint64_t)STRETCH_NS * (mine.share - 1));
}

static void turn_on(uint64_t now_ns)
{
    mine.off = false;
    begin_stretch(now_ns, mine.share > 1 ? STRETCH_NS : RARELY_NS);
}

static void turn(void)
{
    uint64_t now_ns = sca_clock_cpu();
    unsigned before = mine.share;
    if (!mine.off)
        mine.share = affordable_share(now_ns);
    if (mine.off || mine.share == 1)
        turn_on(now_ns);
    else
        turn_off(now_ns);
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

void sca_turns_start(void (*run)(bool on), void (*again)(void), uint64_t switch_ns)
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
