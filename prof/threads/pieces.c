#include "threads/pieces.h"

#include <stdbool.h>
#include <string.h>

void sca_pieces_clear(struct sca_pieces *p)
{
    p->n = p->ntasks = p->ndepends = 0;
    p->rest_ns = 0;
}

static uint32_t room_for(uint32_t *used, uint32_t n, uint32_t most)
{
    uint32_t first = __atomic_load_n(used, __ATOMIC_RELAXED);
    do {
        if (n > most - first)
            return most;
    } while (!__atomic_compare_exchange_n(used, &first, first + n, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return first;
}

uint32_t sca_pieces_make_task(struct sca_pieces *p, uint32_t site, const struct sca_depend *depends,
                              uint32_t n)
{
    uint32_t first = room_for(&p->ndepends, n, SCA_DEPENDS);
    uint32_t task = first <= SCA_DEPENDS - n ? room_for(&p->ntasks, 1, SCA_TASKS) : SCA_TASKS;
    if (task == SCA_TASKS)
        return 0;
    memcpy(p->depends + first, depends, n * sizeof *depends);
    p->tasks[task] = (struct sca_piece_task){site, first, n};
    return task + 1;
}

uint32_t sca_pieces_take(struct sca_pieces *p, uint32_t task)
{
    uint32_t number = __atomic_fetch_add(&p->n, 1, __ATOMIC_RELAXED);
    if (number < SCA_PIECES) {
        p->ns[number] = 0;
        p->task[number] = task;
    }
    return number;
}

void sca_pieces_end(struct sca_pieces *p, uint32_t number, uint64_t ns)
{
    if (number < SCA_PIECES)
        p->ns[number] += ns;
    else
        __atomic_fetch_add(&p->rest_ns, ns, __ATOMIC_RELAXED);
}
