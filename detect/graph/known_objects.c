#include "graph/known_objects.h"
#include "sca_error.h"
#include "symbols/code.h"
#include "symbols/object_name.h"

#include <stdlib.h>
#include <string.h>

static uint32_t count_objects(const struct sca_profile *p)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < p->nnodes; i++)
        n += (p->nodes[i].kind & SCA_NODE_OBJECT) != 0;
    return n;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* By the line of the user's that leads to the call that made it. */
static int name_by_maker(struct sca_arena *arena, struct sca_attribution *a, uint32_t module,
                         const struct sca_node *node, struct sca_ppg_object *out)
{
    const struct sca_address_info *place;
    int status = sca_attribution_lookup(a, module, node->offset, SCA_NODE_RETURN, &place);
    if (status || !place->nframes)
        return status;
    const struct sca_frame *at = &place->frames[place->nframes - 1];
    out->line = at->line;
    out->file = sca_arena_string(arena, at->file);
    out->name = at->line ? sca_arena_format(arena, "made at %s:%u", base_name(at->file), at->line)
                         : sca_arena_format(arena, "made in %s", at->name);
    return out->file && out->name ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}

/* Without a symbol it is called by the file and the place in it. */
static int name_by_symbol(struct sca_arena *arena, const struct sca_attribution *a, uint32_t module,
                          const struct sca_node *node, struct sca_ppg_object *out)
{
    int status = sca_object_name(arena, a, module, node->offset, &out->name);
    if (status || *out->name)
        return status;
    out->name = sca_arena_format(arena, "%s+0x%llx", base_name(a->modules[module].path),
                                 (unsigned long long)node->offset);
    return out->name ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}

static int name(struct sca_arena *arena, struct sca_attribution *a,
                const struct sca_tree_input *input, struct sca_ppg_object *out)
{
    const struct sca_node *node = &input->profile->nodes[out->node];
    uint32_t module =
        node->module < input->profile->nmodules ? input->module[node->module] : SCA_NONE;
    if (module >= a->nmodules)
        return SCA_OK;
    return node->kind & SCA_NODE_PC ? name_by_symbol(arena, a, module, node, out)
                                    : name_by_maker(arena, a, module, node, out);
}

int sca_known_objects_read(struct sca_arena *arena, struct sca_attribution *attribution,
                           const struct sca_tree_input *input, struct sca_ppg_run *run)
{
    const struct sca_profile *p = input->profile;
    uint32_t n = count_objects(p);
    run->objects = n ? sca_arena_alloc(arena, n, sizeof *run->objects) : NULL;
    if (n && !run->objects)
        return sca_fail(SCA_ENOMEM, "out of memory");
    int status = SCA_OK;
    for (uint32_t i = 1; !status && i < p->nnodes; i++) {
        if (!(p->nodes[i].kind & SCA_NODE_OBJECT))
            continue;
        struct sca_ppg_object *object = &run->objects[run->nobjects++];
        *object = (struct sca_ppg_object){.node = i, .name = "", .file = ""};
        status = name(arena, attribution, input, object);
    }
    return status;
}

static int by_node(const void *a, const void *b)
{
    const struct sca_ppg_object *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

const struct sca_ppg_object *sca_known_objects_of(const struct sca_ppg_run *run, uint32_t node)
{
    const struct sca_ppg_object wanted = {.node = node};
    return run->nobjects ? bsearch(&wanted, run->objects, run->nobjects, sizeof wanted, by_node)
                         : NULL;
}
