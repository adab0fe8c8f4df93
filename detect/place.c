#include "place.h"
#include "sca_error.h"

#include <dwarf.h>
#include <string.h>

#ifndef DW_AT_GNU_discriminator
#define DW_AT_GNU_discriminator 0x2136
#endif

enum { DEEPEST_CHAIN = 64 };

struct chain { /* a function and what is inlined into it around an address, outermost first */
    Dwarf_Die die[DEEPEST_CHAIN];
    size_t count;
};

struct look_up {
    struct sca_attribution *attribution;
    struct sca_binary *binary;
    const struct sca_units *units;
    struct sca_dwarf_unit *unit;
};

/* ---- the inline chain ---- */

static bool is_scope(int tag)
{
    return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
           tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static bool child_with(Dwarf_Die *scope, uint64_t address, Dwarf_Die *found)
{
    Dwarf_Die die;
    if (dwarf_child(scope, &die))
        return false;
    for (;;) {
        Dwarf_Off offset = dwarf_dieoffset(&die);
        if (is_scope(dwarf_tag(&die)) && dwarf_haspc(&die, address) > 0) {
            *found = die;
            return true;
        }
        if (dwarf_siblingof(&die, &die) || dwarf_dieoffset(&die) <= offset)
            return false;
    }
}

/* The concrete tree of a function nests as the inlining did: walking down loses no level. */
static void find_chain(Dwarf_Die *function, uint64_t address, struct chain *chain)
{
    Dwarf_Die scope = *function, next;
    chain->die[0] = scope;
    chain->count = 1;
    while (chain->count < DEEPEST_CHAIN && child_with(&scope, address, &next)) {
        scope = next;
        if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine)
            chain->die[chain->count++] = scope;
    }
}

static bool same_die(Dwarf_Die *a, Dwarf_Die *b)
{
    return a->addr == b->addr;
}

/* The row of an address and what is inlined there: a row belongs to what is inlined where it is.
 * Code without a line of its own, as the jump behind a call: LLVM takes it for inlined no further
 * than what stands before it in its basic block, so if that is the same call its row is the row
 * before. Else it begins a block, which the next row tells of. */
static void find_row(struct sca_dwarf_unit *unit, Dwarf_Die *function, struct sca_piece piece,
                     struct sca_row *row, struct chain *chain)
{
    struct sca_row before;
    struct chain earlier;
    uint64_t address = row->address;
    bool found = sca_unit_row(unit, address, piece, row);
    find_chain(function, address, chain);
    if (found && row->address == address)
        return;
    size_t last = chain->count - 1;
    if (last && sca_unit_row_before(unit, address, piece, &before)) {
        find_chain(function, before.address, &earlier);
        if (last < earlier.count && same_die(&earlier.die[last], &chain->die[last])) {
            *row = before;
            *chain = earlier;
            return;
        }
    }
    find_chain(function, row->address, chain);
}

/* ---- names ---- */

/* Where the function is declared with its name: the unit of that DIE numbers its vertices. */
static Dwarf_Die origin_of(Dwarf_Die *die)
{
    static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
    Dwarf_Die at = *die, next;
    Dwarf_Attribute attribute;
    for (int i = 0; i < 2; i++)
        if (dwarf_formref_die(dwarf_attr(&at, links[i], &attribute), &next))
            at = next;
    return at;
}

static const char *linkage_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (!name)
        name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
    return name ? name : "";
}

/* Bytes of a name before its template arguments: all of "operator<", as far as "operator=<int>". */
static size_t stem(const char *name)
{
    static const char *const symbols[] = {
        /* longer ones first */
        "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "==", "<", ">", "="};
    static const char word[] = "operator";
    size_t length = strlen(word);
    if (strncmp(name, word, length))
        return strcspn(name, "<");
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!strncmp(name + length, symbols[i], strlen(symbols[i])))
            return length + strlen(symbols[i]);
    return length + strcspn(name + length, "<");
}

static bool contains(const char *text, const char *part, size_t length)
{
    for (; *text; text++)
        if (!strncmp(text, part, length))
            return true;
    return false;
}

