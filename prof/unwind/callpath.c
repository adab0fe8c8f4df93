#include "unwind/callpath.h"
#include "arena/arena.h"
#include "base/guard.h"
#include "base/hot.h"
#include "unwind/layers.h"
#include "unwind/leaves.h"
#include "unwind/modules.h"
#include "unwind/recall.h"
#include "base/reserve.h"
#include "unwind/walk.h"

#include <ucontext.h>

enum { DEPTH = 1024, PATHS = 1 << 15, PROBES = 32, NODE_WORDS = 5, KEPT_MOST = 32 };

/* Code of this library keeps frame pointers: a wrapper's caller's rbp is right below its CFA. */
enum { SAVED_BP = 16 };

/* Paths are known by a hash over their addresses and modules, with their depth: with all the paths
 * there is room for, the odds of one mistake are below one in a thousand million. */
struct path {
    uint64_t hash;
    uint32_t node;
    uint16_t depth; /* stored last; 0: free */
    uint16_t kept;  /* times it was written down, on several stacks */
};

struct code {
    uint64_t key;
    uint32_t slot;
    bool guessed; /* its caller */
};

struct measured {
    uint64_t hash;
    uint32_t depth;
    bool whole; /* up to the outermost frame */
};

static struct path *paths SCA_HOT;
static struct code trail[DEPTH]; /* under the state lock */
static uint64_t truncated;
static _Thread_local struct sca_record *last_call __attribute__((tls_model("initial-exec")));

int sca_callpath_init(void)
{
    if (sca_frames_init() || sca_recall_init())
        return -1;
    sca_modules_init();
    if (!paths)
        paths = sca_reserve(PATHS * sizeof *paths);
    return paths ? 0 : -1;
}

void sca_callpath_end(void)
{
    sca_frames_release();
    sca_recall_release();
    sca_reserve_anew(paths, PATHS * sizeof *paths);
}

static void forget(uint64_t first, uint64_t last)
{
    sca_frames_forget(first, last);
    sca_leaves_forget(first, last);
    sca_recall_forget();
    sca_layers_forget();
}

void sca_callpath_modules_changed(void)
{
    if (!paths)
        return;
    sca_thread.in_tool++;
    sca_modules_retire(forget);
    sca_thread.in_tool--;
}

uint64_t sca_callpath_truncated(void)
{
    return __atomic_load_n(&truncated, __ATOMIC_RELAXED);
}

/* A polynomial in the frames' marks: short, since each step waits for the one before. */
static inline uint64_t extend(uint64_t hash, const struct sca_frame *frame)
{
    return hash * 31 + frame->mark;
}

static inline struct measured measure(struct sca_cursor c, struct sca_ground *g)
{
    struct measured m = {.hash = extend(0, c.frame), .depth = 1};
    while (m.depth < DEPTH && sca_walk_on(&c, g)) {
        m.hash = extend(m.hash, c.frame);
        m.depth++;
    }
    m.whole = c.frame->recipe.cfa == SCA_CFA_END;
    if (!m.whole)
        m.hash = ~m.hash;
    return m;
}

static uint32_t add_node(uint32_t parent, uint32_t module, uint64_t offset, uint32_t kind)
{
    const uint32_t key[NODE_WORDS] = {parent, module, (uint32_t)offset, (uint32_t)(offset >> 32),
                                      kind};
    return sca_arena_find(SCA_T_NODES, key, NODE_WORDS);
}

/* Stands for callers that could not be told, and for code in no module, whose address would mean
 * nothing after the run. */
static uint32_t add_unknown(uint32_t parent, uint32_t kind)
{
    return add_node(parent, SCA_NONE, 0, kind);
}

/* Frames of this library are left out. */
static uint32_t add_code(uint32_t parent, const struct code *code)
{
    if (parent == SCA_NONE || (code->slot != SCA_NONE && code->slot == sca_modules_own()))
        return parent;
    uint32_t kind = (code->key & SCA_FRAME_EXACT ? SCA_NODE_PC : SCA_NODE_RETURN) +
                    (code->guessed ? SCA_NODE_GUESSED : 0);
    uint32_t module = sca_modules_record(code->slot);
    if (module == SCA_NONE)
        return add_unknown(parent, kind);
    uint64_t offset = sca_frames_address(code->key) - sca_modules_bias(code->slot);
    return add_node(parent, module, offset, kind);
}

