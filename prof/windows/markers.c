#include "windows/markers.h"
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MODULES = 64 };

/* The loops of a module. */
static struct array {
    struct sca_loop *begin, *end;
} arrays[MODULES];
static unsigned narrays;

void sca_markers_set(void (*hook)(struct sca_loop *))
{
    for (unsigned i = 0; i < narrays; i++)
        for (struct sca_loop *loop = arrays[i].begin; loop < arrays[i].end; loop++) {
            loop->own = 0;
            __atomic_store_n(&loop->hook, hook, __ATOMIC_RELAXED);
        }
}

static bool is_ours(const ElfW(Nhdr) * note)
{
    return note->n_type == SCA_HOOK_NOTE_TYPE && note->n_descsz == 2 * sizeof(int64_t) &&
           note->n_namesz == sizeof SCA_HOOK_NOTE_NAME &&
           !memcmp(note + 1, SCA_HOOK_NOTE_NAME, sizeof SCA_HOOK_NOTE_NAME);
}

/* Notes: sizes of name and description, type, then both, each padded to four bytes. */
static void look_through(const char *at, size_t size)
{
    const char *end = at + size;
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *description = at + sizeof *note + ((note->n_namesz + 3) & ~3u);
        int64_t distance[2];
        at = description + ((note->n_descsz + 3) & ~3u);
        if (at > end || !is_ours(note) || narrays == MODULES)
            continue;
        memcpy(distance, description, sizeof distance);
        arrays[narrays++] =
            (struct array){(void *)((uintptr_t)description + (uintptr_t)distance[0]),
                           (void *)((uintptr_t)description + (uintptr_t)distance[1])};
    }
}

static int look_in(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            look_through((const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                         info->dlpi_phdr[i].p_memsz);
    return 0;
}

/* Arrays of modules that have gone are forgotten before: their memory is no longer there. */
void sca_markers_find(void (*hook)(struct sca_loop *))
{
    narrays = 0;
    dl_iterate_phdr(look_in, NULL);
    sca_markers_set(hook);
}

/* How many modules ever came and went: the first one's word is enough. */
static int count_changes(struct dl_phdr_info *info, size_t size, void *changes)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(unsigned long long *)changes = info->dlpi_adds + info->dlpi_subs;
    return 1;
}

bool sca_markers_changed(void)
{
    static unsigned long long known;
    unsigned long long changes = 0;
    dl_iterate_phdr(count_changes, &changes);
    bool changed = changes != known;
    known = changes;
    return changed;
}
