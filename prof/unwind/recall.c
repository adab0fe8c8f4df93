#include "unwind/recall.h"
#include "base/hot.h"
#include "unwind/modules.h"
#include "base/reserve.h"

#include <stddef.h>

enum {
    DEEPEST = 200,
    BYTES = 512 << 10,
    BELOW = 31 /* so many others are looked through at most, before a walk */
};

struct sca_record *sca_records[SCA_RECORDS];
uint32_t sca_recall_modules SCA_HOT = 1;

static char *room;
static uint64_t used;

int sca_recall_init(void)
{
    if (!room)
        room = sca_reserve(BYTES);
    return room ? 0 : -1;
}

static struct sca_record *take(uint32_t depth)
{
    uint64_t size = sizeof(struct sca_record) + depth * sizeof(struct sca_step);
    if (__atomic_load_n(&used, __ATOMIC_RELAXED) > BYTES - size)
        return NULL;
    uint64_t at = __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);
    return at <= BYTES - size ? (struct sca_record *)(void *)(room + at) : NULL;
}

/* Signal frames, realigned stacks and lost registers are left to the walk. */
static bool plain(const struct sca_recipe *r)
{
    return (r->cfa == SCA_CFA_SP || r->cfa == SCA_CFA_BP) &&
           (r->saved == SCA_BP_SAME || r->saved == SCA_BP_AT_CFA);
}

/* What was taken last can be given back. */
static void give_back(const struct sca_record *record, uint32_t depth)
{
    uint64_t at = (uint64_t)((const char *)record - room);
    uint64_t end = at + sizeof *record + depth * sizeof(struct sca_step);
    __atomic_compare_exchange_n(&used, &end, at, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static bool is_libc(uint32_t slot)
{
    return slot != SCA_NONE && slot == sca_modules_libc();
}

/*
 * The program's start: up to two functions of the C library, which are entered once and call main
 * or a thread's function, below the outermost frame. A return address in the inner one settles what
 * is above it: those slots, which nothing else touches, need not be looked at.
 */
static uint32_t without_start(uint32_t depth, uint32_t of_libc)
{
    uint32_t start = of_libc < 2 ? of_libc : 2;
    return start ? depth - start : depth;
}

static bool write_down(struct sca_record *record, struct sca_cursor c, struct sca_ground *g)
{
    uint32_t of_libc = 0; /* frames right below the outermost */
    for (uint32_t i = 0; i < record->depth; i++) {
        if (i + 1 < record->depth)
            of_libc = is_libc(c.frame->slot) ? of_libc + 1 : 0;
        record->steps[i] = (struct sca_step){.key = c.frame->key, .recipe = c.frame->recipe};
        if (i + 1 < record->depth && (!plain(&c.frame->recipe) || !sca_walk_up(&c, g)))
            return false;
    }
    record->depth = without_start(record->depth, of_libc);
    return true;
}

/* False: the place has enough of them. */
static bool publish(struct sca_record *record, unsigned place)
{
    struct sca_record *first = __atomic_load_n(&sca_records[place], __ATOMIC_ACQUIRE);
    do {
        record->next = first;
        record->below = first ? first->below + 1 : 0;
    } while (record->below <= BELOW &&
             !__atomic_compare_exchange_n(&sca_records[place], &first, record, false,
                                          __ATOMIC_RELEASE, __ATOMIC_ACQUIRE));
    return record->below <= BELOW;
}

bool sca_recall_keep(struct sca_cursor c, struct sca_ground *g, uint32_t depth, uint32_t node)
{
    struct sca_record *record = depth <= DEEPEST ? take(depth) : NULL;
    if (!record)
        return false;
    *record = (struct sca_record){.node = node, .depth = depth, .modules = sca_recall_modules};
    if (write_down(record, c, g) && publish(record, sca_recall_place(c.frame->key, c.sp)))
        return true;
    give_back(record, depth);
    return false;
}

void sca_recall_forget(void)
{
    __atomic_fetch_add(&sca_recall_modules, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < SCA_RECORDS; i++)
        __atomic_store_n(&sca_records[i], NULL, __ATOMIC_RELEASE);
}

/* Records that are being read turn to zeros, which match no call. */
void sca_recall_release(void)
{
    sca_reserve_anew(room, BYTES);
}
