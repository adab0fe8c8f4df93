/* The common tables: what is the same in two ranks gets one index. */
#include "profile/merge.h"

/* Out of memory: the entry stays out of the hash and is merged no further; nothing exits. */
#define HASH_NONFATAL_OOM 1
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct sca_merge_entry {
    UT_hash_handle hh;
    uint32_t index;
    const char *text;
    unsigned char key[];
};

static struct sca_merge_entry *find(struct sca_merge_entry *head, const void *key, size_t length)
{
    struct sca_merge_entry *found;
    HASH_FIND(hh, head, key, (unsigned)length, found);
    return found;
}

static struct sca_merge_entry *enter(struct sca_merge *merge, struct sca_merge_entry **head,
                                     const void *key, size_t length, uint32_t index)
{
    struct sca_merge_entry *entry = sca_region_alloc(&merge->lookup, sizeof *entry + length + 1);
    if (!entry)
        return NULL;
    memcpy(entry->key, key, length);
    entry->index = index;
    HASH_ADD_KEYPTR(hh, *head, entry->key, (unsigned)length, entry);
    return entry;
}

/* Room for one more element; the old array stays in the region, which doubling keeps bearable. */
static void *grow(struct sca_region *region, void *array, uint32_t count, uint32_t *room,
                  size_t size)
{
    if (count < *room)
        return array;
    uint32_t more = *room ? 2 * *room : 64;
    void *larger = sca_region_array(region, more, size);
    if (!larger)
        return NULL;
    if (count)
        memcpy(larger, array, count * size);
    *room = more;
    return larger;
}

const char *sca_merge_text(struct sca_merge *merge, const char *text)
{
    size_t length = strlen(text);
    struct sca_merge_entry *entry = find(merge->texts, text, length);
    if (entry)
        return entry->text;
    const char *copy = sca_region_text(merge->region, text, length);
    entry = copy ? enter(merge, &merge->texts, text, length, 0) : NULL;
    if (entry)
        entry->text = copy;
    return copy;
}

static void build_id_text(const struct sca_part_module *module, char out[65])
{
    static const char digits[] = "0123456789abcdef";
    for (uint32_t i = 0; i < module->build_id_size; i++) {
        out[2 * i] = digits[module->build_id[i] >> 4];
        out[2 * i + 1] = digits[module->build_id[i] & 15];
    }
    out[2 * module->build_id_size] = '\0';
}

uint32_t sca_merge_module(struct sca_merge *merge, const struct sca_tables *t, uint32_t i)
{
    const struct sca_part_module *module = (const struct sca_part_module *)t->record[SCA_T_MODULES];
    char build_id[65];
    build_id_text(&module[i], build_id);
    const char *path = sca_tables_string(t, module[i].path), *key = *build_id ? build_id : path;
    struct sca_merge_entry *entry = find(merge->modules, key, strlen(key));
    if (entry)
        return entry->index;
    struct sca_profile *p = merge->profile;
    void *array =
        grow(merge->region, p->modules, p->nmodules, &merge->module_room, sizeof *p->modules);
    path = sca_merge_text(merge, path);
    const char *id = sca_merge_text(merge, build_id);
    if (!array || !path || !id || !enter(merge, &merge->modules, key, strlen(key), p->nmodules))
        return SCA_NONE;
    p->modules = array;
    p->modules[p->nmodules] = (struct sca_module){path, id};
    return p->nmodules++;
}

uint32_t sca_merge_node(struct sca_merge *merge, const struct sca_node *node)
{
    struct sca_profile *p = merge->profile;
    uint64_t key[3] = {(uint64_t)node->parent << 32 | node->module, node->offset, node->kind};
    struct sca_merge_entry *entry = find(merge->nodes, key, sizeof key);
    if (entry)
        return entry->index;
    void *array = grow(merge->region, p->nodes, p->nnodes, &merge->node_room, sizeof *p->nodes);
    if (!array || !enter(merge, &merge->nodes, key, sizeof key, p->nnodes))
        return SCA_NONE;
    p->nodes = array;
    p->nodes[p->nnodes] = *node;
    return p->nnodes++;
}

uint32_t sca_merge_site(struct sca_merge *merge, uint32_t node, const char *function,
                        uint32_t thread)
{
    struct sca_profile *p = merge->profile;
    function = sca_merge_text(merge, function);
    /* Texts are unique: the pointer tells. */
    uint64_t key[2] = {(uint64_t)thread << 32 | node, (uintptr_t)function};
    struct sca_merge_entry *entry = find(merge->sites, key, sizeof key);
    if (entry)
        return entry->index;
    void *array = grow(merge->region, p->sites, p->nsites, &merge->site_room, sizeof *p->sites);
    if (!array || !function || !enter(merge, &merge->sites, key, sizeof key, p->nsites))
        return SCA_NONE;
    p->sites = array;
    p->sites[p->nsites] = (struct sca_site){node, function, thread};
    return p->nsites++;
}

/* Id 0 means that ranks could not agree on one: such communicators are never the same. The two
 * sides of an inter-communicator differ in size. */
uint32_t sca_merge_comm(struct sca_merge *merge, uint64_t id, uint32_t size, const char *kind)
{
    struct sca_profile *p = merge->profile;
    struct sca_merge_entry *entry = id ? find(merge->comms, &id, sizeof id) : NULL;
    if (entry)
        return entry->index;
    void *array = grow(merge->region, p->comms, p->ncomms, &merge->comm_room, sizeof *p->comms);
    kind = sca_merge_text(merge, kind);
    if (!array || !kind || (id && !enter(merge, &merge->comms, &id, sizeof id, p->ncomms)))
        return SCA_NONE;
    p->comms = array;
    p->comms[p->ncomms] = (struct sca_comm){.id = id, .size = size, .kind = kind};
    return p->ncomms++;
}

static void forget(struct sca_merge_entry **head)
{
    HASH_CLEAR(hh, *head);
}

void sca_merge_end(struct sca_merge *merge)
{
    forget(&merge->modules);
    forget(&merge->nodes);
    forget(&merge->sites);
    forget(&merge->comms);
    forget(&merge->texts);
    sca_region_free(&merge->lookup);
    sca_region_free(&merge->scratch);
    sca_region_free(&merge->earlier);
}
