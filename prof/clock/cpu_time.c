#include "clock/cpu_time.h"
#include "clock/clock.h"
#include "clock/stint.h"

enum {
    DRIFT_NS = 50000000, /* clocks run apart by some 100 ppm: what is added up stays true to 5 us */
    FIRST_COST_NS = 1000, /* of a switch by sched_yield, before one was measured */
    MOST_COST_NS = 20000,
    GENTLY = 8,         /* so slowly a row's mean moves what a switch is taken to cost */
    BEARABLE_NS = 5000, /* an error of a row; rows get longer and shorter so that most are within */
    FEW_YIELDS = 4,
    MOST_YIELDS = 64
};

static _Thread_local struct {
    uint64_t wall_ns, cpu_ns; /* one moment by both clocks; 0: none yet */
    uint64_t read_ns;         /* when the CPU clock was last read */
    uint64_t yield_ns;        /* when the yield began that is followed; 0: none */
    unsigned yields, most;    /* switches followed since, and how many may be */
    uint32_t cost_ns;         /* CPU time of one */
} state __attribute__((tls_model("initial-exec"), aligned(64))); /* a line */

static uint64_t age(uint64_t now_ns)
{
    return now_ns > state.wall_ns ? now_ns - state.wall_ns : 0;
}

static bool kept_the_core(uint64_t now_ns)
{
    if (!state.wall_ns)
        return false;
    return age(now_ns) < SCA_CPU_TIME_SHORT_NS ||
           (now_ns - state.read_ns < DRIFT_NS && sca_stint_lasts());
}

bool sca_cpu_time_is_free(uint64_t now_ns)
{
    return kept_the_core(now_ns) && state.yields <= state.most;
}

/* What the guesses of a row were off by: all its switches alike, for all that is known. */
static void learn(int64_t error_ns)
{
    int64_t cost_ns = (int64_t)state.cost_ns + error_ns / (int64_t)state.yields / GENTLY;
    state.cost_ns = (uint32_t)(cost_ns < 0 ? 0 : cost_ns > MOST_COST_NS ? MOST_COST_NS : cost_ns);
    if (error_ns < BEARABLE_NS && -error_ns < BEARABLE_NS)
        state.most += state.most < MOST_YIELDS;
    else
        state.most -= state.most / 4;
}

/* A reading that came late, because others had the core, counts from when it was made. */
static void read_clock(uint64_t now_ns)
{
    bool followed = state.yields && sca_stint_lasts();
    sca_stint_begin();
    uint64_t cpu_ns = sca_clock_cpu(), read_ns = sca_clock_now();
    if (!state.most) {
        state.most = FEW_YIELDS;
        state.cost_ns = FIRST_COST_NS;
    }
    if (followed)
        learn((int64_t)(cpu_ns - state.cpu_ns - age(now_ns)));
    state.read_ns = read_ns - now_ns < SCA_CPU_TIME_SHORT_NS ? now_ns : read_ns;
    state.wall_ns = state.read_ns;
    state.cpu_ns = cpu_ns;
    state.yields = 0;
}

uint64_t sca_cpu_time_at(uint64_t now_ns)
{
    if (!sca_cpu_time_is_free(now_ns))
        read_clock(now_ns);
    return state.cpu_ns + age(now_ns);
}

uint64_t sca_cpu_time_known(void)
{
    return state.cpu_ns;
}

uint64_t sca_cpu_time_age(uint64_t now_ns)
{
    return age(now_ns);
}

/* The time first: a switch between the two then shows. */
void sca_cpu_time_yields(void)
{
    uint64_t now_ns = sca_clock_now();
    bool known = state.wall_ns && state.yields <= state.most && now_ns - state.read_ns < DRIFT_NS &&
                 sca_stint_lasts();
    state.yield_ns = known ? now_ns : 0;
}

void sca_cpu_time_yielded(void)
{
    if (!state.yield_ns || sca_stint_lasts())
        return;
    sca_stint_begin();
    state.cpu_ns += age(state.yield_ns) + state.cost_ns;
    state.wall_ns = sca_clock_now();
    state.yields++;
}
