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

enum {
    MOST_BYTES = 16,
    TAG_BITS = 24,
    WORDS = 8,
    LONG_NS = 50000 /* no look takes so long that does not wait for the target */
};

struct value {
    uint8_t bytes[MOST_BYTES];
};

struct word_place { /* of a word */
    sca_word window;
    int target;
    int64_t displacement;
};

/* What a thread knows of a word that it looks at. */
struct known_word {
    struct word_place at;     /* window 0: of none yet */
    bool spins, known, waits; /* waits: looks at it were in vain before */
    struct value value;       /* found last, if known */
    uint32_t site;            /* from where it was looked at last */
};

/* Of a thread. */
struct word_watch {
    struct known_word words[WORDS];
    unsigned next;           /* of these, that gives way to a new one */
    struct known_word *now;  /* that is looked at */
    const void *result;      /* where its value will be; NULL: no look is under way */
    struct sca_stack memory; /* a page that was read last */
    size_t size;
    uint64_t began_ns; /* that look */
    enum sca_word_use_kind kind;
    struct value compare, fresh; /* of a swap */
    struct word_place held;      /* a lock that it took by a swap; window 0: none */
    struct value free;           /* the word when nobody has it */
    uint64_t took, saw;          /* operations that say so */
};

static _Thread_local struct word_watch watch __attribute__((tls_model("initial-exec")));

static bool is_same(const struct word_place *a, const struct word_place *b)
{
    return a->window == b->window && a->target == b->target && a->displacement == b->displacement;
}

static struct known_word *known_at(const struct word_place *at)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (is_same(&watch.words[i].at, at))
            return &watch.words[i];
    return NULL;
}

/* Memory of the program's, if it can be read: a device's cannot. What a call hands in is there, so
 * that a page that could be read once can be read now (`pages`). */
static bool is_readable(struct sca_stack *pages, sca_word address, size_t size)
{
    uint64_t first = address & ~(uint64_t)7, last = (address + size - 1) & ~(uint64_t)7;
    const struct sca_stack own = sca_stack_from((uintptr_t)__builtin_frame_address(0));
    if (address >= own.low && address + size <= own.high)
        return true;
    return address && sca_stack_probe(pages, first) && sca_stack_probe(pages, last);
}

static bool load(sca_word address, size_t size, struct value *out)
{
    *out = (struct value){{0}};
    if (!is_readable(&watch.memory, address, size))
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

/* Made new if it is not known. */
static struct known_word *word_at(const struct word_place *at)
{
    struct known_word *word = known_at(at);
    if (word)
        return word;
    word = &watch.words[watch.next++ % WORDS];
    *word = (struct known_word){.at = *at};
    return word;
}

static void begin_look(const struct sca_call *call, const struct sca_word_use *use,
                       const struct word_place *at, size_t size)
{
    watch.now = word_at(at);
    if (watch.now->site != call->site) /* a program polls from one place */
        watch.now->known = watch.now->spins = false;
    watch.now->site = call->site;
    watch.size = size;
    watch.began_ns = call->enter_ns;
    watch.kind = use->kind;
    watch.result = NULL;
    if (use->described || !is_readable(&watch.memory, use->result, size))
        return;
    if (use->kind == SCA_WORD_SWAP &&
        (!load(use->compare, size, &watch.compare) || !load(use->origin, size, &watch.fresh)))
        return;
    watch.result = (const void *)use->result;
}

static bool completes(sca_word window, int target)
{
    return watch.result && watch.now->at.window == window &&
           (target < 0 || watch.now->at.target == target);
}

bool sca_word_goes_on(sca_word window, int target, int64_t displacement)
{
    const struct word_place at = {sca_abi_handle(window), target, displacement};
    return watch.now && watch.now->spins && is_same(&watch.now->at, &at);
}

/* False: it is gone, for another thread has completed the look, say. */
static bool read_result(struct value *out)
{
    struct sca_stack nothing = {.page = 1};
    *out = (struct value){{0}};
    if (!is_readable(&nothing, (sca_word)watch.result, watch.size))
        return false;
    memcpy(out->bytes, watch.result, watch.size);
    return true;
}

static bool found_nothing(const struct value *value)
{
    if (watch.kind == SCA_WORD_SWAP)
        return !is_equal(value, &watch.compare);
    return watch.now->known && is_equal(value, &watch.now->value);
}

bool sca_word_in_vain(sca_word window, int target)
{
    if (!completes(sca_abi_handle(window), target))
        return false;
    struct value value;
    return read_result(&value) && found_nothing(&value);
}

static void take(const struct word_place *at, const struct value *fresh)
{
    note(at, SCA_LOCK_SET, since_init(watch.began_ns));
    if (lets_go(at, fresh))
        return;
    watch.took = note(at, SCA_LOCK_EXCLUSIVE, SCA_UNNAMED);
    watch.held = *at;
    watch.free = watch.compare;
}

void sca_word_flushed(struct sca_call *call, sca_word window, int target)
{
    if (!completes(sca_abi_handle(window), target))
        return;
    struct known_word *word = watch.now;
    struct value value;
    if (!read_result(&value)) {
        sca_word_forget();
        return;
    }
    bool in_vain = found_nothing(&value);
    bool waited = watch.kind == SCA_WORD_FETCH && call->exit_ns - watch.began_ns >= LONG_NS;
    word->waits |= in_vain || (waited && word->known);
    watch.result = NULL;
    word->value = value;
    word->known = watch.kind != SCA_WORD_SWAP;
    word->spins = in_vain;
    if (in_vain)
        return;
    watch.saw = word->waits ? note(&word->at, SCA_LOCK_SEEN, since_init(call->exit_ns)) : SCA_NO_OP;
    if (watch.kind == SCA_WORD_SWAP)
        take(&word->at, &watch.fresh);
}

void sca_word_forget(void)
{
    watch.result = NULL;
}

/* ---- calls ---- */

static bool writes(const struct sca_word_use *use)
{
    bool fetches = use->kind == SCA_WORD_FETCH || use->kind == SCA_WORD_READ;
    return use->kind == SCA_WORD_UPDATE || (fetches && use->operation != sca_abi.no_op);
}

static void update(const struct sca_call *call, const struct sca_word_use *use,
                   const struct word_place *at, size_t size)
{
    struct value written;
    bool replaces = !use->operation || use->operation == sca_abi.replace;
    note(at, SCA_LOCK_SET, since_init(call->enter_ns));
    struct known_word *word = known_at(at);
    if (word)
        word->known = word->spins = false;
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
