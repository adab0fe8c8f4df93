#include "loops.h"
#include "clock.h"
#include "guard.h"
#include "sca_hook.h"
#include "window.h"
#include <elf.h>
#include <link.h>
#include <string.h>

enum {
    MODULES = 64,
    DEPTH = 16,
    ROUNDS = 16,        /* a loop that comes round so often may delimit epochs */
    OUTER_ROUNDS = 4,   /* so often, if it is around the one that does */
    PATIENCE = 1024,    /* iterations before the window is cut */
    FORGOTTEN = 1 << 14 /* iterations of others after which a delimiter has had its time */
};

static sca_loop_hook_fn *hooks[MODULES];
static unsigned nhooks;
static const struct sca_thread *owner;

static struct {
    uint64_t loop;
    uint32_t rounds;
} stack[DEPTH];
static unsigned depth;
static uint64_t delimiter; /* 0: none yet */
static uint64_t iterations,
    silent; /* since the last world collective; since the delimiter's last */

/* Position in the stack of loops that seem to be running; loops above it have ended. */
static unsigned enter(uint64_t loop)
{
    unsigned i = 0;
    while (i < depth && stack[i].loop != loop)
        i++;
    if (i == DEPTH)
        i = DEPTH - 1;
    if (i == depth || stack[i].loop != loop) {
        stack[i].loop = loop;
        stack[i].rounds = 0;
    }
    depth = i + 1;
    stack[i].rounds++;
    return i;
}

static bool inside(uint64_t loop, unsigned position)
{
    for (unsigned i = 0; i < position; i++)
        if (stack[i].loop == loop)
            return true;
    return false;
}

static void choose(uint64_t loop, unsigned position)
{
    uint32_t rounds = stack[position].rounds;
    bool first = !delimiter && rounds >= ROUNDS;
    bool outer = delimiter && rounds >= OUTER_ROUNDS && !inside(delimiter, position);
    bool later = silent > FORGOTTEN && rounds >= ROUNDS;
    if (first || outer || later)
        delimiter = loop;
}

static void iteration(uint64_t loop)
{
    unsigned position = enter(loop);
    iterations++;
    silent++;
    if (loop != delimiter)
        choose(loop, position);
    if (loop != delimiter)
        return;
    silent = 0;
    if (iterations > PATIENCE)
        sca_window_epoch(sca_clock_now());
}

static void hit(uint64_t loop)
{
    if (!sca_recording || &sca_thread != owner || sca_thread.in_mpi || sca_thread.in_tool)
        return;
    sca_state_lock();
    iteration(loop);
    sca_state_unlock();
}

void sca_loops_collective(void)
{
    if (&sca_thread == owner)
        iterations = 0;
}

/* Notes: sizes of name and description, type, then both, each padded to four bytes. */
static void look_through(const char *at, size_t size)
{
    const char *end = at + size;
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *name = at + sizeof *note, *description = name + ((note->n_namesz + 3) & ~3u);
        int64_t distance;
        at = description + ((note->n_descsz + 3) & ~3u);
        if (at > end || note->n_type != SCA_HOOK_NOTE_TYPE || note->n_descsz != sizeof distance ||
            note->n_namesz != sizeof SCA_HOOK_NOTE_NAME ||
            memcmp(name, SCA_HOOK_NOTE_NAME, sizeof SCA_HOOK_NOTE_NAME) || nhooks == MODULES)
            continue;
        memcpy(&distance, description, sizeof distance);
        hooks[nhooks++] = (sca_loop_hook_fn *)((uintptr_t)description + (uintptr_t)distance);
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

void sca_loops_begin(void)
{
    owner = &sca_thread;
    dl_iterate_phdr(look_in, NULL);
    for (unsigned i = 0; i < nhooks; i++)
        *hooks[i] = hit;
}

void sca_loops_end(void)
{
    for (unsigned i = 0; i < nhooks; i++)
        *hooks[i] = NULL;
}