/* Walks once more, noting the frames, and adds their nodes from the outermost inwards. */
static uint32_t build(struct sca_cursor c, struct sca_ground *g, const struct measured *m)
{
    uint32_t n = 0, node = 0;
    bool goes_on = true;
    while (goes_on) {
        struct code *code = &trail[n++];
        *code = (struct code){.key = c.frame->key, .slot = c.frame->slot};
        g->guessed = false;
        goes_on = n < m->depth && sca_walk_on(&c, g);
        code->guessed = goes_on && g->guessed;
    }
    if (!m->whole && trail[n - 1].slot != SCA_NONE)
        node = add_unknown(node, SCA_NODE_RETURN);
    while (n--)
        node = add_code(node, &trail[n]);
    return node;
}

/* The path's place, or a free one; NULL when there is neither. */
static inline struct path *path_place(const struct measured *m)
{
    for (uint32_t i = 0; i < PROBES; i++) {
        struct path *p = &paths[((m->hash ^ m->hash >> 32) + i) % PATHS];
        uint16_t depth = __atomic_load_n(&p->depth, __ATOMIC_ACQUIRE);
        if (!depth || (depth == m->depth && p->hash == m->hash))
            return p;
    }
    return NULL;
}

/* The ground has been walked on: to start over, it is laid anew. */
static struct sca_cursor start_over(struct sca_cursor c, struct sca_ground *g, uint64_t key)
{
    g->stack = sca_stack_from(c.sp);
    g->unwind.known = 0;
    c.frame = sca_frames_find(key, g->in_handler, &g->spare);
    return c;
}

/* A call's frames of layers are nobody's; but where there is nothing else they stay. */
static struct measured pass_layers(struct sca_cursor *c, struct sca_ground *g, struct measured m)
{
    struct sca_cursor at = *c;
    struct measured rest = m;
    uint64_t key = at.frame->key;
    while (sca_layers_has(at.frame->slot) && rest.depth > 1 && sca_walk_on(&at, g))
        rest.depth--;
    if (rest.depth == m.depth || sca_layers_has(at.frame->slot)) {
        *c = start_over(*c, g, key);
        return m;
    }
    *c = at;
    return rest;
}

static SCA_COLD uint32_t add_path(struct sca_cursor c, struct sca_ground *g,
                                  const struct measured *m)
{
    struct measured shown = g->in_handler ? *m : pass_layers(&c, g, *m);
    sca_guard_lock();
    struct path *p = path_place(m);
    uint32_t node = p && p->depth ? p->node : build(c, g, &shown);
    if (p && !p->depth && node != SCA_NONE) {
        p->hash = m->hash;
        p->node = node;
        __atomic_store_n(&p->depth, (uint16_t)m->depth, __ATOMIC_RELEASE);
    }
    sca_guard_unlock();
    return node;
}

static inline void count_truncated(void)
{
    __atomic_fetch_add(&truncated, 1, __ATOMIC_RELAXED);
}

static __attribute__((noinline)) uint32_t path_walked(struct sca_cursor c, struct sca_ground *g)
{
    uint64_t key = c.frame->key;
    struct measured m = measure(c, g);
    if (!m.whole)
        count_truncated();
    struct path *p = path_place(&m);
    c = start_over(c, g, key);
    if (!p || !p->depth)
        return add_path(c, g, &m);
    if (m.whole && p->kept < KEPT_MOST)
        p->kept = sca_recall_keep(c, g, m.depth, p->node) ? p->kept + 1 : KEPT_MOST;
    return p->node;
}