bool sca_is_named(const struct sca_function *function, const char *linkage, const char *name)
{
    if (*linkage)
        return !strcmp(function->linkage, linkage);
    size_t length = stem(name);
    return !length || contains(function->name, name, length) ||
           contains(function->linkage, name, length);
}

/* ---- vertices ---- */

static bool find_in_unit(struct sca_psg *psg, uint64_t hash, uint32_t id, struct sca_frame *frame)
{
    const struct sca_unit *unit = sca_psg_unit(psg, hash);
    return unit && id && !sca_psg_find(psg, unit, id, &frame->function, &frame->vertex);
}

/* -g1 under LTO repeats a foreign function's DIE in the unit it was inlined into: its ids are still
 * those of the unit it was compiled in. */
static bool find_anywhere(struct sca_psg *psg, uint32_t id, const char *linkage, const char *name,
                          struct sca_frame *frame)
{
    bool known = *linkage || *name;
    for (uint32_t u = 0; known && id && u < psg->nunits; u++)
        if (!sca_psg_find(psg, &psg->units[u], id, &frame->function, &frame->vertex) &&
            sca_is_named(&psg->functions[frame->function], linkage, name))
            return true;
    return false;
}

/* Without an id: the unit's function by name, and the innermost vertex around the line. */
static bool find_by_line(struct sca_psg *psg, uint64_t hash, const char *linkage, const char *name,
                         struct sca_frame *frame)
{
    const struct sca_unit *unit = sca_psg_unit(psg, hash);
    for (uint32_t e = 0; unit && e < unit->nentries; e++) {
        if (sca_psg_find(psg, unit, unit->entries[e].first_id, &frame->function, &frame->vertex))
            continue;
        const struct sca_function *f = &psg->functions[frame->function];
        if (!sca_is_named(f, linkage, name) || (!*linkage && strcmp(f->name, name)))
            continue;
        for (uint32_t v = 1; v < f->nvertices; v++)
            if (f->vertices[v].kind == SCA_LOOP && f->vertices[v].line <= frame->line &&
                frame->line <= f->vertices[v].end_line)
                frame->vertex = v;
        return true;
    }
    return false;
}

struct identity { /* of a function: which unit numbers its vertices, and what it is called */
    const struct sca_dwarf_unit *unit;
    const char *linkage, *name; /* both "": whatever the id says */
};

static void find_vertex(struct sca_psg *psg, const struct identity *who, uint32_t id,
                        struct sca_frame *frame)
{
    uint64_t hash = who->unit->hash;
    const char *linkage = who->linkage, *name = who->name;
    if (who->unit->has_hash && find_in_unit(psg, hash, id, frame) &&
        sca_is_named(&psg->functions[frame->function], linkage, name))
        return;
    if (who->unit->has_hash && (find_anywhere(psg, id, linkage, name, frame) ||
                                find_by_line(psg, hash, linkage, name, frame)))
        return;
    frame->function = SCA_NO_FUNCTION;
    frame->vertex = 0;
}

/* ---- frames ---- */

static uint32_t number(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) || value > UINT32_MAX)
        return 0;
    return (uint32_t)value;
}

static const char *call_file(Dwarf_Die *unit, Dwarf_Die *inlined)
{
    Dwarf_Files *files;
    size_t count;
    uint32_t index = number(inlined, DW_AT_call_file);
    if (dwarf_getsrcfiles(unit, &files, &count) || index >= count)
        return NULL;
    return dwarf_filesrc(files, index, NULL, NULL);
}

static const char *shown_name(const struct look_up *l, const struct identity *who,
                              const struct sca_frame *frame)
{
    if (frame->function != SCA_NO_FUNCTION)
        return l->attribution->psg.functions[frame->function].name;
    if (!strncmp(who->linkage, "_Z", 2))
        return sca_binary_demangle(l->binary, who->linkage);
    return *who->name ? who->name : *who->linkage ? who->linkage : "?";
}

static int fill_frame(const struct look_up *l, const struct identity *who, const struct sca_row *at,
                      struct sca_frame *frame)
{
    struct sca_arena *arena = &l->attribution->arena;
    *frame = (struct sca_frame){.line = at->line};
    find_vertex(&l->attribution->psg, who, at->discriminator, frame);
    const char *name = shown_name(l, who, frame);
    frame->name = name ? sca_arena_string(arena, name) : NULL;
    frame->file = sca_arena_string(arena, at->file ? at->file : "");
    return frame->name && frame->file ? SCA_OK : SCA_ENOMEM;
}

