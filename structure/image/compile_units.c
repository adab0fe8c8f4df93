#include "sca_compile_units.h"
#include "sca_arena.h"
#include "sca_error.h"
#include "sca_psg.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST_SCOPE = 32,
    LONGEST_PROLOGUE = 32 /* bytes: six registers saved, stack and frame pointer set */
};

/* ---- ranges ---- */

static int add_range(struct sca_ranges *r, uint64_t low, uint64_t high, size_t index)
{
    if (!low || low >= high) /* what the linker threw away stays behind at address 0 */
        return SCA_OK;
    if (sca_arena_grow(&r->list, sizeof *r->list, r->count, &r->capacity))
        return SCA_ENOMEM;
    r->list[r->count++] = (struct sca_range){low, high, index};
    return SCA_OK;
}

static int add_die_ranges(struct sca_ranges *r, Dwarf_Die *die, size_t index)
{
    Dwarf_Addr base = 0, low, high;
    ptrdiff_t offset = 0;
    while ((offset = dwarf_ranges(die, offset, &base, &low, &high)) > 0)
        if (add_range(r, low, high, index))
            return SCA_ENOMEM;
    return SCA_OK;
}

static int by_low(const void *a, const void *b)
{
    const struct sca_range *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? 1 : -1; /* the innermost last */
    return (x->index > y->index) - (x->index < y->index);
}

static void sort_ranges(struct sca_ranges *r)
{
    if (r->count)
        qsort(r->list, r->count, sizeof *r->list, by_low);
    for (size_t i = 1; i < r->count && !r->nested; i++)
        r->nested = r->list[i].low < r->list[i - 1].high;
}

static const struct sca_range *find_range(const struct sca_ranges *r, uint64_t address)
{
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->list[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low > 0; low--) {
        if (address < r->list[low - 1].high)
            return &r->list[low - 1];
        if (!r->nested)
            break;
    }
    return NULL;
}

/* ---- functions of a unit ---- */

static int add_function(struct sca_dwarf_unit *u, Dwarf_Die *die)
{
    if (sca_arena_grow(&u->functions, sizeof *u->functions, u->nfunctions, &u->capacity))
        return SCA_ENOMEM;
    u->functions[u->nfunctions] = *die;
    return add_die_ranges(&u->ranges, die, u->nfunctions++);
}

/* Functions stand at the top, in namespaces and Fortran modules, and inside other functions. */
static int collect_functions(struct sca_dwarf_unit *u, Dwarf_Die *scope, int depth)
{
    Dwarf_Die die;
    if (depth > DEEPEST_SCOPE || dwarf_child(scope, &die))
        return SCA_OK;
    for (;;) {
        Dwarf_Off offset = dwarf_dieoffset(&die);
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram && add_function(u, &die))
            return SCA_ENOMEM;
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_namespace || tag == DW_TAG_module) &&
            collect_functions(u, &die, depth + 1))
            return SCA_ENOMEM;
        if (dwarf_siblingof(&die, &die) || dwarf_dieoffset(&die) <= offset)
            return SCA_OK;
    }
}

static int index_functions(struct sca_dwarf_unit *u)
{
    if (u->indexed)
        return SCA_OK;
    u->indexed = true;
    int status = collect_functions(u, &u->body, 0);
    sort_ranges(&u->ranges);
    return status;
}

Dwarf_Die *sca_compile_units_function(struct sca_dwarf_unit *u, uint64_t address,
                                      struct sca_piece *piece)
{
    if (index_functions(u))
        return NULL;
    const struct sca_range *range = find_range(&u->ranges, address);
    if (!range)
        return NULL;
    *piece = (struct sca_piece){range->low, range->high};
    return &u->functions[range->index];
}

/* ---- units ---- */

static void read_hash(struct sca_dwarf_unit *u)
{
    Dwarf_Attribute attribute;
    const char *producer = dwarf_formstring(dwarf_attr(&u->body, DW_AT_producer, &attribute));
    const char *mark = producer ? strstr(producer, SCA_PRODUCER_PREFIX) : NULL;
    const char *digits = mark ? mark + strlen(SCA_PRODUCER_PREFIX) : "";
    if (strspn(digits, "0123456789abcdef") < 16)
        return;
    for (int i = 0; i < 16; i++) {
        char c = digits[i];
        u->hash = u->hash << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    u->has_hash = true;
}

/* With -gsplit-dwarf: the file that has all of the unit but its ranges and lines. */
static const char *split_file(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr(die, DW_AT_dwo_name, &attribute));
    return name ? name : dwarf_formstring(dwarf_attr(die, DW_AT_GNU_dwo_name, &attribute));
}

/* The file that `dwz -m` moved to what several programs have in common. */
static const char *absent_supplement(Dwarf *dwarf)
{
    const char *name;
    const void *id;
    bool named = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) > 0;
    return named && !dwarf_getalt(dwarf) ? name : NULL;
}

/* A unit without ranges of its own is covered by those of its functions. */
static int add_unit(struct sca_units *all, Dwarf_Die *die, Dwarf_Die *split)
{
    if (sca_arena_grow(&all->units, sizeof *all->units, all->count, &all->capacity))
        return SCA_ENOMEM;
    size_t index = all->count++, before = all->ranges.count;
    struct sca_dwarf_unit *u = &all->units[index];
    *u = (struct sca_dwarf_unit){.die = *die, .body = dwarf_tag(split) > 0 ? *split : *die};
    read_hash(u);
    int status = add_die_ranges(&all->ranges, die, index);
    if (status || all->ranges.count > before)
        return status;
    status = index_functions(u);
    for (size_t i = 0; !status && i < u->ranges.count; i++)
        status = add_range(&all->ranges, u->ranges.list[i].low, u->ranges.list[i].high, index);
    return status;
}

