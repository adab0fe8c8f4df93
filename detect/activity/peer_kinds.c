#include "activity/peer_kinds.h"

void sca_peer_kinds_begin(struct sca_workspace *space, size_t ncalls, int nways, uint32_t most,
                          struct sca_peer_kinds *out)
{
    *out = (struct sca_peer_kinds){.space = space, .ncalls = ncalls, .nways = nways, .most = most};
    out->seen = sca_workspace_alloc(space, ncalls, sizeof *out->seen);
}

/* The place of the hash, or the free one where it belongs. */
static uint64_t *place_of(const struct sca_kinds_seen *seen, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (seen->room - 1);
    while (seen->of[at] && seen->of[at] != hash)
        at = (at + 1) & (seen->room - 1);
    return &seen->of[at];
}

static void grow(struct sca_workspace *space, struct sca_kinds_seen *seen)
{
    const struct sca_kinds_seen before = *seen;
    seen->room = before.room ? 2 * before.room : 4;
    seen->of = sca_workspace_alloc(space, seen->room, sizeof *seen->of);
    for (uint32_t i = 0; i < before.room; i++)
        if (before.of[i])
            *place_of(seen, before.of[i]) = before.of[i];
}

static void give_up(struct sca_kinds_seen *seen)
{
    *seen = (struct sca_kinds_seen){.many = true};
}

void sca_peer_kinds_add(struct sca_peer_kinds *kinds, size_t call, enum sca_peer_way way,
                        uint64_t hash, uint32_t limit)
{
    struct sca_kinds_seen *seen = &kinds->seen[call][way];
    if (seen->many)
        return;
    if (2 * seen->n >= seen->room)
        grow(kinds->space, seen);
    uint64_t *place = hash ? place_of(seen, hash) : NULL;
    bool known = place ? *place != 0 : seen->zero;
    if (place)
        *place = hash;
    else
        seen->zero = true;
    seen->n += !known;
    if (seen->n > limit)
        give_up(seen);
}

uint32_t sca_peer_kinds_limit(const struct sca_peer_kinds *kinds, size_t call)
{
    const struct sca_kinds_seen *seen = kinds->seen[call];
    bool open = false;
    for (int way = SCA_BY_BITS; way < kinds->nways; way++)
        open |= !seen[way].many;
    if (!open)
        return 0;
    return seen[SCA_BY_DISTANCE].many || !seen[SCA_BY_DISTANCE].n ? kinds->most
                                                                  : seen[SCA_BY_DISTANCE].n - 1;
}

enum sca_peer_way sca_peer_kinds_way(const struct sca_peer_kinds *kinds, size_t call)
{
    const struct sca_kinds_seen *seen = kinds->seen[call];
    int best = SCA_PEER_WAYS;
    for (int way = 0; way < kinds->nways; way++)
        if (!seen[way].many && (way == SCA_BY_DISTANCE || seen[way].n) &&
            (best == SCA_PEER_WAYS || seen[way].n < seen[best].n))
            best = way;
    return (enum sca_peer_way)best;
}
