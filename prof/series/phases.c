#include "series/phases.h"
#include "arena/arena.h"
#include "base/guard.h"
#include "base/hot.h"

#include <string.h>

enum { EARLY = 8 /* begun before MPI_Init */ };

struct open_phase {
    uint32_t hash;     /* of its name */
    uint32_t at;       /* the record that its time counts for, from 1; 0: none */
    uint64_t begin_ns; /* since init_ns */
    bool kept;         /* it has a record of its own */
};

static struct {
    struct sca_part_phase *list;
    uint32_t *count;
    uint64_t init_ns;
    struct open_phase open[SCA_PHASE_DEPTH];
    uint32_t depth, deeper;                  /* deeper: so many more, which nobody follows */
    uint64_t since_ns;                       /* node clock: up to here the interval is shared out */
    uint64_t wall_ns[SCA_SERIES_PHASES + 1]; /* of the interval, by phase; 0: in none */
    uint64_t shared_ns;                      /* sum of these */
    char early[EARLY][SCA_PHASE_NAME];
    uint32_t nearly;
    bool over;
} own;

uint32_t sca_phases_used SCA_HOT;

/* The innermost one, from 1; 0: none. */
static uint32_t innermost(void)
{
    return own.depth ? own.open[own.depth - 1].at : 0;
}

uint32_t sca_phases_of(uint64_t begin_ns, uint64_t end_ns)
{
    uint32_t depth = own.depth;
    while (depth && own.open[depth - 1].begin_ns > begin_ns + (end_ns - begin_ns) / 2)
        depth--;
    return depth ? own.open[depth - 1].at : 0;
}

/* A name of a phase, cut where a character begins. */
static void cut(char out[SCA_PHASE_NAME], const char *name)
{
    size_t n = strnlen(name, SCA_PHASE_NAME);
    if (n == SCA_PHASE_NAME)
        for (n = SCA_PHASE_NAME - 1; n && ((unsigned char)name[n] & 0xc0) == 0x80;)
            n--;
    memcpy(out, name, n);
    out[n] = '\0';
}

static const char *name_of(uint32_t at)
{
    return (const char *)sca_arena_table(SCA_T_STRINGS) + own.list[at - 1].name;
}

static uint32_t add(uint32_t parent, const char *name)
{
    uint32_t n = *own.count;
    uint32_t text = n < SCA_SERIES_PHASES ? sca_arena_string(name) : SCA_NONE;
    if (text == SCA_NONE)
        return 0;
    own.list[n] = (struct sca_part_phase){.name = text, .parent = parent};
    __atomic_store_n(own.count, n + 1, __ATOMIC_RELEASE);
    return n + 1;
}

static uint32_t find(uint32_t parent, const char *name)
{
    for (uint32_t at = 1; at <= *own.count; at++)
        if (own.list[at - 1].parent == parent && !strcmp(name_of(at), name))
            return at;
    return add(parent, name);
}

/* The interval up to now is the innermost phase's. */
static void share_out(uint64_t ns, uint64_t left_ns)
{
    uint64_t since_ns = own.since_ns > left_ns ? own.since_ns : left_ns;
    if (!sca_paused && ns > since_ns) {
        own.wall_ns[innermost()] += ns - since_ns;
        own.shared_ns += ns - since_ns;
    }
    if (ns > own.since_ns)
        own.since_ns = ns;
}

static void enter(const char *name, uint64_t ns)
{
    uint32_t around = innermost(), at = find(around, name);
    uint64_t begin_ns = ns > own.init_ns ? ns - own.init_ns : 0;
    own.open[own.depth++] =
        (struct open_phase){sca_arena_index_hash_text(name), at ? at : around, begin_ns, at != 0};
    if (!at)
        return;
    struct sca_part_phase *p = &own.list[at - 1];
    if (!p->count++)
        p->begin_ns = begin_ns;
    sca_phases_used = 1;
}

static const char *kept_name(uint32_t depth)
{
    const struct open_phase *p = &own.open[depth - 1];
    return p->kept ? name_of(p->at) : NULL;
}

static void remember(const char *name)
{
    if (own.nearly < EARLY && !own.over)
        cut(own.early[own.nearly++], name);
}

