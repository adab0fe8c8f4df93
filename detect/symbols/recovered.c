#include "symbols/recovered.h"
#include "symbols/inline_chain.h"

bool sca_recovered_is_wanted(const struct sca_binary *binary, const struct sca_units *units)
{
    bool without = !binary->psg;
    for (size_t i = 0; !without && i < units->ranges.count; i++)
        without = !units->units[units->ranges.list[i].index].has_hash;
    return without;
}

uint32_t sca_recovered_vertices(const struct sca_structure *structure, const struct sca_psg *psg,
                                uint64_t address, struct sca_frame *frames, uint32_t count)
{
    uint32_t ids[SCA_DEEPEST_CHAIN], known;
    uint32_t stack = structure ? sca_structure_find(structure, address) : SCA_NO_STACK;
    const struct sca_unit *unit = stack == SCA_NO_STACK ? NULL : sca_psg_unit(psg, structure->unit);
    if (!unit)
        return 0;
    known = sca_structure_ids(structure, stack, ids, SCA_DEEPEST_CHAIN);
    known = known < count ? known : count;
    for (uint32_t i = 0; i < known; i++)
        if (sca_psg_find(psg, unit, ids[i], &frames[i].function, &frames[i].vertex))
            frames[i].function = SCA_NO_FUNCTION;
    return known;
}
