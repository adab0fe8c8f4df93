#include "flow/jump_table.h"

enum {
    MOST_BACK = 40,      /* instructions between the table's address and the jump */
    MOST_ENTRIES = 16384 /* where no comparison tells how many there are */
};

struct slice {
    const struct sca_code_image *image;
    const struct sca_flow_graph *graph;
    size_t jump;
};

static struct sca_effect effect_at(const struct slice *s, size_t i)
{
    struct sca_code_bytes code;
    if (!sca_code_image_code(s->image, s->graph->instructions[i].address, &code))
        return (struct sca_effect){.kind = SCA_EFFECT_OTHER, .to = SCA_NO_REGISTER};
    return s->image->decoder->effect(code);
}

static bool writes_register(const struct sca_effect *effect)
{
    switch (effect->kind) {
    case SCA_EFFECT_NONE:
    case SCA_EFFECT_COMPARE:
    case SCA_EFFECT_JUMP:
    case SCA_EFFECT_JUMP_LOAD:
        return false;
    default:
        return true;
    }
}

/* The instruction before `from` that gave the register its value, *effect what it does. */
static bool find_writer(const struct slice *s, size_t from, uint8_t reg, size_t *at,
                        struct sca_effect *effect)
{
    for (size_t i = from, back = 0; i-- > 0 && back < MOST_BACK; back++) {
        *effect = effect_at(s, i);
        *at = i;
        bool writes = writes_register(effect);
        if (writes && effect->to == SCA_NO_REGISTER)
            return false;
        if (writes && effect->to == reg)
            return true;
    }
    return false;
}

/* The register's value if it is an address that the code names. */
static bool find_address(const struct slice *s, size_t from, uint8_t reg, uint64_t *value)
{
    enum { MOST_STEPS = 4 };
    uint64_t sum = 0;
    for (int step = 0; step < MOST_STEPS && reg != SCA_NO_REGISTER; step++) {
        struct sca_effect e;
        if (!find_writer(s, from, reg, &from, &e))
            return false;
        sum += e.kind == SCA_EFFECT_MOVE ? 0 : e.value;
        *value = sum;
        if (e.kind == SCA_EFFECT_ADDRESS)
            return true;
        if (e.kind != SCA_EFFECT_MOVE && !(e.kind == SCA_EFFECT_ADD && e.index == SCA_NO_REGISTER))
            return false;
        reg = e.from;
    }
    return false;
}

/* The load that the register comes from, perhaps moved or widened in between. */
static bool find_load(const struct slice *s, size_t from, uint8_t reg, size_t *at,
                      struct sca_effect *load)
{
    enum { MOST_STEPS = 3 };
    bool widened = false;
    for (int step = 0; step < MOST_STEPS; step++) {
        if (!find_writer(s, from, reg, at, load))
            return false;
        if (load->kind == SCA_EFFECT_LOAD) {
            load->is_signed |= widened;
            return true;
        }
        if (load->kind != SCA_EFFECT_MOVE)
            return false;
        widened |= load->is_signed;
        from = *at;
        reg = load->from;
    }
    return false;
}

/* Where a load from (from + index << shift + value) reads its first entry. */
static bool set_table(const struct slice *s, size_t at, const struct sca_effect *load,
                      struct sca_jump_table *out)
{
    uint64_t address = 0;
    bool constant = load->from == SCA_NO_REGISTER;
    if (!constant && !find_address(s, at, load->from, &address))
        return false;
    out->address = address + load->value;
    out->width = load->width;
    out->is_signed = load->is_signed;
    return out->width && out->width <= 8;
}

/* jmp *table(,%index,8) */
static bool from_memory(const struct slice *s, const struct sca_effect *jump,
                        struct sca_jump_table *out)
{
    out->shift = 0;
    out->base = 0;
    return jump->index != SCA_NO_REGISTER && set_table(s, s->jump, jump, out);
}

/* The register is a sum of an address and what a table holds, or the table's entry itself. */
static bool from_register(const struct slice *s, uint8_t reg, struct sca_jump_table *out)
{
    struct sca_effect sum, load;
    size_t at, from;
    if (!find_writer(s, s->jump, reg, &at, &sum))
        return false;
    if (sum.kind == SCA_EFFECT_LOAD)
        return sum.index != SCA_NO_REGISTER && set_table(s, at, &sum, out);
    if (sum.kind != SCA_EFFECT_ADD || sum.index == SCA_NO_REGISTER)
        return false;
    bool second = find_load(s, at, sum.index, &from, &load);
    if (!second && (sum.shift || !find_load(s, at, sum.from, &from, &load)))
        return false;
    out->shift = second ? sum.shift : 0;
    out->is_signed = sum.is_signed;
    if (!find_address(s, at, second ? sum.from : sum.index, &out->base))
        return false;
    load.is_signed |= sum.is_signed;
    return set_table(s, from, &load, out);
}

/* The nearest comparison with a constant before the jump: what it lets through. */
static uint32_t count_of(const struct slice *s)
{
    for (size_t i = s->jump, back = 0; i-- > 0 && back < MOST_BACK; back++) {
        struct sca_effect e = effect_at(s, i);
        if (e.kind == SCA_EFFECT_COMPARE)
            return e.value < MOST_ENTRIES ? (uint32_t)e.value + 1 : MOST_ENTRIES;
    }
    return MOST_ENTRIES;
}

bool sca_jump_table_find(const struct sca_code_image *image, const struct sca_flow_graph *graph,
                         size_t jump, struct sca_jump_table *out)
{
    struct slice s = {image, graph, jump};
    struct sca_effect e = effect_at(&s, jump);
    bool found = e.kind == SCA_EFFECT_JUMP        ? from_register(&s, e.from, out)
                 : e.kind == SCA_EFFECT_JUMP_LOAD ? from_memory(&s, &e, out)
                                                  : false;
    out->count = found ? count_of(&s) : 0;
    return found;
}

bool sca_jump_table_entry(const struct sca_code_image *image, const struct sca_jump_table *t,
                          uint32_t index, uint64_t *target)
{
    uint64_t value;
    if (!sca_code_image_data(image, t->address + (uint64_t)index * t->width, t->width, &value))
        return false;
    unsigned unused = 64 - 8 * t->width;
    if (t->is_signed && unused)
        value = (uint64_t)((int64_t)(value << unused) >> unused);
    *target = t->base + (value << t->shift);
    return true;
}
