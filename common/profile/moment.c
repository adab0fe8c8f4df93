#include "profile/moment.h"
#include "profile/alive.h"
#include "profile/polls.h"
#include "sca_error.h"

#include <string.h>

enum { TRIES = 100 };

/* The same turn and detail before and after: what was read in between belongs to it. */
static bool read_once(const struct sca_part_present *live, struct sca_part_present *out)
{
    uint64_t turn = __atomic_load_n(&live->turn, __ATOMIC_ACQUIRE);
    uint64_t detail = __atomic_load_n(&live->detail, __ATOMIC_ACQUIRE);
    memcpy(out, live, sizeof *out);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    out->turn = turn;
    out->detail = detail;
    return __atomic_load_n(&live->turn, __ATOMIC_RELAXED) == turn &&
           __atomic_load_n(&live->detail, __ATOMIC_RELAXED) == detail;
}

static void read_present(const struct sca_part_present *live, struct sca_part_present *out)
{
    for (int i = 0; i < TRIES; i++)
        if (read_once(live, out))
            return;
    out->turn &= ~(uint64_t)1; /* busy: between two calls */
    out->left = SCA_NONE;
    out->exit_ns = UINT64_MAX;
}

/* The records first: counts only rise. */
void sca_moment_read_header(const struct sca_part_header *live, size_t size,
                            struct sca_part_header *out)
{
    struct sca_part_present present[SCA_PRESENT_THREADS];
    for (int i = 0; i < SCA_PRESENT_THREADS; i++)
        read_present(&live->present[i], &present[i]);
    uint32_t sampled = live->sampled;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    memcpy(out, live, size < sizeof *out ? size : sizeof *out);
    memcpy(out->present, present, sizeof present);
    out->sampled = sampled;
}

static uint32_t mapped(const uint32_t *map, uint32_t index, uint32_t count)
{
    return index < count ? map[index] : SCA_NONE;
}

static void copy_awaited(const struct sca_part_present *p, const struct sca_moment_maps *maps,
                         uint32_t ncomms, struct sca_activity *out)
{
    out->any = p->nawaited & SCA_PRESENT_ANY;
    out->polls = p->nawaited & SCA_PRESENT_POLLS;
    out->nawaited = p->nawaited & ~(SCA_PRESENT_ANY | SCA_PRESENT_POLLS);
    out->nknown = out->nawaited < SCA_PRESENT_AWAITED ? out->nawaited : SCA_PRESENT_AWAITED;
    for (uint32_t i = 0; i < out->nknown; i++) {
        out->awaited[i] = p->awaited[i];
        out->awaited[i].comm = mapped(maps->comm, p->awaited[i].comm, ncomms);
    }
}

static void fill(const struct sca_part_present *read, const struct sca_tables *t,
                 const struct sca_moment_maps *maps, uint64_t now_ns, struct sca_activity *out)
{
    const struct sca_part_directory *table = t->header.table;
    struct sca_part_present settled = *read, *p = &settled;
    sca_polls_settle(p, now_ns);
    *out = (struct sca_activity){.thread = p->thread, .inside = p->turn & 1};
    out->site = mapped(maps->site, out->inside ? p->site : p->left, table[SCA_T_SITES].count);
    out->since_ns = out->inside ? p->enter_ns : p->exit_ns;
    if (out->inside && p->detail == p->turn)
        copy_awaited(p, maps, table[SCA_T_COMMS].count, out);
    if (!out->inside && p->detail == (p->turn | SCA_PRESENT_LOCK)) {
        out->in_lock = true;
        out->lock = p->lock;
        out->lock.site = mapped(maps->site, p->lock.site, table[SCA_T_SITES].count);
        out->lock.held = mapped(maps->site, p->lock.held, table[SCA_T_SITES].count);
    }
}

static void latest(uint64_t *last, uint64_t ns)
{
    if (ns != UINT64_MAX && ns > *last)
        *last = ns;
}

static void note_signs(const struct sca_part_header *h, struct sca_moment *m)
{
    latest(&m->last_ns, h->last_ns);
    latest(&m->last_ns, h->seen_ns);
    for (int i = 0; i < SCA_PRESENT_THREADS; i++) {
        latest(&m->last_ns, h->present[i].enter_ns);
        latest(&m->last_ns, h->present[i].exit_ns);
    }
}

/* Busy ones have a since that is now. */
static void settle(struct sca_moment *m)
{
    for (uint32_t i = 0; i < m->nactivities; i++)
        if (m->activities[i].since_ns == UINT64_MAX)
            m->activities[i].since_ns = m->now_ns ? m->now_ns : m->last_ns;
}

int sca_moment_make(struct sca_region *region, const struct sca_tables *t,
                    const struct sca_moment_maps *maps, struct sca_moment **out)
{
    const struct sca_part_header *h = &t->header;
    const struct sca_part_sample *samples = t->record[SCA_T_SAMPLES];
    *out = NULL;
    if (!h->process)
        return SCA_OK;
    struct sca_moment *m = sca_region_alloc(region, sizeof *m);
    struct sca_activity *all = sca_region_array(region, SCA_PRESENT_THREADS, sizeof *all);
    if (!m || !all)
        return sca_fail(SCA_ENOMEM, "out of memory");
    *m = (struct sca_moment){.state = h->state, .sampled = SCA_NONE, .activities = all};
    if (h->state != SCA_SNAPSHOT)
        m->alive = sca_alive_look(h, &m->now_ns);
    note_signs(h, m);
    uint64_t now_ns = m->alive == SCA_ALIVE ? m->now_ns : m->last_ns;
    for (int i = 0; i < SCA_PRESENT_THREADS; i++)
        if (h->present[i].thread)
            fill(&h->present[i], t, maps, now_ns, &all[m->nactivities++]);
    if (h->sampled_ns && h->sampled < h->table[SCA_T_SAMPLES].count) {
        m->sampled = mapped(maps->node, samples[h->sampled].node, h->table[SCA_T_NODES].count);
        m->sampled_ns = h->sampled_ns;
    }
    for (uint32_t i = 0; m->alive == SCA_ALIVE && i < m->nactivities; i++)
        all[i].state = sca_alive_thread_state(h->process, all[i].thread);
    settle(m);
    *out = m;
    return SCA_OK;
}