int sca_compile_units_read(Dwarf *dwarf, struct sca_units *out)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, split;
    int status = SCA_OK;
    *out = (struct sca_units){.absent = absent_supplement(dwarf)};
    while (!status && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, &split) == 0) {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_compile_unit || tag == DW_TAG_skeleton_unit)
            status = add_unit(out, &die, &split);
        if (!out->absent && dwarf_tag(&split) <= 0)
            out->absent = split_file(&die);
    }
    sort_ranges(&out->ranges);
    return status;
}

void sca_compile_units_free(struct sca_units *units)
{
    for (size_t i = 0; i < units->count; i++) {
        free(units->units[i].functions);
        free(units->units[i].ranges.list);
    }
    free(units->units);
    free(units->ranges.list);
    *units = (struct sca_units){0};
}

struct sca_dwarf_unit *sca_compile_units_at(const struct sca_units *units, uint64_t address)
{
    const struct sca_range *range = find_range(&units->ranges, address);
    return range ? &units->units[range->index] : NULL;
}

struct sca_dwarf_unit *sca_compile_units_of(const struct sca_units *units, Dwarf_Die *die)
{
    Dwarf_Die unit;
    if (!dwarf_diecu(die, &unit, NULL, NULL))
        return NULL;
    Dwarf_Off offset = dwarf_dieoffset(&unit);
    size_t low = 0, high = units->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (dwarf_dieoffset(&units->units[middle].die) < offset)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < units->count && units->units[low].die.addr == unit.addr;
    return found ? &units->units[low] : NULL;
}

/* ---- rows ---- */

/* The last row at or below the address; false if the address lies behind a sequence's end. */
static bool find_row(Dwarf_Lines *lines, size_t count, uint64_t address, size_t *index)
{
    size_t low = 0, high = count;
    bool ends = true;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        Dwarf_Addr at = 0;
        if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at) || at > address)
            high = middle;
        else
            low = middle + 1;
    }
    *index = low - 1;
    return low && !dwarf_lineendsequence(dwarf_onesrcline(lines, *index), &ends) && !ends;
}

static bool has_line(Dwarf_Lines *lines, size_t index, int *line)
{
    return !dwarf_lineno(dwarf_onesrcline(lines, index), line) && *line > 0;
}

/* The row a function begins with names its first line, without an id. LLVM lets it hold for all
 * that has no place up to the first instruction with one, which may be inside a loop: behind the
 * prologue it is no better than a row of line 0. */
static bool is_entry_row(const struct sca_dwarf_unit *u, Dwarf_Line *row, uint64_t address,
                         struct sca_piece piece)
{
    Dwarf_Addr at;
    unsigned id = 0;
    return u->has_hash && address - piece.low >= LONGEST_PROLOGUE && !dwarf_lineaddr(row, &at) &&
           at == piece.low && !dwarf_linediscriminator(row, &id) && !id;
}

/* From `index` on, the first row of the piece of code that has a line; false: none. */
static bool next_line(Dwarf_Lines *lines, size_t count, size_t *index, uint64_t limit, int *line)
{
    for (; !has_line(lines, *index, line); ++*index) {
        Dwarf_Line *next = *index + 1 < count ? dwarf_onesrcline(lines, *index + 1) : NULL;
        Dwarf_Addr at;
        bool ends = true;
        if (!next || dwarf_lineaddr(next, &at) || at >= limit ||
            dwarf_lineendsequence(next, &ends) || ends)
            return false;
    }
    return true;
}

static void fill_row(Dwarf_Line *row, int line, uint64_t address, struct sca_line_row *out)
{
    unsigned discriminator = 0;
    *out = (struct sca_line_row){dwarf_linesrc(row, NULL, NULL), (uint32_t)line, 0, address};
    if (!dwarf_linediscriminator(row, &discriminator))
        out->discriminator = discriminator;
}

bool sca_compile_units_row_before(struct sca_dwarf_unit *u, uint64_t address,
                                  struct sca_piece piece, struct sca_line_row *out)
{
    Dwarf_Lines *lines;
    Dwarf_Addr behind;
    size_t count, index;
    int line = 0;
    if (dwarf_getsrclines(&u->die, &lines, &count) || !find_row(lines, count, address, &index) ||
        has_line(lines, index, &line))
        return false;
    for (; !has_line(lines, index, &line); index--)
        if (dwarf_lineaddr(dwarf_onesrcline(lines, index), &behind) || behind <= piece.low ||
            !index)
            return false;
        else
            address = behind - 1;
    fill_row(dwarf_onesrcline(lines, index), line, address, out);
    return true;
}

bool sca_compile_units_row(struct sca_dwarf_unit *u, uint64_t address, struct sca_piece piece,
                           struct sca_line_row *out)
{
    Dwarf_Lines *lines;
    size_t count, index, behind;
    int line = 0;
    if (dwarf_getsrclines(&u->die, &lines, &count) || !find_row(lines, count, address, &index))
        return false;
    behind = index + 1;
    if (is_entry_row(u, dwarf_onesrcline(lines, index), address, piece) && behind < count &&
        next_line(lines, count, &behind, piece.high, &line))
        index = behind;
    if (!next_line(lines, count, &index, piece.high, &line))
        return false;
    Dwarf_Line *row = dwarf_onesrcline(lines, index);
    Dwarf_Addr begin;
    bool other = !dwarf_lineaddr(row, &begin) && begin > address;
    fill_row(row, line, other ? begin : address, out);
    return true;
}
