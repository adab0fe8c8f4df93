#include "series/series.h"
#include "arena/arena.h"
#include "base/hot.h"
#include "base/settings.h"
#include "clock/clock.h"
#include "clock/cpu_time.h"
#include "sampling/interval.h"
#include "sampling/sampler.h"
#include "series/interval_share.h"
#include "series/series_table.h"

#include <stddef.h>
#include <sys/resource.h>

enum {
    MOST_OPEN = SCA_INTERVAL_MOMENTS,
    MEMORY_NS = 20000000, /* how often the memory is asked for at most: it takes 0.5 us */
    READINGS = 2048,      /* of counters, */
    PER_READING = 4       /* and one for so many iterations: loops may alternate forever */
};

struct sca_series_now sca_series_now SCA_HOT;

static struct {
    struct sca_series_table table[SCA_SERIES_SOURCES];
    struct open { /* a mark within the interval that has not ended */
        struct sca_part_mark *mark;
        uint64_t part_ns; /* from the interval's beginning; */
        uint64_t cpu_ns;  /* CPU time, if that of the beginning is known */
    } open[MOST_OPEN];
    uint64_t latest_ns; /* mark */
    uint64_t asked_ns;  /* for the memory, */
    uint32_t memory_kb; /* which was this */
    struct sca_mark_events now;
    uint64_t iterations, readings; /* of all sources */
} own;

/* Without counters nobody touches them, and they take no memory. */
static struct sca_mark_events events[SCA_SERIES_SOURCES][SCA_SERIES_MARKS];

const struct sca_mark_events *sca_series_counted(enum sca_series_source source)
{
    return own.table[source].events;
}

const struct sca_mark_events *sca_series_events(void)
{
    own.now.read = *sca_settings.events && sca_sampler_read_counters(own.now.total);
    return own.now.read ? &own.now : NULL;
}

static uint32_t memory_kb(uint64_t ns)
{
    struct rusage usage;
    if (ns - own.asked_ns >= MEMORY_NS || !own.memory_kb) {
        own.asked_ns = ns;
        if (!getrusage(RUSAGE_SELF, &usage))
            own.memory_kb = (uint32_t)usage.ru_maxrss;
    }
    return own.memory_kb;
}

void sca_series_begin(void)
{
    struct sca_part_series *all = &sca_arena_header()->series;
    struct sca_part_mark *marks = sca_settings.series ? sca_arena_series() : NULL;
    if (!marks)
        return;
    for (int i = 0; i < SCA_SERIES_SOURCES; i++)
        sca_series_table_begin(&own.table[i], marks + (size_t)i * SCA_SERIES_MARKS,
                               *sca_settings.events ? events[i] : NULL, &all->count[i],
                               SCA_SERIES_MARKS);
    sca_series_now =
        (struct sca_series_now){.owner = &sca_thread, .left_ns = sca_arena_header()->init_ns};
    memory_kb(sca_arena_header()->init_ns);
    sca_phases_begin(sca_arena_phases(), &all->nphases, sca_arena_header()->init_ns);
}

void sca_series_end(void)
{
    for (int i = 0; sca_series_now.owner && i < SCA_SERIES_SOURCES; i++)
        sca_series_table_end(&own.table[i]);
    if (sca_series_now.owner)
        sca_phases_end(sca_clock_now() - sca_arena_header()->init_ns);
    sca_series_now.owner = NULL;
}

/* Totals never fall, whatever the clock does. */
static struct sca_part_mark mark_of(enum sca_series_source source, const struct sca_series_now *now,
                                    uint32_t number, uint64_t ns)
{
    uint64_t since_ns = ns - sca_arena_header()->init_ns;
    if (ns < sca_arena_header()->init_ns || since_ns < own.latest_ns)
        since_ns = own.latest_ns;
    own.latest_ns = since_ns;
    return (struct sca_part_mark){
        .end_ns = since_ns,
        .compute_ns = now->compute_ns,
        .mpi_ns = now->mpi_ns,
        .off_ns = now->off_ns,
        .kind = now->kind,
        .number = number,
        .site = now->site,
        .memory_kb = own.memory_kb,
        .phase =
            sca_phases_used ? (uint8_t)sca_phases_of(own.table[source].last.end_ns, since_ns) : 0};
}

struct sca_part_mark sca_series_mark(uint32_t number, uint64_t ns)
{
    return mark_of(SCA_SERIES_MARKER, &sca_series_now, number, ns);
}

static struct sca_part_mark *kept(struct sca_series_table *table, uint32_t number)
{
    struct sca_part_mark *last = &table->marks[*table->count - 1];
    return *table->count && last->number == number ? last : NULL;
}

/* A call path is known to have come again when its first call begins, which is later than the mark:
 * what was computed in between is of the next iteration. */
static const struct sca_mark_events *events_of(enum sca_series_source source, uint64_t loop,
                                               uint32_t number)
{
    if (!own.table[source].events || source == SCA_SERIES_PATH)
        return NULL;
    bool reads = own.readings < READINGS + own.iterations++ / PER_READING &&
                 sca_series_table_keeps(&own.table[source], loop, number);
    own.readings += reads;
    return reads ? sca_series_events() : NULL;
}

static struct sca_part_mark *add(enum sca_series_source source, uint64_t loop,
                                 const struct sca_part_mark *mark)
{
    struct sca_series_table *table = &own.table[source];
    if (!sca_series_table_add(table, loop, mark, events_of(source, loop, mark->number)))
        return NULL;
    struct sca_part_mark *at = kept(table, mark->number);
    if (at)
        at->memory_kb = memory_kb(sca_arena_header()->init_ns + mark->end_ns);
    return at;
}

