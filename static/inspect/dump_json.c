#include "inspect/inspect.h"

#include <inttypes.h>
#include <stdio.h>

/* Bytes that are not ASCII pass as they are: paths are UTF-8 almost everywhere. */
static void print_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < ' ')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void print_vertex(const struct sca_program_function *f, uint32_t v)
{
    const struct sca_vertex *vertex = &f->local->vertices[v];
    printf("%s\n      {\"vertex\": %u, \"kind\": \"%s\", \"parent\": %u, \"arm\": %u", v ? "," : "",
           v, sca_psg_kind_name(vertex->kind), vertex->parent, vertex->arm);
    printf(", \"file\": %u, \"line\": %u, \"end_line\": %u", vertex->file, vertex->line,
           vertex->end_line);
    if (*vertex->callee) {
        printf(", \"callee\": ");
        print_text(vertex->callee);
    }
    if (f->callee[v] != SCA_NO_FUNCTION)
        printf(", \"calls\": %u", f->callee[v]);
    printf(", \"indirect\": %s, \"recursive\": %s, \"marked\": %s",
           f->flags[v] & SCA_VF_INDIRECT ? "true" : "false",
           f->flags[v] & SCA_VF_RECURSIVE ? "true" : "false",
           f->flags[v] & SCA_VF_MARKED ? "true" : "false");
    if (f->flags[v] & SCA_VF_NEAR)
        printf(", \"near\": true");
    printf(", \"reaches_mpi\": %s", f->flags[v] & SCA_VF_REACHES ? "true" : "false");
    printf(", \"whole\": %u, \"kept\": %u, \"kept_kind\": \"%s\"}", f->whole[v], f->kept[v],
           sca_psg_kind_name(f->kind[f->kept[v]]));
}

static void print_function(const struct sca_program *program, uint32_t index)
{
    const struct sca_program_function *f = &program->functions[index];
    printf("%s\n    {\"function\": %u, \"linkage\": ", index ? "," : "", index);
    print_text(f->local->linkage);
    printf(", \"name\": ");
    print_text(f->local->name);
    printf(", \"key\": \"%016" PRIx64 "\", \"reaches_mpi\": %s, \"component\": %u, \"files\": [",
           f->local->key, f->reaches_mpi ? "true" : "false", f->component);
    for (uint32_t i = 0; i < f->local->nfiles; i++) {
        printf(i ? ", " : "");
        print_text(f->local->files[i]);
    }
    printf("], \"vertices\": [");
    for (uint32_t v = 0; v < f->local->nvertices; v++)
        print_vertex(f, v);
    printf("\n    ]}");
}

/* Which ids of the line table mean which function, per compilation. */
static void print_unit(const struct sca_psg *psg, uint32_t index)
{
    const struct sca_unit *unit = &psg->units[index];
    printf("%s\n    {\"hash\": \"%016" PRIx64 "\", \"source\": ", index ? "," : "", unit->hash);
    print_text(unit->source);
    printf(", \"functions\": [");
    for (uint32_t e = 0, shown = 0; e < unit->nentries; e++) {
        uint32_t function, vertex;
        if (!sca_psg_find(psg, unit, unit->entries[e].first_id, &function, &vertex))
            printf("%s{\"function\": %u, \"first_id\": %u}", shown++ ? ", " : "", function,
                   unit->entries[e].first_id);
    }
    printf("]}");
}

/* ---- which code they are ---- */

static void print_stack(const struct sca_psg *psg, const struct sca_structure *structure,
                        uint32_t stack)
{
    enum { MOST = 64 };
    uint32_t ids[MOST], function, vertex;
    uint32_t count = sca_structure_ids(structure, stack, ids, MOST);
    const struct sca_unit *unit = sca_psg_unit(psg, structure->unit);
    for (uint32_t i = 0; i < count; i++)
        if (!sca_psg_find(psg, unit, ids[i], &function, &vertex))
            printf("%s{\"function\": %u, \"vertex\": %u}", i ? ", " : "", function, vertex);
}

static void print_code(const struct sca_psg *psg, const struct sca_structure *s)
{
    printf(", \"code\": [");
    for (uint32_t r = 0, shown = 0; r + 1 < s->nrows; r++) {
        if (s->rows[r].stack == SCA_NO_STACK)
            continue;
        printf("%s\n    {\"from\": \"0x%" PRIx64 "\", \"to\": \"0x%" PRIx64 "\", \"at\": [",
               shown++ ? "," : "", s->rows[r].address, s->rows[r + 1].address);
        print_stack(psg, s, s->rows[r].stack);
        printf("]}");
    }
    printf("\n  ]");
}

/* Before contraction: vertices that are their own `whole`; after: their own `kept`. */
void sca_dump_json(const struct sca_psg *psg, const struct sca_program *program,
                   const struct sca_structure *structure)
{
    printf("{\"schema\": \"scalana-psg/1\", \"max_loop_depth\": %u, \"main\": ",
           program->max_loop_depth);
    if (program->main == SCA_NO_FUNCTION)
        printf("null");
    else
        printf("%u", program->main);
    printf(", \"functions\": [");
    for (uint32_t f = 0; f < program->nfunctions; f++)
        print_function(program, f);
    printf("\n  ], \"units\": [");
    for (uint32_t u = 0; u < psg->nunits; u++)
        print_unit(psg, u);
    printf("\n  ]");
    if (structure)
        print_code(psg, structure);
    printf("}\n");
}
