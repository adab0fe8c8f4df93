#include "calls/word.h"
#include "arena/arena.h"
#include "base/guard.h"
#include "base/hash.h"
#include "calls/one_sided.h"
#include "calls/shared.h"
#include "mpi/abi.h"
#include "profile/event_io.h"
#include "unwind/stack.h"
#include "windows/window.h"

#include <string.h>

enum { MOST_BYTES = 16, TAG_BITS = 24 };

struct value {
    uint8_t bytes[MOST_BYTES];
};

struct word_place { /* of a word */
    sca_word window;
    int target;
    int64_t displacement;
};

/* Of a thread. */
struct word_watch {
    struct word_place at; /* looked at last; window 0: nothing yet */
    const void *result;   /* where its value will be; NULL: no look is under way */
    size_t size;
    uint64_t began_ns;                  /* that look */
    bool swap, spins, known, waits;     /* waits: looks at that word were in vain before */
    struct value value, compare, fresh; /* value: found last, if known; fresh: a swap's */
    struct word_place held;             /* a lock that it took by a swap; window 0: none */
    struct value free;                  /* the word when nobody has it */
    uint64_t took, saw;                 /* operations that say so */
};

static _Thread_local struct word_watch watch __attribute__((tls_model("initial-exec")));

static bool is_same(const struct word_place *a, const struct word_place *b)
{
    return a->window == b->window && a->target == b->target && a->displacement == b->displacement;
}

/* Memory of the program's, if it can be read at all. */
static bool is_readable(sca_word address, size_t size)
{
    struct sca_stack nowhere = {.page = 1};
    uint64_t first = address & ~(uint64_t)7, last = (address + size - 1) & ~(uint64_t)7;
    return address && sca_stack_probe(&nowhere, first) && sca_stack_probe(&nowhere, last);
}

static bool load(sca_word address, size_t size, struct value *out)
{
    *out = (struct value){{0}};
    if (!is_readable(address, size))
        return false;
    memcpy(out->bytes, (const void *)address, size);
    return true;
}

static bool is_equal(const struct value *a, const struct value *b)
{
    return !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

/* ---- operations ---- */

static int32_t tag_of(const struct word_place *at)
{
    uint64_t hash = sca_hash_mix(SCA_FN_Fetch_and_op, (uint64_t)at->displacement);
    return (int32_t)(hash >> (64 - TAG_BITS)) + 1;
}

static uint64_t since_init(uint64_t ns)
{
    return ns - sca_arena_header()->init_ns;
}

/* SCA_NO_OP: not noted. */
static uint64_t note(const struct word_place *at, enum sca_lock_shape shape, uint64_t number)
{
    if (!sca_window_is_own())
        return SCA_NO_OP;
    const struct sca_op op = {
        .shape = (uint8_t)shape, .peer = at->target, .tag = tag_of(at), .number = number};
    return sca_one_sided_note(sca_shared_window(at->window), &op);
}

static void name_lock(void)
{
    struct sca_one_sided *of = sca_shared_window(watch.held.window);
    int32_t target = sca_one_sided_world_rank(of, watch.held.target);
    sca_guard_lock();
    sca_window_number(watch.took, target, tag_of(&watch.held), 0);
    sca_window_number(watch.saw, target, tag_of(&watch.held), SCA_UNNAMED);
    sca_guard_unlock();
}

/* A word that this thread has changed by a swap is as it was: it was a lock. */
static bool lets_go(const struct word_place *at, const struct value *written)
{
    if (!watch.held.window || !is_same(&watch.held, at) || !is_equal(&watch.free, written))
        return false;
    name_lock();
    note(at, SCA_LOCK_RELEASE, 0);
    watch.held.window = 0;
    return true;
}

/* ---- looks ---- */

static void begin_look(const struct sca_call *call, const struct sca_word_use *use,
                       const struct word_place *at, size_t size)
{
    if (!is_same(&watch.at, at) || watch.swap != (use->kind == SCA_WORD_SWAP))
        watch.spins = watch.known = watch.waits = false;
    watch.at = *at;
    watch.size = size;
    watch.began_ns = call->enter_ns;
    watch.swap = use->kind == SCA_WORD_SWAP;
    watch.result = NULL;
    if (use->described || !is_readable(use->result, size))
        return;
    if (watch.swap &&
        (!load(use->compare, size, &watch.compare) || !load(use->origin, size, &watch.fresh)))
        return;
    watch.result = (const void *)use->result;
}

static bool completes(sca_word window, int target)
{
    return watch.result && watch.at.window == window && (target < 0 || watch.at.target == target);
}

bool sca_word_goes_on(sca_word window, int target, int64_t displacement)
{
    const struct word_place at = {sca_abi_handle(window), target, displacement};
    return watch.spins && is_same(&watch.at, &at);
}

static struct value found(void)
{
    struct value value = {{0}};
    memcpy(value.bytes, watch.result, watch.size);
    return value;
}

static bool found_nothing(const struct value *value)
{
    if (watch.swap)
        return !is_equal(value, &watch.compare);
    return watch.known && is_equal(value, &watch.value);
}

bool sca_word_in_vain(sca_word window, int target)
{
    if (!completes(sca_abi_handle(window), target))
        return false;
    struct value value = found();
    return found_nothing(&value);
}

static void take(const struct value *fresh)
{
    uint64_t seen = since_init(watch.began_ns);
    note(&watch.at, SCA_LOCK_SET, seen);
    if (lets_go(&watch.at, fresh))
        return;
    watch.took = note(&watch.at, SCA_LOCK_EXCLUSIVE, SCA_UNNAMED);
    watch.held = watch.at;
    watch.free = watch.compare;
}

void sca_word_flushed(struct sca_call *call, sca_word window, int target)
{
    if (!completes(sca_abi_handle(window), target))
        return;
    struct value value = found();
    bool in_vain = found_nothing(&value);
    watch.result = NULL;
    watch.value = value;
    watch.known = !watch.swap;
    watch.spins = in_vain;
    watch.waits |= in_vain;
    if (in_vain)
        return;
    watch.saw = watch.waits ? note(&watch.at, SCA_LOCK_SEEN, since_init(call->exit_ns)) : SCA_NO_OP;
    if (watch.swap)
        take(&watch.fresh);
}

/* ---- calls ---- */

static bool writes(const struct sca_word_use *use)
{
    return use->kind == SCA_WORD_UPDATE ||
           (use->kind == SCA_WORD_FETCH && use->operation && use->operation != sca_abi.no_op);
}

static void update(const struct sca_call *call, const struct sca_word_use *use,
                   const struct word_place *at, size_t size)
{
    struct value written;
    bool replaces = !use->operation || use->operation == sca_abi.replace;
    note(at, SCA_LOCK_SET, since_init(call->enter_ns));
    if (is_same(&watch.at, at))
        watch.known = watch.spins = false;
    if (watch.held.window && replaces && !use->described && load(use->origin, size, &written))
        lets_go(at, &written);
}

void sca_word_used(struct sca_call *call, const struct sca_word_use *use)
{
    const struct word_place at = {sca_abi_handle(use->window), use->target, use->displacement};
    uint64_t size = sca_abi_type_bytes(use->count, use->type);
    if (!size || size > MOST_BYTES || use->target == sca_abi.proc_null)
        return;
    if (writes(use))
        update(call, use, &at, size);
    if (use->kind != SCA_WORD_UPDATE)
        begin_look(call, use, &at, size);
}
