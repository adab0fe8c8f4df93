#include "threads/inner_team.h"
#include "base/guard.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"

#include <stddef.h>

static _Thread_local struct {
    struct sca_team_region *of; /* the region that it is in, */
    int deeper;                 /* and regions inside that one */
    bool forked;                /* this thread did */
    unsigned phase;
    uint64_t cpu_ns, spun_ns, locked_ns; /* its clock and sca_thread's as its part of it began */
} me __attribute__((tls_model("initial-exec")));

static uint64_t beyond(uint64_t ns, uint64_t part_ns)
{
    return ns > part_ns ? ns - part_ns : 0;
}

static void raise_to(uint64_t *most, uint64_t ns)
{
    uint64_t most_ns = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (ns > most_ns && !__atomic_compare_exchange_n(most, &most_ns, ns, false, __ATOMIC_RELEASE,
                                                        __ATOMIC_RELAXED))
        ;
}

static void begin_phase(void)
{
    me.cpu_ns = sca_cpu_time_at(sca_clock_now());
    me.spun_ns = sca_thread.spun_ns;
    me.locked_ns = sca_thread.locked_ns;
}

static void end_phase(void)
{
    struct sca_inner_phase *phase = &me.of->phases[me.phase % 2];
    uint64_t spun_ns = sca_thread.spun_ns - me.spun_ns;
    uint64_t ns = beyond(sca_cpu_time_at(sca_clock_now()), me.cpu_ns + spun_ns);
    raise_to(&phase->busiest_ns, ns + sca_thread.locked_ns - me.locked_ns);
    raise_to(&phase->most_ns, ns);
    __atomic_fetch_add(&phase->all_ns, ns, __ATOMIC_RELAXED);
}

static void add(struct sca_inner_phase *to, const struct sca_inner_phase *phase)
{
    to->busiest_ns += phase->busiest_ns;
    to->most_ns += phase->most_ns;
    to->all_ns += phase->all_ns;
}

void sca_inner_team_begin(struct sca_team_region *region, bool forked)
{
    me.of = region;
    me.deeper = 0;
    me.forked = forked;
    me.phase = 0;
    if (region)
        begin_phase();
}

void sca_inner_team_deepen(void)
{
    me.deeper++;
}

void sca_inner_team_end(void)
{
    if (me.deeper) {
        me.deeper--;
        return;
    }
    end_phase();
    __atomic_fetch_add(&me.of->threads, 1, __ATOMIC_RELAXED);
    me.of = NULL;
}

bool sca_inner_team_is_in(void)
{
    return me.of != NULL;
}

bool sca_inner_team_arrive(void)
{
    if (!me.of || me.deeper)
        return false;
    end_phase();
    return true;
}

/* All have come, and none comes to the phase after the next before the one that forked the region
 * is at the barrier between. */
void sca_inner_team_depart(void)
{
    struct sca_inner_phase *phase = &me.of->phases[me.phase++ % 2];
    if (me.forked) {
        add(&me.of->before, phase);
        *phase = (struct sca_inner_phase){0};
    }
    begin_phase();
}

void sca_inner_team_note_piece(void)
{
    if (me.of)
        __atomic_store_n(&me.of->has_pieces, true, __ATOMIC_RELAXED);
}

struct sca_inner_phase sca_inner_team_times(const struct sca_team_region *region)
{
    struct sca_inner_phase sum = region->before;
    add(&sum, &region->phases[0]);
    add(&sum, &region->phases[1]);
    return sum;
}