void sca_series_round(enum sca_series_source source, uint64_t loop, uint32_t number)
{
    if (sca_series_now.owner != &sca_thread || sca_paused)
        return;
    const struct sca_part_mark mark =
        mark_of(source, &sca_series_now, number, sca_series_now.left_ns);
    add(source, loop, &mark);
}

struct sca_part_mark sca_series_before(enum sca_series_source source,
                                       const struct sca_series_call *last)
{
    struct sca_series_now then = sca_series_now;
    then.compute_ns -= last->compute_ns;
    then.off_ns -= last->off_ns;
    then.mpi_ns -= last->mpi_ns;
    then.kind -= sca_hash_mix(0, last->site);
    then.site = last->before;
    return mark_of(source, &then, 0, last->left_ns);
}

void sca_series_round_at(enum sca_series_source source, uint64_t loop,
                         const struct sca_part_mark *mark)
{
    if (sca_series_is_on())
        add(source, loop, mark);
}

void sca_series_drop_within(enum sca_series_source source, bool (*is_within)(uint64_t loop))
{
    if (sca_series_now.owner == &sca_thread && !sca_paused)
        sca_series_table_drop_within(&own.table[source], is_within);
}

/* Since the interval began. */
static uint64_t cpu_until(uint64_t ns)
{
    uint64_t began_ns, began_cpu_ns;
    sca_interval_begun(&began_ns, &began_cpu_ns);
    uint64_t cpu_ns = began_cpu_ns ? sca_cpu_time_at(ns) : 0;
    return cpu_ns > began_cpu_ns ? cpu_ns - began_cpu_ns : 0;
}

/* A mark that is written anew in one interval is one mark. */
void sca_series_open(struct sca_part_mark *mark)
{
    struct sca_series_now *now = &sca_series_now;
    uint64_t ns = sca_arena_header()->init_ns + mark->end_ns;
    uint32_t i = 0;
    while (i < now->nopen && own.open[i].mark != mark)
        i++;
    if (i == MOST_OPEN)
        return;
    own.open[i] = (struct open){mark, ns > now->left_ns ? ns - now->left_ns : 0, cpu_until(ns)};
    now->nopen += i == now->nopen;
}

bool sca_series_is_on(void)
{
    return sca_series_now.owner == &sca_thread && !sca_paused;
}

void sca_series_start(uint64_t loop, const struct sca_part_mark *first,
                      const struct sca_mark_events *counted, uint32_t n)
{
    struct sca_series_table *table = &own.table[SCA_SERIES_MARKER];
    sca_series_table_drop_since(table, first->end_ns);
    for (uint32_t i = 0; i < n; i++)
        sca_series_table_add(table, loop, &first[i], counted[i].read ? &counted[i] : NULL);
}

void sca_series_holds(uint64_t loop)
{
    sca_series_table_hold(&own.table[SCA_SERIES_MARKER], loop);
}

/* The end of the last iteration matters where it is not kept. */
void sca_series_marker(uint64_t loop, const struct sca_part_mark *mark)
{
    struct sca_part_mark *at = add(SCA_SERIES_MARKER, loop, mark);
    sca_series_open(at ? at : &own.table[SCA_SERIES_MARKER].last);
}

static void guess_parts(uint64_t wall_ns, uint64_t busy_ns, struct sca_interval_parts *parts)
{
    uint64_t part_ns[MOST_OPEN];
    double share[MOST_OPEN];
    uint32_t n = sca_series_now.nopen;
    for (uint32_t i = 0; i < n; i++)
        part_ns[i] = own.open[i].part_ns;
    sca_interval_shares(part_ns, n, wall_ns, busy_ns, share);
    for (uint32_t i = 0; i < n; i++)
        parts[i] = (struct sca_interval_parts){share[i], share[i]};
}

/* What other threads computed meanwhile is in no clock of this one. */
static void find_parts(uint64_t wall_ns, uint64_t compute_ns, uint64_t off_ns,
                       struct sca_interval_parts *parts)
{
    uint64_t cpu_ns = sca_interval_cpu_ns();
    if (!cpu_ns || compute_ns > cpu_ns) {
        guess_parts(wall_ns, compute_ns + off_ns, parts);
        return;
    }
    for (uint32_t i = 0; i < sca_series_now.nopen; i++)
        parts[i] = sca_interval_parts(own.open[i].part_ns, own.open[i].cpu_ns, wall_ns, cpu_ns);
}

/* What the thread alone computed, without leaving its core by its own will, is what its clock says:
 * nothing to divide, which most intervals of loops are. */
static bool takes_parts(uint64_t compute_ns, uint64_t off_ns)
{
    if (off_ns || compute_ns != sca_interval_cpu_ns())
        return false;
    for (uint32_t i = 0; i < sca_series_now.nopen; i++) {
        const struct open *at = &own.open[i];
        at->mark->compute_ns += at->cpu_ns < compute_ns ? at->cpu_ns : compute_ns;
    }
    return true;
}

static void divide(uint64_t wall_ns, uint64_t compute_ns, uint64_t off_ns)
{
    struct sca_interval_parts parts[MOST_OPEN];
    find_parts(wall_ns, compute_ns, off_ns, parts);
    for (uint32_t i = 0; i < sca_series_now.nopen; i++) {
        own.open[i].mark->compute_ns += (uint64_t)(parts[i].computed * (double)compute_ns);
        own.open[i].mark->off_ns += (uint64_t)(parts[i].off * (double)off_ns);
    }
}

SCA_COLD void sca_series_share(uint64_t wall_ns, uint64_t compute_ns, uint64_t off_ns)
{
    if (!takes_parts(compute_ns, off_ns))
        divide(wall_ns, compute_ns, off_ns);
    sca_series_now.nopen = 0;
}
