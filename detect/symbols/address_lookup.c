#include "symbols/address_lookup.h"
#include "symbols/graph_match.h"
#include "symbols/inline_chain.h"
#include "symbols/recovered.h"
#include "sca_die.h"
#include "sca_error.h"

#include <dwarf.h>
#include <string.h>

#ifndef DW_AT_GNU_discriminator
#define DW_AT_GNU_discriminator 0x2136
#endif

struct look_up {
    struct sca_address_source from;
    struct sca_dwarf_unit *unit;
};

static const char *shown_name(const struct look_up *l, const struct sca_identity *who,
                              const struct sca_frame *frame)
{
    if (frame->function != SCA_NO_FUNCTION)
        return l->from.psg->functions[frame->function].name;
    if (!strncmp(who->linkage, "_Z", 2))
        return sca_binary_demangle(l->from.binary, who->linkage);
    return *who->name ? who->name : *who->linkage ? who->linkage : "?";
}

static int fill_frame(const struct look_up *l, const struct sca_identity *who,
                      const struct sca_line_row *at, struct sca_frame *frame)
{
    struct sca_arena *arena = l->from.arena;
    *frame = (struct sca_frame){.line = at->line};
    sca_graph_match_vertex(l->from.psg, who, at->discriminator, frame);
    const char *name = shown_name(l, who, frame);
    frame->name = name ? sca_arena_string(arena, name) : NULL;
    frame->file = sca_arena_string(arena, at->file ? at->file : "");
    return frame->name && frame->file ? SCA_OK : SCA_ENOMEM;
}

/* The compiler gives no graph to small change, such as vector::operator[]: it is its caller's
 * computation, inlined or not. `detail` marks frames compiled with graphs, but without their own.
 */
static void drop_details(const bool *detail, struct sca_address_info *place)
{
    uint32_t kept = 0;
    bool graph = false, all = true;
    for (uint32_t i = 0; i < place->nframes; i++) {
        graph |= place->frames[i].function != SCA_NO_FUNCTION;
        all &= detail[i];
    }
    place->user = !all;
    for (uint32_t i = 0; graph && i < place->nframes; i++)
        if (!detail[i])
            place->frames[kept++] = place->frames[i];
    place->nframes = graph ? kept : place->nframes;
}

/* A frame stands where the next one was inlined; the last one where the line table says. */
static int fill_frames(const struct look_up *l, struct sca_inline_chain *chain,
                       const struct sca_line_row *row, struct sca_address_info *out)
{
    bool detail[SCA_DEEPEST_CHAIN];
    int status = SCA_OK;
    for (size_t i = 0; !status && i < chain->count; i++) {
        struct sca_line_row at = *row;
        if (i + 1 < chain->count) {
            Dwarf_Die *call = &chain->die[i + 1];
            at = (struct sca_line_row){sca_die_file(&l->unit->die, call, DW_AT_call_file),
                                       sca_die_number(call, DW_AT_call_line),
                                       sca_die_number(call, DW_AT_GNU_discriminator), 0};
        }
        struct sca_identity who = sca_graph_match_identify(l->from.units, l->unit, &chain->die[i]);
        status = fill_frame(l, &who, &at, &out->frames[i]);
        detail[i] = who.unit->has_hash && out->frames[i].function == SCA_NO_FUNCTION;
    }
    out->nframes = status ? 0 : (uint32_t)chain->count;
    drop_details(detail, out);
    return status;
}

/* -g1 leaves out functions with nothing inlined into them: the symbol names them, the rows are all
 * their own. */