static struct identity identify(const struct look_up *l, Dwarf_Die *die)
{
    Dwarf_Die origin = origin_of(die);
    const struct sca_dwarf_unit *unit = sca_units_of(l->units, &origin);
    const char *name = dwarf_diename(die);
    return (struct identity){unit ? unit : l->unit, linkage_name(die), name ? name : ""};
}

/* The compiler gives no graph to small change, such as vector::operator[]: it is its caller's
 * computation, inlined or not. `detail` marks frames compiled with graphs, but without their own.
 */
static void drop_details(const bool *detail, struct sca_place *place)
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
static int fill_frames(const struct look_up *l, struct chain *chain, const struct sca_row *row,
                       struct sca_place *out)
{
    bool detail[DEEPEST_CHAIN];
    int status = SCA_OK;
    for (size_t i = 0; !status && i < chain->count; i++) {
        struct sca_row at = *row;
        if (i + 1 < chain->count) {
            Dwarf_Die *call = &chain->die[i + 1];
            at = (struct sca_row){call_file(&l->unit->die, call), number(call, DW_AT_call_line),
                                  number(call, DW_AT_GNU_discriminator), 0};
        }
        struct identity who = identify(l, &chain->die[i]);
        status = fill_frame(l, &who, &at, &out->frames[i]);
        detail[i] = who.unit->has_hash && out->frames[i].function == SCA_NO_FUNCTION;
    }
    out->nframes = status ? 0 : (uint32_t)chain->count;
    drop_details(detail, out);
    return status;
}

/* -g1 leaves out functions with nothing inlined into them: the symbol names them, the rows are all
 * their own. */
static int from_row_and_symbol(const struct look_up *l, uint64_t address, struct sca_place *out)
{
    const struct sca_symbol *symbol = sca_binary_symbol(l->binary, address);
    struct sca_row row;
    struct identity who = {l->unit, "", ""};
    struct sca_piece piece = {address, UINT64_MAX};
    if (symbol)
        piece = (struct sca_piece){symbol->address, symbol->address + symbol->size};
    if (!sca_unit_row(l->unit, address, piece, &row))
        return SCA_OK;
    out->frames = sca_arena_alloc(&l->attribution->arena, 1, sizeof *out->frames);
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

int sca_place_from_dwarf(struct sca_attribution *a, struct sca_binary *binary,
                         const struct sca_units *units, struct sca_dwarf_unit *unit,
                         uint64_t address, struct sca_place *out)
{
    struct look_up look_up = {a, binary, units, unit};
    struct chain chain;
    struct sca_row row = {.address = address};
    struct sca_piece piece = {0, 0};
    Dwarf_Die *function = sca_unit_function(unit, address, &piece);
    if (!function)
        return from_row_and_symbol(&look_up, address, out);
    find_row(unit, function, piece, &row, &chain);
    out->frames = sca_arena_alloc(&a->arena, chain.count, sizeof *out->frames);
    return out->frames ? fill_frames(&look_up, &chain, &row, out) : SCA_ENOMEM;
}

int sca_place_from_symbol(struct sca_attribution *a, struct sca_binary *binary, uint64_t address,
                          struct sca_place *out)
{
    const struct sca_symbol *symbol = sca_binary_symbol(binary, address);
    const char *name = symbol ? sca_binary_demangle(binary, symbol->name) : NULL;
    const char *slash = strrchr(binary->path, '/');
    if (!symbol)
        name = sca_arena_format(&a->arena, "%s+0x%llx", slash ? slash + 1 : binary->path,
                                (unsigned long long)sca_binary_function_start(binary, address));
    out->frames = sca_arena_alloc(&a->arena, 1, sizeof *out->frames);
    if (!out->frames || !name)
        return SCA_ENOMEM;
    out->nframes = 1;
    out->user = false;
    *out->frames = (struct sca_frame){.function = SCA_NO_FUNCTION, .name = name, .file = ""};
    return SCA_OK;
}
