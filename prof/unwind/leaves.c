#include "unwind/leaves.h"
#include "arena/arena.h"
#include "unwind/modules.h"

enum { LEAVES = 512, LINE_BITS = 6 };

struct leaf {
    uint64_t first, last; /* [first, last); 0, 0: none */
    struct sca_recipe recipe;
    uint32_t slot;
    uint32_t turn; /* odd while it is written */
};

static struct leaf leaves[LEAVES];

/* Neighbours lie together, so a loop touches few pages of the table. */
static struct leaf *place_of(uint64_t pc)
{
    return &leaves[(pc >> LINE_BITS) % LEAVES];
}

static bool recall(uint64_t pc, struct sca_frame *out)
{
    const struct leaf *leaf = place_of(pc);
    uint32_t turn = __atomic_load_n(&leaf->turn, __ATOMIC_ACQUIRE);
    bool here = pc >= leaf->first && pc < leaf->last;
    out->recipe = leaf->recipe;
    out->slot = leaf->slot;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return here && !(turn & 1) && __atomic_load_n(&leaf->turn, __ATOMIC_RELAXED) == turn;
}

static bool open_leaf(struct leaf *leaf)
{
    uint32_t turn = __atomic_load_n(&leaf->turn, __ATOMIC_RELAXED);
    return !(turn & 1) && __atomic_compare_exchange_n(&leaf->turn, &turn, turn + 1, false,
                                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void close_leaf(struct leaf *leaf)
{
    __atomic_fetch_add(&leaf->turn, 1, __ATOMIC_RELEASE);
}

/* Whoever comes second leaves it: both would say the same. */
static void keep(uint64_t pc, const struct sca_range *range, const struct sca_frame *frame)
{
    struct leaf *leaf = place_of(pc);
    if (!open_leaf(leaf))
        return;
    leaf->first = range->first;
    leaf->last = range->last;
    leaf->recipe = frame->recipe;
    leaf->slot = frame->slot;
    close_leaf(leaf);
}

void sca_leaves_find(uint64_t pc, struct sca_frame *out)
{
    struct sca_loaded module;
    struct sca_range range;
    *out = (struct sca_frame){.key = pc | SCA_FRAME_EXACT, .slot = SCA_NONE};
    if (recall(pc, out))
        return;
    out->recipe = (struct sca_recipe){.cfa = SCA_CFA_UNKNOWN};
    out->slot = SCA_NONE;
    if (!sca_modules_find(pc, true, &module))
        return;
    out->recipe = sca_cfi_recipe_of(&module.info, pc, &range);
    out->slot = module.slot;
    if (module.slot != SCA_NONE)
        keep(pc, &range, out);
}

void sca_leaves_forget(uint64_t first, uint64_t last)
{
    for (unsigned i = 0; i < LEAVES; i++) {
        struct leaf *leaf = &leaves[i];
        while (!open_leaf(leaf))
            ;
        if (leaf->first <= last && leaf->last > first)
            leaf->first = leaf->last = 0;
        close_leaf(leaf);
    }
}
