#include "threads/turns.h"

enum { TURNS = 256 };

static struct turn_place {
    uint64_t count; /* odd: it is being written */
    struct sca_team_turn turn;
} places[TURNS];

bool sca_turns_read(uint64_t key, struct sca_team_turn *out)
{
    struct turn_place *p = &places[key % TURNS];
    uint64_t before = __atomic_load_n(&p->count, __ATOMIC_ACQUIRE);
    *out = p->turn;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return !(before & 1) && __atomic_load_n(&p->count, __ATOMIC_RELAXED) == before &&
           out->key == key;
}

void sca_turns_write(const struct sca_team_turn *turn)
{
    struct turn_place *p = &places[turn->key % TURNS];
    uint64_t count = __atomic_load_n(&p->count, __ATOMIC_RELAXED);
    if (count & 1 || !__atomic_compare_exchange_n(&p->count, &count, count + 1, false,
                                                  __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    p->turn = *turn;
    __atomic_store_n(&p->count, count + 2, __ATOMIC_RELEASE);
}
