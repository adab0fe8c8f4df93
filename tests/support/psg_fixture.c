#include "psg_fixture.h"
#include "sca_error.h"
#include "check_main.h"

static void add_to_unit(struct psg_fixture *p, const struct psg_text *text, uint64_t key)
{
    struct sca_unit *unit = &p->units[text->unit];
    struct sca_unit_entry *entries = p->entries[text->unit];
    uint32_t id = 1;
    for (uint32_t e = 0; e < unit->nentries; e++)
        id += p->functions[entries[e].key - 1].nvertices;
    entries[unit->nentries++] = (struct sca_unit_entry){key, id};
    if (text->unit >= p->psg.nunits)
        p->psg.nunits = text->unit + 1;
}

void psg_fixture_open(struct psg_fixture *p, struct psg_text *text, uint32_t count)
{
    *p = (struct psg_fixture){.psg = {.units = p->units, .functions = p->functions}};
    ck_assert_uint_le(count, PSG_FUNCTIONS);
    for (uint32_t u = 0; u < PSG_UNITS; u++)
        p->units[u] =
            (struct sca_unit){.hash = PSG_HASH + u, .source = "user.c", .entries = p->entries[u]};
    for (uint32_t f = 0; f < count; f++) {
        p->files[f] = text[f].file ? text[f].file : "user.c";
        p->functions[f] =
            (struct sca_function){.key = f + 1,
                                  .linkage = text[f].linkage,
                                  .name = text[f].name ? text[f].name : text[f].linkage,
                                  .local = text[f].local,
                                  .nfiles = 1,
                                  .files = &p->files[f],
                                  .nvertices = text[f].nvertices,
                                  .vertices = text[f].vertices};
        add_to_unit(p, &text[f], f + 1);
    }
    p->psg.nfunctions = count;
    ck_assert_int_eq(sca_psg_link(&p->psg, 10, &p->program), SCA_OK);
}

void psg_fixture_close(struct psg_fixture *p)
{
    sca_psg_program_free(&p->program);
}
