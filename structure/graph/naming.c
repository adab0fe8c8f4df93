#include "graph/naming.h"
#include "sca_die.h"
#include "sca_error.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum space { BY_DIE, BY_CODE };

static bool is_external(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    bool external = false;
    if (dwarf_formflag(dwarf_attr_integrate(die, DW_AT_external, &attribute), &external))
        return false;
    return external;
}

/* ---- names as the user wrote them ---- */

/* What compilers put behind the name of a copy or a part: "f.constprop.0", "f.isra.0.cold". */
static size_t stem_of(const char *name)
{
    static const char *const suffixes[] = {".constprop.", ".isra.",     ".part.",        ".cold",
                                           "._omp_fn.",   ".lto_priv.", ".omp_outlined", NULL};
    size_t length = strlen(name);
    for (int i = 0; suffixes[i]; i++) {
        const char *at = strstr(name, suffixes[i]);
        if (at && at > name && (size_t)(at - name) < length)
            length = (size_t)(at - name);
    }
    return length;
}

/* "proc" of gfortran's "__module_MOD_proc". */
static const char *behind_module(const char *name)
{
    const char *at = !strncmp(name, "__", 2) ? strstr(name, "_MOD_") : NULL;
    return at ? at + strlen("_MOD_") : name;
}

static const char *shown_name(struct sca_naming *n, const char *linkage, const char *name)
{
    char *stem = sca_arena_string(&n->draft->arena, linkage);
    if (!stem)
        return NULL;
    stem[stem_of(stem)] = '\0';
    if (!strncmp(stem, "_Z", 2))
        return sca_binary_demangle(n->binary, stem);
    if (name && strchr(name, '<'))
        return sca_binary_shorten(n->binary, name);
    if (name && *name) {
        char *copy = sca_arena_string(&n->draft->arena, name);
        if (copy)
            copy[stem_of(copy)] = '\0';
        return copy;
    }
    return behind_module(stem);
}

/* ---- functions ---- */

static int describe(struct sca_naming *n, uint32_t function, const char *linkage, const char *name,
                    bool local)
{
    struct sca_draft_function *f = &n->draft->functions[function];
    f->linkage = sca_draft_intern(n->draft, linkage);
    const char *shown = f->linkage ? shown_name(n, linkage, name) : NULL;
    f->name = shown ? sca_draft_intern(n->draft, shown) : NULL;
    f->local = local;
    return f->linkage && f->name ? SCA_OK : SCA_ENOMEM;
}

static int set_lines(struct sca_naming *n, uint32_t function, Dwarf_Die *die)
{
    struct sca_draft_vertex *root = &n->draft->functions[function].vertices[0];
    Dwarf_Die unit;
    const char *file =
        dwarf_diecu(die, &unit, NULL, NULL) ? sca_die_file(&unit, die, DW_AT_decl_file) : NULL;
    int line = 0;
    if (!file || dwarf_decl_line(die, &line) || line <= 0)
        return SCA_OK;
    root->file = sca_draft_intern(n->draft, file);
    root->line = root->end_line = (uint32_t)line;
    return root->file ? SCA_OK : SCA_ENOMEM;
}

/* Functions that other files can call are one by their name, whoever describes them. */
static int add_for_die(struct sca_naming *n, Dwarf_Die *die, const char *linkage,
                       uint32_t *function, bool *is_new)
{
    if (!is_external(die))
        return sca_draft_function(n->draft, BY_DIE, dwarf_dieoffset(die), function, is_new);
    int status = sca_draft_named_function(n->draft, linkage, function, is_new);
    return status ? status : sca_draft_add_key(n->draft, BY_DIE, dwarf_dieoffset(die), *function);
}

static int of_die(struct sca_naming *n, Dwarf_Die *die, const char *symbol, uint32_t *function)
{
    Dwarf_Die origin = sca_die_origin(die);
    bool is_new = false;
    if (sca_draft_find_function(n->draft, BY_DIE, dwarf_dieoffset(&origin), function))
        return SCA_OK;
    const char *linkage = sca_die_linkage(&origin), *name = dwarf_diename(&origin);
    if (!*linkage)
        linkage = name && *name ? name : symbol && *symbol ? symbol : "?";
    int status = add_for_die(n, &origin, linkage, function, &is_new);
    if (!status && is_new)
        status = describe(n, *function, linkage, name, !is_external(&origin));
    return !status && is_new ? set_lines(n, *function, &origin) : status;
}

int sca_naming_of_die(struct sca_naming *n, Dwarf_Die *die, uint32_t *function)
{
    return of_die(n, die, NULL, function);
}

static Dwarf_Die *die_of(struct sca_naming *n, uint64_t address)
{
    struct sca_dwarf_unit *unit = sca_compile_units_at(n->units, address);
    struct sca_piece piece;
    return unit ? sca_compile_units_function(unit, address, &piece) : NULL;
}

const char *sca_naming_address(const struct sca_naming *n, uint64_t address,
                               char text[SCA_ADDRESS_NAME])
{
    const char *slash = strrchr(n->binary->path, '/');
    snprintf(text, SCA_ADDRESS_NAME, "%s+0x%llx", slash ? slash + 1 : n->binary->path,
             (unsigned long long)address);
    return text;
}

static int of_symbol(struct sca_naming *n, const struct sca_code_function *code, uint32_t *function)
{
    bool is_new, named = *code->name && !code->local;
    char text[SCA_ADDRESS_NAME];
    int status = named ? sca_draft_named_function(n->draft, code->name, function, &is_new)
                       : sca_draft_function(n->draft, BY_CODE, code->low, function, &is_new);
    const char *name = *code->name ? code->name : sca_naming_address(n, code->low, text);
    return status || !is_new ? status : describe(n, *function, name, NULL, !named);
}

int sca_naming_of_code(struct sca_naming *n, uint32_t code, uint32_t *function)
{
    if (n->of_code[code] == SCA_NO_DRAFT) {
        const struct sca_code_function *c = &n->code->list[code];
        Dwarf_Die *die = die_of(n, c->low);
        int status =
            die ? of_die(n, die, c->name, &n->of_code[code]) : of_symbol(n, c, &n->of_code[code]);
        if (status)
            return status;
    }
    *function = n->of_code[code];
    return SCA_OK;
}
