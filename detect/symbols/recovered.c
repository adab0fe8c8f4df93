#include "symbols/recovered.h"
#include "symbols/inline_chain.h"

bool sca_recovered_is_wanted(const struct sca_binary *binary, const struct sca_units *units)
{
    bool without = !binary->psg || !units->count; /* a graph is of no use without lines */
    for (size_t i = 0; !without && i < units->ranges.count; i++)
        without = !units->units[units->ranges.list[i].index].has_hash;
    return without;
}

static bool fill(const struct sca_psg *psg, const struct sca_unit *unit, uint32_t id,
                 struct sca_frame *frame)
{
    if (sca_psg_find(psg, unit, id, &frame->function, &frame->vertex))
        return false;
    const struct sca_function *f = &psg->functions[frame->function];
    const struct sca_vertex *v = &f->vertices[frame->vertex];
    frame->name = f->name;
    frame->file = v->file < f->nfiles ? f->files[v->file] : "";
    if (!v->line && *frame->file != '/') /* an address in place of a line */
        frame->file = "";
    frame->line = v->line;
    return true;
}

uint32_t sca_recovered_frames(const struct sca_structure *structure, const struct sca_psg *psg,
                              uint64_t address, struct sca_frame *frames)
{
    uint32_t ids[SCA_DEEPEST_CHAIN], known = 0;
    uint32_t stack = structure ? sca_structure_find(structure, address) : SCA_NO_STACK;
    const struct sca_unit *unit = stack == SCA_NO_STACK ? NULL : sca_psg_unit(psg, structure->unit);
    uint32_t count = unit ? sca_structure_ids(structure, stack, ids, SCA_DEEPEST_CHAIN) : 0;
    while (known < count && fill(psg, unit, ids[known], &frames[known]))
        known++;
    return known;
}
