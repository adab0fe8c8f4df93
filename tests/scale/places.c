#include "places.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct row { /* of the line table: [begin, end) belongs to line */
    uint32_t line;
    uint64_t begin, end;
};

struct binary {
    const char *path;
    Elf *elf;
    Dwarf *dwarf;
    struct row *rows; /* by line */
    size_t nrows, room;
};

static void die(const struct binary *b, const char *what, uint32_t line)
{
    fprintf(stderr, "%s: %s, line %u\n", b->path, what, line);
    exit(EXIT_FAILURE);
}

static void add_row(struct binary *b, struct row row)
{
    if (b->nrows == b->room) {
        b->room = b->room ? 2 * b->room : 4096;
        b->rows = realloc(b->rows, b->room * sizeof *b->rows);
        if (!b->rows)
            die(b, "no memory", 0);
    }
    b->rows[b->nrows++] = row;
}

static void read_unit(struct binary *b, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t n = 0;
    if (dwarf_getsrclines(unit, &lines, &n))
        return;
    for (size_t i = 0; i + 1 < n; i++) {
        Dwarf_Line *at = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr begin = 0, end = 0;
        int line = 0;
        bool last = true;
        dwarf_lineaddr(at, &begin);
        dwarf_lineaddr(next, &end);
        dwarf_lineno(at, &line);
        dwarf_lineendsequence(at, &last);
        if (!last && line > 0 && begin < end)
            add_row(b, (struct row){(uint32_t)line, begin, end});
    }
}

static int by_line(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void read_rows(struct binary *b)
{
    Dwarf_Off at = 0, next;
    size_t header;
    Dwarf_Die unit;
    while (!dwarf_nextcu(b->dwarf, at, &next, &header, NULL, NULL, NULL)) {
        if (dwarf_offdie(b->dwarf, at + header, &unit))
            read_unit(b, &unit);
        at = next;
    }
    if (!b->nrows)
        die(b, "no line table", 0);
    qsort(b->rows, b->nrows, sizeof *b->rows, by_line);
}

/* The executable section around an address; its bytes if `bytes`. */
static bool code_at(const struct binary *b, uint64_t address, const uint8_t **bytes, uint64_t *left)
{
    for (Elf_Scn *s = NULL; (s = elf_nextscn(b->elf, s));) {
        GElf_Shdr h;
        if (!gelf_getshdr(s, &h) || !(h.sh_flags & SHF_EXECINSTR) || address < h.sh_addr ||
            address - h.sh_addr >= h.sh_size)
            continue;
        Elf_Data *data = elf_rawdata(s, NULL);
        if (bytes && data && data->d_buf) {
            *bytes = (const uint8_t *)data->d_buf + (address - h.sh_addr);
            *left = h.sh_size - (address - h.sh_addr);
        }
        return true;
    }
    return false;
}

/* The first row of a line, by bisection; nrows if there is none. */
static size_t first_row(const struct binary *b, uint32_t line)
{
    size_t low = 0, high = b->nrows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->rows[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* An instruction of the line: the first of its longest row. */
static uint64_t body(const struct binary *b, uint32_t line)
{
    uint64_t begin = 0, longest = 0;
    for (size_t i = first_row(b, line); i < b->nrows && b->rows[i].line == line; i++)
        if (b->rows[i].end - b->rows[i].begin > longest) {
            longest = b->rows[i].end - b->rows[i].begin;
            begin = b->rows[i].begin;
        }
    if (!longest)
        die(b, "no code of a loop", line);
    return begin;
}

static uint64_t call_in(const struct binary *b, const struct row *row)
{
    enum { CALL = 0xE8, LENGTH = 5 };
    const uint8_t *code = NULL;
    uint64_t left = 0;
    code_at(b, row->begin, &code, &left);
    for (uint64_t at = row->begin; code && at < row->end && left >= LENGTH; at++, code++, left--) {
        int32_t distance;
        memcpy(&distance, code + 1, sizeof distance);
        if (*code == CALL && code_at(b, at + LENGTH + (uint64_t)(int64_t)distance, NULL, NULL))
            return at + LENGTH;
    }
    return 0;
}

/* The address that the call on this line returns to. */
static uint64_t call(const struct binary *b, uint32_t line)
{
    for (size_t i = first_row(b, line); i < b->nrows && b->rows[i].line == line; i++) {
        uint64_t found = call_in(b, &b->rows[i]);
        if (found)
            return found;
    }
    die(b, "no call", line);
    return 0;
}

static void read_build_id(struct binary *b, struct scale_places *out)
{
    const void *id;
    ssize_t size = dwelf_elf_gnu_build_id(b->elf, &id);
    if (size <= 0 || (size_t)size > sizeof out->build_id)
        die(b, "no build-id", 0);
    memcpy(out->build_id, id, (size_t)size);
    out->build_id_size = (uint32_t)size;
}

void scale_places_read(const char *path, uint32_t phases, struct scale_places *out)
{
    struct binary b = {.path = path};
    int file = open(path, O_RDONLY);
    elf_version(EV_CURRENT);
    b.elf = file < 0 ? NULL : elf_begin(file, ELF_C_READ_MMAP, NULL);
    b.dwarf = b.elf ? dwarf_begin_elf(b.elf, DWARF_C_READ, NULL) : NULL;
    if (!b.dwarf)
        die(&b, "not a program with debug information", 0);
    read_rows(&b);
    read_build_id(&b, out);
    out->phases = calloc(phases, sizeof *out->phases);
    for (uint32_t p = 0; out->phases && p < phases; p++) {
        struct scale_phase_places *to = &out->phases[p];
        to->main_call = call(&b, scale_main_line(phases, p));
        for (int l = 0; l < SCALE_LOOPS; l++)
            to->loop[l] = l == SCALE_OUTER ? 0 : body(&b, scale_body_line(p, l));
        for (int c = 0; c < SCALE_CALLS; c++)
            to->call[c] = call(&b, scale_mpi_line(p, c));
    }
    free(b.rows);
    dwarf_end(b.dwarf);
    elf_end(b.elf);
    close(file);
}