static uint32_t path_of_call(const void *return_address, const void *cfa, uint64_t **note)
{
    struct sca_ground g;
    struct sca_cursor c = {.sp = (uintptr_t)cfa};
    c.bp = *(const uint64_t *)(c.sp - SAVED_BP);
    g.stack = sca_stack_from(c.sp);
    struct sca_record *known = sca_recall_next(&last_call, (uintptr_t)return_address, c, &g.stack);
    *note = known ? &known->note : NULL;
    if (__builtin_expect(known != NULL, 1))
        return known->node;
    g.in_handler = false;
    g.interrupted = NULL;
    g.unwind.known = 0;
    c.frame = sca_frames_find((uintptr_t)return_address, false, &g.spare);
    return path_walked(c, &g);
}

static uint32_t path_of(struct sca_cursor c, struct sca_ground *g)
{
    const struct sca_record *known = sca_recall(c.frame->key, c, &g->stack);
    return known ? known->node : path_walked(c, g);
}

uint32_t sca_callpath_call(const void *return_address, const void *cfa, uint64_t **note)
{
    *note = NULL;
    if (!paths)
        return SCA_NONE;
    sca_thread.in_tool++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t node = path_of_call(return_address, cfa, note);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    sca_thread.in_tool--;
    return node;
}

/* A call below a node; below callers that are not told, where `node` is SCA_NONE. */
static uint32_t add_below(uint32_t node, uint64_t key)
{
    struct sca_frame spare;
    sca_thread.in_tool++;
    const struct sca_frame *frame = sca_frames_find(key, false, &spare);
    const struct code code = {.key = frame->key, .slot = frame->slot};
    sca_guard_lock();
    node = add_code(node == SCA_NONE ? add_unknown(0, SCA_NODE_RETURN) : node, &code);
    sca_guard_unlock();
    sca_thread.in_tool--;
    return node;
}

uint32_t sca_callpath_of_thread(uint32_t node, uint32_t track)
{
    if (node == SCA_NONE)
        return node;
    sca_guard_lock();
    uint32_t own = add_node(node, SCA_NONE, track, SCA_NODE_THREAD);
    sca_guard_unlock();
    return own == SCA_NONE ? node : own;
}

uint32_t sca_callpath_into(uint32_t node, const void *function)
{
    return node == SCA_NONE /* as if it had called from its first instruction */
               ? SCA_NONE
               : add_below(node, (uintptr_t)function + 1);
}

uint32_t sca_callpath_alone(const void *return_address)
{
    return paths ? add_below(SCA_NONE, (uintptr_t)return_address) : SCA_NONE;
}

/* The node of the interrupted function's callers. */
static uint32_t callers(struct sca_cursor c, struct sca_ground *g, bool *guessed)
{
    if (c.frame->recipe.cfa == SCA_CFA_END)
        return 0;
    g->guessed = false;
    if (sca_walk_on(&c, g)) {
        *guessed = g->guessed;
        return path_of(c, g);
    }
    count_truncated();
    sca_guard_lock();
    uint32_t node = add_unknown(0, SCA_NODE_RETURN);
    sca_guard_unlock();
    return node;
}

static uint32_t path_of_sample(const greg_t *regs)
{
    struct sca_ground g;
    struct sca_cursor c = {.sp = (uint64_t)regs[REG_RSP], .bp = (uint64_t)regs[REG_RBP]};
    g.in_handler = true;
    g.interrupted = regs;
    g.unwind.known = 0;
    g.stack = sca_stack_from(c.sp);
    struct sca_frame leaf;
    sca_leaves_find((uint64_t)regs[REG_RIP], &leaf);
    c.frame = &leaf;
    struct code innermost = {.key = c.frame->key, .slot = c.frame->slot};
    uint32_t parent = callers(c, &g, &innermost.guessed);
    sca_guard_lock();
    uint32_t node = add_code(parent, &innermost);
    sca_guard_unlock();
    return node;
}

uint32_t sca_callpath_sample(const void *ucontext)
{
    if (!paths)
        return SCA_NONE;
    sca_thread.in_tool++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t node = path_of_sample(((const ucontext_t *)ucontext)->uc_mcontext.gregs);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    sca_thread.in_tool--;
    return node;
}
