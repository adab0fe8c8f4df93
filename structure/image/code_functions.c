#include "image/code_functions.h"
#include "image/frame_ranges.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

static int add(struct sca_code_functions *f, uint64_t low, uint64_t high)
{
    if (f->count >= SCA_NO_CODE - 1 ||
        sca_arena_grow(&f->list, sizeof *f->list, f->count, &f->capacity))
        return sca_fail(SCA_ENOMEM, "out of memory for the functions of a binary");
    f->list[f->count++] =
        (struct sca_code_function){.low = low, .high = high, .name = "", .symbol = SCA_NO_CODE};
    return SCA_OK;
}

static bool is_code(const struct sca_code_image *image, uint64_t address)
{
    const struct sca_code_section *s = sca_code_image_section(image, address);
    return s && s->code && !s->stubs;
}

static uint64_t section_end(const struct sca_code_image *image, uint64_t address)
{
    const struct sca_code_section *s = sca_code_image_section(image, address);
    return s->address + s->size;
}

static int by_low(const void *a, const void *b)
{
    const struct sca_code_function *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->high > y->high ? -1 : x->high < y->high; /* the longer one first */
}

/* Of pieces that begin at one place the longest; none reaches into the next. */
static void keep_apart(struct sca_code_functions *f)
{
    uint32_t kept = 0;
    if (f->count)
        qsort(f->list, f->count, sizeof *f->list, by_low);
    for (uint32_t i = 0; i < f->count; i++) {
        struct sca_code_function *last = kept ? &f->list[kept - 1] : NULL;
        if (last && last->low == f->list[i].low)
            continue;
        if (last && last->high > f->list[i].low)
            last->high = f->list[i].low;
        f->list[kept++] = f->list[i];
    }
    f->count = kept;
}

static int add_frames(struct sca_code_functions *f, struct sca_binary *binary,
                      const struct sca_code_image *image)
{
    struct sca_frame_range *ranges = NULL;
    size_t count = 0;
    int status = sca_frame_ranges_read(binary, &ranges, &count);
    for (size_t i = 0; !status && i < count; i++)
        if (is_code(image, ranges[i].low) && ranges[i].high <= section_end(image, ranges[i].low))
            status = add(f, ranges[i].low, ranges[i].high);
    for (size_t i = 0; !status && i < count; i++)
        if (ranges[i].data)
            status = sca_landing_pads_add(&f->pads, image, ranges[i].low, ranges[i].data);
    sca_landing_pads_sort(&f->pads);
    free(ranges);
    return status;
}

/* A symbol within what the unwind tables know as one piece is a label. One without a size reaches
 * to what comes next. */
static int add_symbols(struct sca_code_functions *f, const struct sca_symbol *symbols, size_t count,
                       const struct sca_code_image *image)
{
    uint32_t frames = f->count;
    int status = SCA_OK;
    for (size_t i = 0; !status && i < count; i++) {
        const struct sca_symbol *s = &symbols[i];
        struct sca_code_functions known = {.list = f->list, .count = frames};
        if (!is_code(image, s->address) || sca_code_functions_at(&known, s->address) != SCA_NO_CODE)
            continue;
        uint64_t end = section_end(image, s->address), room = end - s->address;
        status = add(f, s->address, s->size && s->size < room ? s->address + s->size : end);
    }
    return status;
}

/* ---- names ---- */

static bool is_part_name(const char *name)
{
    const char *cold = strstr(name, ".cold");
    return cold && cold > name && (!cold[5] || cold[5] == '.');
}

/* Of several names the one that other files see: that is what they call. */
static void set_names(struct sca_code_functions *f, const struct sca_symbol *symbols, size_t count)
{
    uint32_t i = 0;
    for (size_t s = 0; s < count && i < f->count; s++) {
        while (i < f->count && f->list[i].low < symbols[s].address)
            i++;
        struct sca_code_function *at = i < f->count ? &f->list[i] : NULL;
        if (!at || at->low != symbols[s].address)
            continue;
        at->symbol = at->nsymbols++ ? at->symbol : (uint32_t)s;
        if (*at->name && !(at->local && !symbols[s].local))
            continue;
        at->name = symbols[s].name;
        at->local = symbols[s].local;
        at->part = is_part_name(at->name);
    }
}

/* Without symbols, `main` is what the entry code hands to the C library. */
static void find_main(struct sca_code_functions *f, const struct sca_code_image *image)
{
    enum { FAR = 64 }; /* bytes of the entry code */
    struct sca_code_bytes code;
    struct sca_instruction in;
    uint32_t entry = sca_code_functions_at(f, image->entry);
    bool known = sca_code_image_code(image, image->entry, &code);
    for (uint64_t end = image->entry + FAR; known && code.address < end;) {
        if (!image->decoder->decode(code, &in))
            return;
        struct sca_effect effect = image->decoder->effect(code);
        uint32_t found =
            effect.kind == SCA_EFFECT_ADDRESS && image->decoder->is_argument(effect.to, 0)
                ? sca_code_functions_from(f, effect.value)
                : SCA_NO_CODE;
        if (found != SCA_NO_CODE && found != entry && !*f->list[found].name)
            f->list[found].name = "main";
        known = sca_code_image_code(image, code.address + in.length, &code);
    }
}

int sca_code_functions_read(struct sca_binary *binary, const struct sca_code_image *image,
                            struct sca_code_functions *out)
{
    size_t count;
    *out = (struct sca_code_functions){.symbols = sca_binary_symbols(binary, &count)};
    int status = add_frames(out, binary, image);
    if (!status) {
        keep_apart(out);
        status = add_symbols(out, out->symbols, count, image);
    }
    if (status) {
        sca_code_functions_free(out);
        return status;
    }
    keep_apart(out);
    set_names(out, out->symbols, count);
    out->named = !binary->stripped;
    for (uint32_t i = 0; i < out->count; i++)
        out->list[i].owner = i;
    if (!out->named)
        find_main(out, image);
    return SCA_OK;
}

void sca_code_functions_free(struct sca_code_functions *functions)
{
    free(functions->list);
    free(functions->pads.list);
    *functions = (struct sca_code_functions){0};
}

uint32_t sca_code_functions_at(const struct sca_code_functions *f, uint64_t address)
{
    uint32_t low = 0, high = f->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->list[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < f->list[low - 1].high ? low - 1 : SCA_NO_CODE;
}

uint32_t sca_code_functions_from(const struct sca_code_functions *f, uint64_t address)
{
    uint32_t found = sca_code_functions_at(f, address);
    return found != SCA_NO_CODE && f->list[found].low == address ? found : SCA_NO_CODE;
}
