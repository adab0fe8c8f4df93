/* The structure of a binary: an ELF file as it is, or machine code in a file made around it. What
 * was recovered is written, read, linked and looked up. */
#include "code_file.h"
#include "container.h"
#include "cache/structure_file.h"
#include "sca_error.h"
#include "sca_psg.h"
#include "sca_structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, DEPTH = 10 };

/* What any structure must be: rows by address, stacks below their own number, a graph to link. */
static void check_rows(const struct sca_structure *s)
{
    uint32_t ids[DEEPEST];
    for (uint32_t i = 0; i < s->nrows; i++) {
        bool known = s->rows[i].stack < s->nstacks;
        if (!known || (i && s->rows[i - 1].address >= s->rows[i].address) ||
            sca_structure_find(s, s->rows[i].address) != s->rows[i].stack)
            abort();
        sca_structure_ids(s, s->rows[i].stack, ids, DEEPEST);
    }
    for (uint32_t i = 1; i < s->nstacks; i++)
        if (s->stacks[i].outer >= i)
            abort();
}

static void check_graph(const struct sca_structure *s)
{
    struct sca_psg psg = {0};
    struct sca_program program;
    uint32_t function, vertex;
    if (sca_psg_add(&psg, s->psg, s->psg_size, "fuzz") || psg.nunits != 1) {
        fprintf(stderr, "%u units: %s\n", psg.nunits, sca_error_message());
        abort();
    }
    for (uint32_t i = 1; i < s->nstacks; i++)
        if (sca_psg_find(&psg, psg.units, s->stacks[i].id, &function, &vertex))
            abort();
    if (sca_psg_link(&psg, DEPTH, &program) == 0)
        sca_psg_program_free(&program);
    sca_psg_free(&psg);
}

static void check_file(const struct sca_structure *s)
{
    struct sca_structure copy;
    size_t length;
    uint8_t *bytes = sca_structure_encode(s, &length);
    if (!bytes || sca_structure_decode(bytes, length, "fuzz", &copy) || copy.nrows != s->nrows)
        abort();
    for (uint32_t i = 0; i < s->nrows; i++)
        if (copy.rows[i].address != s->rows[i].address || copy.rows[i].stack != s->rows[i].stack)
            abort();
    sca_structure_free(&copy);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char magic[] = "\177ELF";
    struct sca_structure structure;
    char path[256];
    snprintf(path, sizeof path, "%s/program", fuzz_directory());
    if (size >= 4 && !memcmp(data, magic, 4))
        fuzz_write("program", data, size);
    else
        fuzz_write_code("program", data, size);
    if (sca_structure_of(path, &structure) == 0) {
        check_rows(&structure);
        check_graph(&structure);
        check_file(&structure);
        sca_structure_free(&structure);
    }
    fuzz_remove("program");
    return 0;
}
