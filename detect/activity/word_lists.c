#include "activity/word_lists.h"
#include "activity/mix.h"

#include <string.h>

static bool is_equal(const struct sca_word_list *list, const uint32_t *words, uint32_t n)
{
    return list->n == n && (!n || !memcmp(list->words, words, n * sizeof *words));
}

static uint64_t hash_of(const uint32_t *words, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    return sca_mix(hash, n);
}

/* Where the list stands in the table, or would. */
static uint32_t *slot_of(const struct sca_word_lists *lists, const uint32_t *words, uint32_t n,
                         uint64_t hash)
{
    for (uint32_t at = (uint32_t)hash;; at++) {
        uint32_t *slot = &lists->table[at & (lists->table_room - 1)];
        const struct sca_word_list *list = *slot ? &lists->of[*slot - 1] : NULL;
        if (!list || (list->hash == hash && is_equal(list, words, n)))
            return slot;
    }
}

static void grow_table(struct sca_word_lists *lists)
{
    lists->table_room = lists->table_room ? 2 * lists->table_room : 64;
    lists->table = sca_workspace_alloc(lists->space, lists->table_room, sizeof *lists->table);
    for (uint32_t i = 0; i < lists->n; i++) {
        const struct sca_word_list *list = &lists->of[i];
        *slot_of(lists, list->words, list->n, list->hash) = i + 1;
    }
}

static void append(struct sca_word_lists *lists, const uint32_t *words, uint32_t n, uint64_t hash)
{
    if (lists->n == lists->room) {
        uint32_t room = lists->room ? 2 * lists->room : 16;
        lists->of = sca_workspace_grow(lists->space, lists->of, lists->n, room, sizeof *lists->of);
        lists->room = room;
    }
    uint32_t *copy = sca_workspace_alloc(lists->space, n, sizeof *copy);
    if (n)
        memcpy(copy, words, n * sizeof *copy);
    lists->of[lists->n++] = (struct sca_word_list){copy, n, hash};
}

/* Most ranks have what the one before had. */
uint32_t sca_word_lists_add(struct sca_word_lists *lists, const uint32_t *words, uint32_t n)
{
    if (lists->n && is_equal(&lists->of[lists->last], words, n))
        return lists->last;
    uint64_t hash = hash_of(words, n);
    if (2 * (lists->n + 1) > lists->table_room)
        grow_table(lists);
    uint32_t *slot = slot_of(lists, words, n, hash);
    if (!*slot) {
        append(lists, words, n, hash);
        *slot = lists->n;
    }
    return lists->last = *slot - 1;
}
