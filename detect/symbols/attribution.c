#include "symbols/attribution.h"
#include "sca_binary.h"
#include "sca_progress.h"
#include "symbols/address_lookup.h"
#include "symbols/application.h"
#include "symbols/file_notes.h"
#include "symbols/recovered.h"
#include "sca_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1 /* what does not fit is worked out again */
#include <uthash.h>

enum { NOTE = 1024 };

struct place_key {
    uint64_t address;
    uint32_t module, reserved;
};

struct sca_address_memo {
    struct place_key key;
    struct sca_address_info place;
    UT_hash_handle hh;
};

int sca_attribution_note(struct sca_attribution *a, const char *format, ...)
{
    char text[NOTE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *note = sca_arena_string(&a->arena, text);
    if (!note || sca_arena_grow(&a->notes, sizeof *a->notes, a->nnotes, &a->notes_capacity))
        return SCA_ENOMEM;
    a->notes[a->nnotes++] = note;
    return SCA_OK;
}

/* ---- modules ---- */

/* What was compiled without scalana-static has its graph in its machine code. */
static int recover(struct sca_attribution *a, struct sca_code *code)
{
    if (!sca_recovered_is_wanted(code->binary, &code->units))
        return SCA_OK;
    sca_progress_watch("recovering the structure of %s", code->path);
    int status = sca_structure_cached(code->binary, &code->units, a->cache, &code->structure);
    sca_progress_watch("reading the program's symbols and lines");
    if (status == SCA_EFORMAT) /* of a machine that is not known: functions and lines only */
        return SCA_OK;
    code->recovered = !status;
    return status ? status
                  : sca_psg_add(&a->psg, code->structure.psg, code->structure.psg_size, code->path);
}

/* A library that is gone, changed or damaged costs names, not the analysis. */
static int put_up_with(struct sca_attribution *a, const struct sca_code *code, int status)
{
    if (!status || code->program || status == SCA_ENOMEM)
        return status;
    return sca_attribution_note(a, "a library's functions stay unnamed: %s", sca_error_message());
}

static int open_module(struct sca_attribution *a, struct sca_code *code)
{
    bool file = code->path[0] == '/'; /* not "[vdso]" */
    if (code->program && !file)
        return sca_fail(SCA_ENOTFOUND, "the run does not record the path of its program \"%s\"",
                        code->path);
    const struct sca_module module = {.path = code->path, .build_id = code->build_id};
    int status = SCA_OK;
    if (file)
        status = sca_find_binary(&a->places, &module, code->program, &code->binary);
    if (!status && file && code->binary->psg)
        status = sca_psg_add(&a->psg, code->binary->psg, code->binary->psg_size, code->path);
    return put_up_with(a, code, status);
}

/* Of the system's libraries nothing is shown: their symbols do. */
static int read_module(struct sca_attribution *a, struct sca_code *code)
{
    if (!code->application)
        return SCA_OK;
    Dwarf *dwarf = sca_binary_dwarf(code->binary);
    int status = dwarf ? sca_compile_units_read(dwarf, &code->units) : SCA_OK;
    return put_up_with(a, code, status ? status : recover(a, code));
}

int sca_attribution_add(struct sca_attribution *a, const struct sca_module *module, bool program,
                        uint32_t *index)
{
    for (*index = 0; *index < a->nmodules; ++*index) {
        struct sca_code *known = &a->modules[*index];
        if (!strcmp(known->path, module->path) && !strcmp(known->build_id, module->build_id))
            return SCA_OK;
    }
    if (sca_arena_grow(&a->modules, sizeof *a->modules, a->nmodules, &a->modules_capacity))
        return SCA_ENOMEM;
    struct sca_code *code = &a->modules[a->nmodules];
    *code = (struct sca_code){.path = sca_arena_string(&a->arena, module->path),
                              .build_id = sca_arena_string(&a->arena, module->build_id),
                              .program = program};
    if (!code->path || !code->build_id)
        return SCA_ENOMEM;
    a->nmodules++;
    return open_module(a, code);
}

int sca_attribution_ready(struct sca_attribution *a)
{
    char note[NOTE];
    int status = SCA_OK;
    sca_application_find(a->modules, a->nmodules);
    for (uint32_t i = 0; !status && i < a->nmodules; i++)
        status = read_module(a, &a->modules[i]);
    for (uint32_t i = 0; !status && i < a->nmodules; i++)
        if (sca_file_note(a->modules, a->nmodules, i, note, sizeof note))
            status = sca_attribution_note(a, "%s", note);
    return status;
}

void sca_attribution_free(struct sca_attribution *a)
{
    struct sca_address_memo *memo, *next;
    HASH_ITER(hh, a->memo, memo, next) HASH_DEL(a->memo, memo);
    for (uint32_t i = 0; i < a->nmodules; i++) {
        sca_structure_free(&a->modules[i].structure);
        sca_compile_units_free(&a->modules[i].units);
        sca_binary_close(a->modules[i].binary);
    }
    free(a->modules);
    free(a->notes);
    sca_psg_free(&a->psg);
    sca_arena_free(&a->arena);
    *a = (struct sca_attribution){0};
}

/* ---- places ---- */

static bool is_users(const struct sca_code *code, const struct sca_address_info *place)
{
    if (code->binary && code->binary->psg && code->units.count)
        return place->user;
    return code->program || (place->user && code->application);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* flang links its runtime library into every program. */
static bool is_of_flang(const char *function)
{
    return strstr(function, "_Fortran") || strstr(function, "Fortran::");
}

const char *sca_attribution_ungraphed(const struct sca_attribution *a, uint32_t module,
                                      const struct sca_address_info *place)
{
    const struct sca_code *code = &a->modules[module];
    const struct sca_frame *frame = place->nframes ? &place->frames[place->nframes - 1] : NULL;
    bool graph = code->binary && code->binary->psg && code->units.count && !code->units.absent;
    for (uint32_t i = 0; i < place->nframes; i++)
        if (place->frames[i].function != SCA_NO_FUNCTION)
            return NULL;
    bool users = place->user || (frame && !frame->line); /* or not even compiled with -g */
    if (!frame || !users || (code->program ? !graph : !code->application))
        return NULL;
    if (!code->program)
        return base_name(code->path);
    if (!*frame->file && is_of_flang(frame->name))
        return NULL;
    return *frame->file ? base_name(frame->file) : frame->name;
}

const char *sca_attribution_system_library(const struct sca_attribution *a, uint32_t module)
{
    const struct sca_code *code = &a->modules[module];
    return sca_application_is_system_library(code, a->modules, a->nmodules) ? base_name(code->path)
                                                                            : NULL;
}

static int work_out(struct sca_attribution *a, struct sca_code *code, uint64_t address,
                    struct sca_address_info *place)
{
    place->program = code->program;
    /* a call on its way to another file: like what it calls, it belongs to its caller */
    if (code->binary && sca_binary_is_stub(code->binary, address))
        return SCA_OK;
    struct sca_dwarf_unit *unit = code->binary ? sca_compile_units_at(&code->units, address) : NULL;
    struct sca_address_source source = {&a->arena, &a->psg, code->binary, &code->units,
                                        code->recovered ? &code->structure : NULL};
    int status = SCA_OK;
    if (source.structure && !(unit && unit->has_hash))
        status = sca_address_lookup_recovered(&source, unit, address, place);
    if (!status && unit && !place->nframes)
        status = sca_address_lookup_in_dwarf(&source, unit, address, place);
    if (!status && code->binary && !place->nframes)
        status = sca_address_lookup_in_symbols(&source, address, place);
    place->user = is_users(code, place);
    return status;
}

/* A return address may already belong to the next statement, or to the next function. */
static uint64_t address_of(uint64_t offset, uint32_t kind)
{
    return offset - (!(kind & SCA_NODE_PC) && offset);
}

bool sca_attribution_is_called(const struct sca_attribution *a, uint32_t module, uint64_t offset,
                               uint32_t kind, const char *linkage)
{
    struct sca_binary *binary = module < a->nmodules ? a->modules[module].binary : NULL;
    return binary && sca_binary_is_symbol(binary, address_of(offset, kind), linkage);
}

int sca_attribution_lookup(struct sca_attribution *a, uint32_t module, uint64_t offset,
                           uint32_t kind, const struct sca_address_info **out)
{
    static const struct sca_address_info nothing;
    struct place_key key = {address_of(offset, kind), module, 0};
    struct sca_address_memo *memo;
    *out = &nothing;
    if (module >= a->nmodules)
        return SCA_OK;
    HASH_FIND(hh, a->memo, &key, sizeof key, memo);
    if (!memo) {
        memo = sca_arena_alloc(&a->arena, 1, sizeof *memo);
        if (!memo)
            return SCA_ENOMEM;
        memo->key = key;
        int status = work_out(a, &a->modules[module], key.address, &memo->place);
        if (status)
            return status;
        HASH_ADD(hh, a->memo, key, sizeof key, memo);
    }
    *out = &memo->place;
    return SCA_OK;
}
