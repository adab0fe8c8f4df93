#include "run/sanitizers.h"
#include "sca_elf_program.h"
#include "sca_error.h"

#include <stdio.h>
#include <string.h>

static int is_sanitizer(const char *name)
{
    static const char *const known[] = {"libasan.so", "libhwasan.so", "liblsan.so",
                                        "libtsan.so", "libubsan.so",  "libclang_rt."};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, known[i], strlen(known[i])))
            return 1;
    return 0;
}

void sca_sanitizers_of(const char *path, char *out, size_t size)
{
    struct sca_elf_program program;
    uint64_t at = 0;
    size_t used = 0;
    *out = '\0';
    if (sca_elf_program_open(&program, path) != SCA_OK)
        return;
    for (const char *name; (name = sca_elf_program_needed(&program, &at));)
        if (is_sanitizer(name) && used + strlen(name) + 2 <= size)
            used += (size_t)snprintf(out + used, size - used, "%s:", name);
    sca_elf_program_close(&program);
}
