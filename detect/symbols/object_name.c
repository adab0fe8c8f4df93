#include "symbols/object_name.h"
#include "sca_binary.h"
#include "symbols/code.h"
#include "sca_error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int ends_in_number(const char *name, size_t *length)
{
    size_t n = *length;
    while (n && isdigit((unsigned char)name[n - 1]))
        n--;
    if (n < 2 || n == *length || name[n - 1] != '.')
        return 0;
    *length = n - 1;
    return 1;
}

/* ".gomp_critical_user_NAME" of GCC, ".gomp_critical_user_NAME.var" of LLVM. NULL: it is none. */
static const char *section_of(struct sca_arena *arena, const char *symbol)
{
    static const char mark[] = "gomp_critical_user_";
    const char *name = strstr(symbol, mark);
    if (!name)
        return NULL;
    name += strlen(mark) + (name[strlen(mark)] == '&'); /* gfortran's */
    size_t length = strcspn(name, ".");
    return length ? sca_arena_format(arena, "critical section %.*s", (int)length, name)
                  : sca_arena_string(arena, "unnamed critical section");
}

/* "m::lock" of gfortran's "__m_MOD_lock" and of flang's "_QMmElock", "lock" of "_QFfElock". */
static const char *fortran_of(struct sca_arena *arena, const char *symbol)
{
    const char *at = strstr(symbol, "_MOD_");
    if (!strncmp(symbol, "__", 2) && at)
        return sca_arena_format(arena, "%.*s::%s", (int)(at - symbol - 2), symbol + 2, at + 5);
    at = !strncmp(symbol, "_Q", 2) ? strrchr(symbol, 'E') : NULL;
    if (!at)
        return NULL;
    size_t module = strcspn(symbol + 3, "FSPE");
    return symbol[2] == 'M' ? sca_arena_format(arena, "%.*s::%s", (int)module, symbol + 3, at + 1)
                            : sca_arena_string(arena, at + 1);
}

static const char *other(struct sca_arena *arena, const char *symbol)
{
    char *cpp = sca_symbol_table_written(symbol);
    const char *name = cpp ? cpp : symbol;
    size_t length = strlen(name);
    while (ends_in_number(name, &length)) /* of a variable within a function */
        ;
    name = sca_arena_format(arena, "%.*s", (int)length, name);
    free(cpp);
    return name;
}

const char *sca_object_name_written(struct sca_arena *arena, const char *symbol, uint64_t offset)
{
    const char *section = section_of(arena, symbol);
    const char *name = section ? section : fortran_of(arena, symbol);
    name = name ? name : other(arena, symbol);
    return name && offset && !section
               ? sca_arena_format(arena, "%s+%llu", name, (unsigned long long)offset)
               : name;
}

int sca_object_name(struct sca_arena *arena, const struct sca_attribution *a, uint32_t module,
                    uint64_t address, const char **out)
{
    struct sca_binary *binary = module < a->nmodules ? a->modules[module].binary : NULL;
    uint64_t offset = 0;
    const char *symbol = binary ? sca_binary_object(binary, address, &offset) : NULL;
    *out = symbol ? sca_object_name_written(arena, symbol, offset) : "";
    return *out ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}
