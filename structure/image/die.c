#include "sca_die.h"

#include <dwarf.h>
#include <stddef.h>

Dwarf_Die sca_die_origin(Dwarf_Die *die)
{
    static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
    Dwarf_Die at = *die, next;
    Dwarf_Attribute attribute;
    for (int i = 0; i < 2; i++)
        if (dwarf_formref_die(dwarf_attr(&at, links[i], &attribute), &next))
            at = next;
    return at;
}

const char *sca_die_linkage(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
    if (!name)
        name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute));
    return name ? name : "";
}

uint32_t sca_die_number(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) || value > UINT32_MAX)
        return 0;
    return (uint32_t)value;
}

/* dwarf_decl_file() stops the program where a unit's line table lies elsewhere (-gsplit-dwarf). */
const char *sca_die_file(Dwarf_Die *unit, Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Files *files;
    size_t count;
    uint32_t index = sca_die_number(die, attribute);
    if (dwarf_getsrcfiles(unit, &files, &count) || index >= count)
        return NULL;
    return dwarf_filesrc(files, index, NULL, NULL);
}
