#include "unwind/frames.h"
#include "arena/arena.h"
#include "unwind/modules.h"
#include "base/reserve.h"

enum { PROBES = 64 };

/* Marks of an entry's key. Code addresses have neither: they are below 2^47 and not 1. */
#define FILLING ((uint64_t)1 << 62)
#define GONE    ((uint64_t)1)

struct sca_frame *sca_frames;

int sca_frames_init(void)
{
    if (!sca_frames)
        sca_frames = sca_reserve(SCA_FRAMES * sizeof *sca_frames);
    return sca_frames ? 0 : -1;
}

void sca_frames_release(void)
{
    sca_reserve_anew(sca_frames, SCA_FRAMES * sizeof *sca_frames);
}

/* Code in no module has one mark for all: its addresses mean nothing beyond this instant. */
static uint64_t mark_of(uint64_t key, uint32_t slot)
{
    uint64_t mark = slot == SCA_NONE ? 1 : sca_frames_mix(key ^ (uint64_t)(slot + 1) << 47);
    return sca_frames_mix(mark ^ mark >> 32);
}

/* False for addresses outside every module: what is there may be another thing next time. */
static bool learn(struct sca_frame *frame, uint64_t key, bool in_handler)
{
    struct sca_loaded module;
    uint64_t address = sca_frames_address(key);
    uint64_t pc = key & SCA_FRAME_EXACT ? address : address - 1;
    frame->recipe = (struct sca_recipe){.cfa = SCA_CFA_UNKNOWN};
    frame->slot = SCA_NONE;
    frame->caller = 0;
    frame->mark = mark_of(key, SCA_NONE);
    if (!sca_modules_find(pc, in_handler, &module))
        return false;
    frame->recipe = sca_cfi_recipe(&module.info, pc);
    frame->slot = module.slot;
    frame->mark = mark_of(key, module.slot);
    return module.slot != SCA_NONE;
}

static uint32_t home(uint64_t key)
{
    return (uint32_t)(sca_frames_mix(key) >> (64 - SCA_FRAMES_BITS));
}

static struct sca_frame *claim(struct sca_frame *frame, uint64_t found, const struct sca_frame *as)
{
    if (!__atomic_compare_exchange_n(&frame->key, &found, as->key | FILLING, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return NULL;
    frame->mark = as->mark;
    frame->recipe = as->recipe;
    frame->slot = as->slot;
    frame->caller = as->caller;
    __atomic_store_n(&frame->key, as->key, __ATOMIC_RELEASE);
    return frame;
}

/* Two threads may enter one key twice: both entries say the same. */
static struct sca_frame *keep(struct sca_frame *learnt)
{
    uint32_t at = home(learnt->key);
    for (unsigned i = 0; i < PROBES; i++, at = (at + 1) % SCA_FRAMES) {
        uint64_t key = sca_frames[at].key;
        struct sca_frame *kept = NULL;
        if (!key || key == GONE)
            kept = claim(&sca_frames[at], key, learnt);
        if (kept)
            return kept;
    }
    return learnt;
}

struct sca_frame *sca_frames_search(uint64_t key, bool in_handler, struct sca_frame *spare)
{
    uint32_t at = home(key);
    for (unsigned i = 0; i < PROBES; i++, at = (at + 1) % SCA_FRAMES) {
        uint64_t there = __atomic_load_n(&sca_frames[at].key, __ATOMIC_ACQUIRE);
        if (there == key)
            return &sca_frames[at];
        if (!there)
            break;
    }
    spare->key = key;
    if (!learn(spare, key, in_handler))
        return spare;
    return keep(spare);
}

void sca_frames_forget(uint64_t first, uint64_t last)
{
    for (uint32_t i = 0; i < SCA_FRAMES; i++) {
        uint64_t key = sca_frames[i].key;
        uint64_t address = sca_frames_address(key & ~FILLING);
        if (address >= first && address <= last)
            __atomic_store_n(&sca_frames[i].key, GONE, __ATOMIC_RELEASE);
    }
}