void sca_phases_begin(struct sca_part_phase *list, uint32_t *count, uint64_t init_ns)
{
    own.list = list;
    own.count = count;
    own.init_ns = own.since_ns = init_ns;
    for (uint32_t i = 0; list && i < own.nearly; i++)
        enter(own.early[i], init_ns);
    own.nearly = 0;
}

static void leave(uint64_t since_init_ns)
{
    const struct open_phase *last = &own.open[--own.depth];
    if (last->kept && own.list[last->at - 1].end_ns < since_init_ns)
        own.list[last->at - 1].end_ns = since_init_ns;
}

void sca_phases_end(uint64_t ns)
{
    while (own.list && own.depth)
        leave(ns);
    own.list = NULL;
    own.over = true;
    sca_phases_used = 0;
}

const char *sca_phases_enter(const char *name, uint64_t ns, uint64_t left_ns)
{
    char whole[SCA_PHASE_NAME];
    if (!own.list) {
        remember(name);
        return NULL;
    }
    if (own.depth == SCA_PHASE_DEPTH) {
        own.deeper++;
        return NULL;
    }
    cut(whole, name);
    share_out(ns, left_ns);
    enter(whole, ns);
    return kept_name(own.depth);
}

static void forget(const char *name)
{
    char whole[SCA_PHASE_NAME];
    uint32_t i = own.nearly;
    cut(whole, name);
    while (i && strcmp(own.early[i - 1], whole) != 0)
        i--;
    own.nearly = i ? i - 1 : own.nearly;
}

/* How deep the phase lies, from 1; 0: it is not open. */
static uint32_t depth_of(const char *name)
{
    char whole[SCA_PHASE_NAME];
    uint32_t depth = own.depth;
    cut(whole, name);
    uint32_t hash = sca_arena_index_hash_text(whole);
    while (depth && own.open[depth - 1].hash != hash)
        depth--;
    return depth;
}

const char *sca_phases_leave(const char *name, uint64_t ns, uint64_t left_ns)
{
    if (!own.list) {
        forget(name);
        return NULL;
    }
    if (own.deeper) {
        own.deeper--;
        return NULL;
    }
    uint32_t depth = depth_of(name);
    if (!depth)
        return NULL;
    const char *kept = kept_name(depth);
    share_out(ns, left_ns);
    while (own.depth >= depth)
        leave(ns > own.init_ns ? ns - own.init_ns : 0);
    return kept;
}

static void book(uint32_t at, uint64_t compute_ns, uint64_t off_ns, uint64_t wall_ns)
{
    if (!at)
        return;
    struct sca_part_phase *p = &own.list[at - 1];
    p->compute_ns += compute_ns;
    p->off_ns += off_ns;
    p->wall_ns += wall_ns;
}

static uint64_t part_of(uint64_t ns, uint64_t part_ns, uint64_t whole_ns)
{
    return (uint64_t)((double)ns * (double)part_ns / (double)whole_ns);
}

/* Several phases lay in the interval. The tool's own time may be in what was shared out. */
static SCA_COLD void book_parts(uint64_t compute_ns, uint64_t off_ns, uint64_t wall_ns)
{
    uint64_t whole_ns = wall_ns > own.shared_ns ? wall_ns : own.shared_ns;
    own.wall_ns[innermost()] += whole_ns - own.shared_ns;
    for (uint32_t at = 0; at <= *own.count; at++) {
        uint64_t part_ns = own.wall_ns[at];
        own.wall_ns[at] = 0;
        if (part_ns)
            book(at, part_of(compute_ns, part_ns, whole_ns), part_of(off_ns, part_ns, whole_ns),
                 part_of(wall_ns, part_ns, whole_ns));
    }
    own.shared_ns = 0;
}

void sca_phases_call(uint64_t compute_ns, uint64_t off_ns, uint64_t wall_ns, uint64_t mpi_ns)
{
    uint32_t now = innermost();
    if (own.shared_ns)
        book_parts(compute_ns, off_ns, wall_ns);
    else
        book(now, compute_ns, off_ns, wall_ns);
    if (now) {
        own.list[now - 1].mpi_ns += mpi_ns;
        own.list[now - 1].wall_ns += mpi_ns;
    }
}