static int from_row_and_symbol(const struct look_up *l, uint64_t address,
                               struct sca_address_info *out)
{
    const struct sca_symbol *symbol = sca_binary_symbol(l->from.binary, address);
    struct sca_line_row row;
    struct sca_identity who = {l->unit, "", ""};
    struct sca_piece piece = {address, UINT64_MAX};
    if (symbol)
        piece = (struct sca_piece){symbol->address, symbol->address + symbol->size};
    if (!sca_compile_units_row(l->unit, address, piece, &row))
        return SCA_OK;
    out->frames = sca_arena_alloc(l->from.arena, 1, sizeof *out->frames);
    if (!out->frames)
        return SCA_ENOMEM;
    out->nframes = 1;
    int status = fill_frame(l, &who, &row, out->frames);
    if (!status && symbol && out->frames->function == SCA_NO_FUNCTION) {
        who.linkage = symbol->name;
        status = fill_frame(l, &who, &row, out->frames);
    }
    out->user = !(l->unit->has_hash && out->frames->function == SCA_NO_FUNCTION);
    return status;
}

int sca_address_lookup_in_dwarf(const struct sca_address_source *source,
                                struct sca_dwarf_unit *unit, uint64_t address,
                                struct sca_address_info *out)
{
    struct look_up look_up = {*source, unit};
    struct sca_inline_chain chain;
    struct sca_line_row row = {.address = address};
    struct sca_piece piece = {0, 0};
    Dwarf_Die *function = sca_compile_units_function(unit, address, &piece);
    if (!function)
        return from_row_and_symbol(&look_up, address, out);
    sca_inline_chain(unit, function, piece, &row, &chain);
    out->frames = sca_arena_alloc(source->arena, chain.count, sizeof *out->frames);
    return out->frames ? fill_frames(&look_up, &chain, &row, out) : SCA_ENOMEM;
}

static const char *name_by_address(const struct sca_address_source *s, uint64_t address)
{
    const char *slash = strrchr(s->binary->path, '/');
    return sca_arena_format(s->arena, "%s+0x%llx", slash ? slash + 1 : s->binary->path,
                            (unsigned long long)sca_binary_function_start(s->binary, address));
}

int sca_address_lookup_in_symbols(const struct sca_address_source *source, uint64_t address,
                                  struct sca_address_info *out)
{
    const struct sca_symbol *symbol = sca_binary_symbol(source->binary, address);
    struct sca_frame *frame = sca_arena_alloc(source->arena, 1, sizeof *frame);
    if (!frame)
        return SCA_ENOMEM;
    *frame = (struct sca_frame){.function = SCA_NO_FUNCTION, .file = ""};
    out->user = false;
    out->unnamed = !symbol;
    frame->name = symbol ? sca_binary_demangle(source->binary, symbol->name)
                         : name_by_address(source, address);
    out->frames = frame;
    out->nframes = 1;
    return frame->name ? SCA_OK : SCA_ENOMEM;
}

/* The line of the address itself, where debug information sees the same functions active there. */
static void set_line(struct sca_dwarf_unit *unit, uint64_t address, struct sca_frame *frames,
                     uint32_t count)
{
    struct sca_inline_chain chain = {.count = 1};
    struct sca_line_row row = {.address = address};
    struct sca_piece piece = {address, address + 1};
    Dwarf_Die *function = sca_compile_units_function(unit, address, &piece);
    if (function)
        sca_inline_chain(unit, function, piece, &row, &chain);
    else if (!sca_compile_units_row(unit, address, piece, &row))
        return;
    if (chain.count == count && row.file && row.line) {
        frames[count - 1].file = row.file;
        frames[count - 1].line = row.line;
    }
}

int sca_address_lookup_recovered(const struct sca_address_source *source,
                                 struct sca_dwarf_unit *unit, uint64_t address,
                                 struct sca_address_info *out)
{
    struct sca_frame frames[SCA_DEEPEST_CHAIN];
    uint32_t count = sca_recovered_frames(source->structure, source->psg, address, frames);
    if (!count)
        return SCA_OK;
    if (unit)
        set_line(unit, address, frames, count);
    out->frames = sca_arena_alloc(source->arena, count, sizeof *out->frames);
    if (!out->frames)
        return SCA_ENOMEM;
    memcpy(out->frames, frames, count * sizeof *frames);
    out->nframes = count;
    out->user = true;
    return SCA_OK;
}
