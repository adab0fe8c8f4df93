#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "oracle.h"
#include "arena/arena.h"
#include "unwind/callpath.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096, SHOWN = 5 };

struct oracle_count oracle;

void oracle_open(void)
{
    if (sca_arena_open(NULL, 0, 1) < 0 || sca_callpath_init())
        abort();
    /* Its cache mixes return addresses with exact ones, which differ at landing pads. */
    unw_set_caching_policy(unw_local_addr_space, UNW_CACHE_NONE);
}

void oracle_reset(void)
{
    oracle = (struct oracle_count){0};
}

unsigned oracle_addresses(uint32_t node, uint64_t *out, unsigned most, bool *cut)
{
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    const struct sca_part_module *modules = sca_arena_table(SCA_T_MODULES);
    unsigned n = 0;
    *cut = false;
    for (; node && node != SCA_NONE && n < most; node = nodes[node].parent) {
        const struct sca_part_node *at = &nodes[node];
        *cut = at->module == SCA_NONE;
        if (!*cut)
            out[n++] = at->offset + modules[at->module].bias;
    }
    return n;
}

static void complain(const uint64_t *ours, unsigned n, const uint64_t *theirs, unsigned m)
{
    if (oracle.mismatches > SHOWN)
        return;
    fprintf(stderr, "mismatch %lu: %u frames, libunwind has %u\n", (long)oracle.mismatches, n, m);
    for (unsigned i = 0; i < (n > m ? n : m) && i < 30; i++)
        fprintf(stderr, "  %2u %#lx %#lx\n", i, i < n ? (long)ours[i] : 0,
                i < m ? (long)theirs[i] : 0);
}

static void compare(uint32_t node, const uint64_t *theirs, unsigned m)
{
    static _Thread_local uint64_t ours[MOST];
    bool cut;
    unsigned n = oracle_addresses(node, ours, MOST, &cut), same = 0;
    while (same < n && same < m && ours[same] == theirs[same])
        same++;
    __atomic_fetch_add(&oracle.paths, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&oracle.frames, n, __ATOMIC_RELAXED);
    if (n > oracle.deepest)
        oracle.deepest = n;
    if (same == n && cut && n <= m) {
        __atomic_fetch_add(&oracle.cut, n < m, __ATOMIC_RELAXED);
    } else if (same != n || n != m || !n) {
        __atomic_fetch_add(&oracle.mismatches, 1, __ATOMIC_RELAXED);
        complain(ours, n, theirs, m);
    }
}

static unsigned unwind(unw_cursor_t *cursor, uint64_t *out)
{
    unsigned n = 0;
    unw_word_t pc;
    do {
        unw_get_reg(cursor, UNW_REG_IP, &pc);
        if (pc)
            out[n++] = pc;
    } while (n < MOST && unw_step(cursor) > 0);
    return n;
}

void oracle_check_call(const void *return_address, const void *cfa)
{
    static _Thread_local uint64_t theirs[MOST];
    uint64_t *note;
    uint32_t node = sca_callpath_call(return_address, cfa, &note);
    unw_context_t context;
    unw_cursor_t cursor;
    unw_getcontext(&context);
    unw_init_local(&cursor, &context);
    unsigned m = unwind(&cursor, theirs), skip = 0;
    while (skip < m && theirs[skip] != (uintptr_t)return_address)
        skip++;
    compare(node, theirs + skip, m - skip);
}

void oracle_check_sample(const void *ucontext)
{
    static _Thread_local uint64_t theirs[MOST];
    uint32_t node = sca_callpath_sample(ucontext);
    unw_cursor_t cursor;
    unw_init_local2(&cursor, (unw_context_t *)ucontext, UNW_INIT_SIGNAL_FRAME);
    compare(node, theirs, unwind(&cursor, theirs));
}
