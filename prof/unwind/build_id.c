#include "unwind/build_id.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

static bool starts_with_elf(uint64_t first, uint64_t last)
{
    return last - first > sizeof(ElfW(Ehdr)) &&
           !memcmp((const void *)(uintptr_t)first, ELFMAG, SELFMAG);
}

/* The GNU build-id in a block of notes. */
static uint32_t note_build_id(uint64_t at, uint64_t end, uint8_t *id)
{
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const void *)(uintptr_t)at;
        uint64_t name = at + sizeof *note, desc = name + (note->n_namesz + 3u) / 4 * 4;
        if (desc + note->n_descsz > end)
            return 0;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
            !memcmp((const void *)(uintptr_t)name, "GNU", 4)) {
            uint32_t size = note->n_descsz < SCA_BUILD_ID ? note->n_descsz : SCA_BUILD_ID;
            memcpy(id, (const void *)(uintptr_t)desc, size);
            return size;
        }
        at = desc + (note->n_descsz + 3u) / 4 * 4;
    }
    return 0;
}

uint32_t sca_build_id(uint64_t first, uint64_t last, uint64_t bias, uint8_t id[SCA_BUILD_ID])
{
    if (!starts_with_elf(first, last))
        return 0;
    const ElfW(Ehdr) *elf = (const void *)(uintptr_t)first;
    uint64_t at = first + elf->e_phoff;
    if (elf->e_phentsize != sizeof(ElfW(Phdr)) || at + elf->e_phnum * sizeof(ElfW(Phdr)) > last)
        return 0;
    const ElfW(Phdr) *ph = (const void *)(uintptr_t)at;
    uint32_t size = 0;
    for (unsigned i = 0; i < elf->e_phnum && !size; i++) {
        uint64_t from = bias + ph[i].p_vaddr;
        if (ph[i].p_type == PT_NOTE && from >= first && from + ph[i].p_memsz <= last)
            size = note_build_id(from, from + ph[i].p_memsz, id);
    }
    return size;
}
