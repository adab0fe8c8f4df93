/*
 * Pieces in the order in which they were taken, each by the thread that is free. A task begins once
 * all that it depends on is done: the tasks before it that wrote what it reads, or used what it
 * writes (OpenMP 5.2, chapter 15.9.5). Tasks that read the same object follow the same one, and the
 * next that writes follows all of them. The longest path over such dependences is the chain.
 */
#include "threads/pieces.h"

#include <stdbool.h>
#include <stddef.h>

enum { ADDRESSES = 4096, FULL = ADDRESSES / 4 * 3, SITES = 8 };

/* When something is done, and how long the path is that leads to it, whose last piece it is. */
struct end {
    uint64_t at_ns, path_ns;
    uint32_t piece; /* from 1; 0: none */
};

static struct used_object {
    const void *on;
    uint64_t schedule; /* in which it was seen */
    enum sca_depend_kind kind;
    struct end before, last; /* of tasks that used it before those of this kind; and of these */
} objects[ADDRESSES];

static struct {
    uint64_t number;
    unsigned nobjects;
    struct end task[SCA_TASKS + 1];  /* that has begun: its last piece */
    uint32_t before[SCA_PIECES + 1]; /* on the path to a piece, from 1 */
    uint32_t of[SCA_PIECES];         /* the task of each piece, 0: none */
} schedule;

static struct end later(struct end a, const struct end *b)
{
    a.at_ns = b->at_ns > a.at_ns ? b->at_ns : a.at_ns;
    a.piece = b->path_ns > a.path_ns ? b->piece : a.piece;
    a.path_ns = b->path_ns > a.path_ns ? b->path_ns : a.path_ns;
    return a;
}

/* NULL: nothing has used it, or there is no room for more. */
static struct used_object *find(const void *on, bool add)
{
    uint64_t at = (uint64_t)(uintptr_t)on * 0x9e3779b97f4a7c15u >> 32;
    struct used_object *o;
    while (o = &objects[at++ % ADDRESSES], o->schedule == schedule.number)
        if (o->on == on)
            return o;
    if (!add || schedule.nobjects == FULL)
        return NULL;
    schedule.nobjects++;
    *o = (struct used_object){.on = on, .schedule = schedule.number, .kind = SCA_DEPEND_OUT};
    return o;
}

static bool joins(const struct used_object *o, const struct sca_depend *d)
{
    return d->kind != SCA_DEPEND_OUT && d->kind == o->kind;
}

static struct end ready_for(const struct sca_pieces *p, uint32_t number)
{
    struct end ready = schedule.task[number];
    const struct sca_piece_task *task = &p->tasks[number - 1];
    for (uint32_t i = task->first; i < task->first + task->n; i++) {
        const struct used_object *o = find(p->depends[i].on, false);
        if (o)
            ready = later(ready, joins(o, &p->depends[i]) ? &o->before : &o->last);
    }
    return ready;
}

static void note_end(const struct sca_pieces *p, uint32_t number, const struct end *end)
{
    const struct sca_piece_task *task = &p->tasks[number - 1];
    schedule.task[number] = *end;
    for (uint32_t i = task->first; i < task->first + task->n; i++) {
        const struct sca_depend *d = &p->depends[i];
        struct used_object *o = find(d->on, true);
        if (!o)
            continue;
        if (!joins(o, d)) {
            o->before = o->last;
            o->kind = d->kind;
        }
        o->last = later(o->last, end);
    }
}

/* Who is free when the piece may begin, and was busy longest; else who is free first. */
static unsigned thread_for(const uint64_t *busy_ns, unsigned size, uint64_t ready_ns)
{
    unsigned best = 0;
    for (unsigned i = 1; i < size; i++) {
        bool free = busy_ns[i] <= ready_ns, best_free = busy_ns[best] <= ready_ns;
        if (free && best_free ? busy_ns[i] > busy_ns[best] : busy_ns[i] < busy_ns[best])
            best = i;
    }
    return best;
}

/* Returns the end of the path to it. */
static struct end run(const struct sca_pieces *p, uint32_t k, uint64_t *busy_ns, unsigned size)
{
    struct end ready = {0}, end;
    uint32_t task = schedule.of[k];
    if (task)
        ready = ready_for(p, task);
    uint64_t *busy = &busy_ns[thread_for(busy_ns, size, ready.at_ns)];
    *busy = (ready.at_ns > *busy ? ready.at_ns : *busy) + p->ns[k];
    end = (struct end){*busy, ready.path_ns + p->ns[k], k + 1};
    schedule.before[k + 1] = ready.piece;
    if (task)
        note_end(p, task, &end);
    return task ? end : (struct end){0};
}

/* Where most of it was made. Sites beyond the eighth have less than that. */
static uint32_t site_of(const struct sca_pieces *p, uint32_t last)
{
    struct {
        uint32_t site;
        uint64_t ns;
    } sites[SITES] = {0};
    unsigned n = 0, most = 0;
    for (uint32_t k = last; k; k = schedule.before[k]) {
        uint32_t site = p->tasks[schedule.of[k - 1] - 1].site;
        unsigned i = 0;
        while (i < n && sites[i].site != site)
            i++;
        if (i == SITES)
            continue;
        n = i == n ? n + 1 : n;
        sites[i].site = site;
        sites[i].ns += p->ns[k - 1];
        most = sites[i].ns > sites[most].ns ? i : most;
    }
    return sites[most].site;
}

/* Each thread's part, if all have as much. */
static uint64_t even_of(const struct sca_pieces *p, const uint64_t *own_ns, unsigned size)
{
    uint64_t all_ns = p->rest_ns;
    for (uint32_t k = 0; k < p->n && k < SCA_PIECES; k++)
        all_ns += p->ns[k];
    for (unsigned i = 0; i < size; i++)
        all_ns += own_ns[i];
    return size ? all_ns / size : 0;
}

/* A number that no task of this phase has is none. */
static uint32_t begin(const struct sca_pieces *p)
{
    uint32_t n = p->n < SCA_PIECES ? p->n : SCA_PIECES, ntasks = p->ntasks;
    schedule.number++;
    schedule.nobjects = 0;
    for (uint32_t t = 0; t <= ntasks; t++)
        schedule.task[t] = (struct end){0};
    for (uint32_t k = 0; k < n; k++)
        schedule.of[k] = p->task[k] <= ntasks ? p->task[k] : 0;
    return n;
}

struct sca_pieces_times sca_pieces_schedule(const struct sca_pieces *p, uint64_t *busy_ns,
                                            unsigned size)
{
    struct sca_pieces_times times = {.longest_ns = even_of(p, busy_ns, size)};
    struct end chain = {0};
    uint32_t n = begin(p);
    for (uint32_t k = 0; size && k < n; k++) {
        struct end end = run(p, k, busy_ns, size);
        chain = later(chain, &end);
    }
    for (unsigned i = 0; i < size; i++)
        times.longest_ns = busy_ns[i] > times.longest_ns ? busy_ns[i] : times.longest_ns;
    if (chain.piece) {
        times.chain_ns = chain.path_ns;
        times.site = site_of(p, chain.piece);
        times.alone = !schedule.before[chain.piece];
    }
    return times;
}
