/* Texts of the arena: each string once, found by its content; metadata in pairs. */
#include "arena/arena.h"
#include "base/guard.h"

#include <string.h>

static struct sca_index texts; /* entries: of different strings; slots: offset + 1 */

int sca_arena_texts_begin(uint32_t bytes)
{
    return sca_arena_index_map(&texts, bytes / 8); /* no shorter on average */
}

void sca_arena_texts_end(void)
{
    sca_arena_index_unmap(&texts);
}

static const char *string_at(uint32_t offset)
{
    return (const char *)sca_arena_table(SCA_T_STRINGS) + offset;
}

/* Strings are indexed by content: the slot of the text, or the free one where it belongs. */
static uint32_t *lookup(const char *text)
{
    uint32_t at = sca_arena_index_hash_text(text) & texts.mask;
    while (texts.slots[at] && strcmp(string_at(texts.slots[at] - 1), text))
        at = (at + 1) & texts.mask;
    return &texts.slots[at];
}

static void grow(void)
{
    if (texts.entries < (texts.mask + 1) / 2 || !sca_arena_index_grow(&texts))
        return;
    uint32_t count = sca_arena_count(SCA_T_STRINGS);
    for (uint32_t at = 0; at < count; at += (uint32_t)strlen(string_at(at)) + 1)
        *lookup(string_at(at)) = at + 1;
}

uint32_t sca_arena_string(const char *text)
{
    if (!texts.slots)
        return SCA_NONE;
    grow();
    uint32_t *slot = lookup(text);
    if (*slot)
        return *slot - 1;
    if (texts.entries >= texts.limit / 4 * 3) { /* a full index would never end a search */
        sca_arena_header()->table[SCA_T_STRINGS].dropped++;
        return SCA_NONE;
    }
    uint32_t offset = sca_arena_bytes(SCA_T_STRINGS, text, (uint32_t)strlen(text) + 1);
    if (offset == SCA_NONE)
        return SCA_NONE;
    *slot = offset + 1;
    texts.entries++;
    return offset;
}

/* One append, so that a reader never sees a key without its value. */
void sca_arena_meta(const char *key, const char *value)
{
    char pair[1024];
    size_t k = strlen(key) + 1, v = strlen(value) + 1;
    if (k > sizeof pair / 2)
        return;
    if (k + v > sizeof pair)
        v = sizeof pair - k;
    memcpy(pair, key, k);
    memcpy(pair + k, value, v);
    pair[k + v - 1] = '\0';
    sca_guard_lock();
    sca_arena_bytes(SCA_T_META, pair, (uint32_t)(k + v));
    sca_guard_unlock();
}
