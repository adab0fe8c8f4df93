#include "unwind/bare_calls.h"

#include <string.h>

enum { LONGEST_CALL = 7, MOST_SCANNED = 4096, JUMP = 5 };

static bool is_in(struct sca_range range, uint64_t address)
{
    return address >= range.first && address < range.last;
}

static uint64_t relative(const uint8_t *end)
{
    int32_t distance;
    memcpy(&distance, end - sizeof distance, sizeof distance);
    return (uint64_t)(uintptr_t)end + (uint64_t)(int64_t)distance;
}

/* What the loader, or the program, put into a slot; 0: it cannot be read. */
static uint64_t slot_value(uint64_t slot, struct sca_stack *stack)
{
    return sca_stack_probe(stack, slot) ? *(const uint64_t *)(uintptr_t)slot : 0;
}

/* Behind a linker's stub: "jmp *slot(%rip)", with or without a mark for indirect branches. */
static uint64_t through_stub(uint64_t target, struct sca_stack *stack, bool in_handler)
{
    static const uint8_t mark[] = {0xf3, 0x0f, 0x1e, 0xfa};
    struct sca_loaded module;
    if (!sca_modules_find(target, in_handler, &module) || module.info.last - target < 16)
        return target;
    const uint8_t *at = (const uint8_t *)(uintptr_t)target;
    at += memcmp(at, mark, sizeof mark) ? 0 : sizeof mark;
    at += *at == 0xf2;
    return at[0] == 0xff && at[1] == 0x25 ? slot_value(relative(at + 6), stack) : target;
}

/* Whether the function at `target` has a jump that leads into the code. */
static bool jumps_on(uint64_t target, struct sca_range code, struct sca_stack *stack,
                     bool in_handler)
{
    struct sca_loaded module;
    if (!sca_modules_find(target, in_handler, &module))
        return false;
    struct sca_range f = sca_cfi_function(&module.info, target);
    if (!is_in(f, target) || f.last > module.info.last || f.last - f.first > MOST_SCANNED)
        return false;
    for (uint64_t at = f.first; at + JUMP <= f.last; at++) {
        const uint8_t *byte = (const uint8_t *)(uintptr_t)at;
        uint64_t to = *byte == 0xe9 ? relative(byte + JUMP) : 0;
        if (is_in(code, to))
            return true;
        if (to && to % 16 == 0 &&
            is_in((struct sca_range){module.info.first, module.info.last}, to) && !is_in(f, to) &&
            is_in(code, through_stub(to, stack, in_handler)))
            return true;
    }
    return false;
}

/* The register or memory forms of an indirect call: 2 to 7 bytes. */
static bool is_indirect(const uint8_t *end)
{
    for (int size = 2; size <= LONGEST_CALL; size++)
        if (end[-size] == 0xff && (end[1 - size] & 0x38) == 0x10)
            return true;
    return false;
}

bool sca_bare_calls_end_at(uint64_t address, struct sca_stack *stack)
{
    const uint64_t words = ~(uint64_t)7;
    const uint8_t *end = (const uint8_t *)(uintptr_t)address;
    return sca_stack_probe(stack, (address - LONGEST_CALL) & words) &&
           sca_stack_probe(stack, (address - 1) & words) && (end[-5] == 0xe8 || is_indirect(end));
}

enum sca_call_evidence sca_bare_calls(const struct sca_loaded *caller, uint64_t address,
                                      struct sca_range code, struct sca_stack *stack,
                                      bool in_handler)
{
    const uint8_t *end = (const uint8_t *)(uintptr_t)address;
    if (address - caller->info.first <= LONGEST_CALL)
        return SCA_CALL_NONE;
    if (end[-6] == 0xff && end[-5] == 0x15 && is_in(code, slot_value(relative(end), stack)))
        return SCA_CALL_REACHES;
    if (end[-5] == 0xe8) {
        uint64_t called = relative(end), target = through_stub(called, stack, in_handler);
        bool reaches =
            is_in(code, called) || is_in(code, target) || jumps_on(target, code, stack, in_handler);
        if (reaches || !is_indirect(end))
            return reaches ? SCA_CALL_REACHES : SCA_CALL_OTHER;
    }
    return is_indirect(end) ? SCA_CALL_INDIRECT : SCA_CALL_NONE;
}

bool sca_bare_calls_of(const struct sca_loaded *caller, uint64_t address, uint64_t inside,
                       struct sca_stack *stack)
{
    const uint8_t *end = (const uint8_t *)(uintptr_t)address;
    struct sca_loaded module;
    if (address - caller->info.first <= LONGEST_CALL)
        return false;
    bool slot = end[-6] == 0xff && end[-5] == 0x15;
    if (!slot && end[-5] != 0xe8)
        return is_indirect(end);
    uint64_t target =
        slot ? slot_value(relative(end), stack) : through_stub(relative(end), stack, false);
    if (!sca_modules_find(target, false, &module))
        return !slot && is_indirect(end);
    return is_in(sca_cfi_function(&module.info, target), inside);
}
