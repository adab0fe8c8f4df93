#include "views/topology_choice.h"
#include "sca_error.h"
#include "text/lines.h"
#include "topology/folded.h"
#include "topology/system.h"
#include "topology/topology_file.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- what there is ---- */

static const char in_order[] = "ranks";

/* All ranks in their order, where the program made no topology. */
static void add_line(struct sca_workspace *space, uint32_t nranks, struct sca_topology *to)
{
    sca_topologies_new(space, nranks, 1, to);
    to->name = "ranks";
    to->kind = in_order;
    to->dims[0] = nranks;
    to->dimension_names[0] = "rank";
    sca_topology_count_off(to);
}

static void gather(struct sca_workspace *space, const struct sca_profile *p,
                   struct sca_topology_choice *out)
{
    struct sca_topologies made, *all = &out->all;
    struct sca_system system;
    sca_topologies_make(space, p, &made);
    sca_system_make(space, p, &system);
    sca_threads_find(space, p, &out->threads);
    *all = made;
    all->of = sca_workspace_grow(space, made.of, made.n, made.n + 3, sizeof *all->of);
    add_line(space, p->nranks, &all->of[all->n++]);
    sca_system_topology(space, &system, &all->of[all->n++]);
    if (out->threads.n > 1)
        sca_topologies_of_threads(space, p->nranks, out->threads.n, &all->of[all->n++]);
}

/* ---- which it is ---- */

static struct sca_topology *find(const struct sca_topologies *all, const char *wish)
{
    char *end;
    for (uint32_t i = 0; i < all->n; i++)
        if (!strcmp(all->of[i].name, wish))
            return &all->of[i];
    if (!isdigit((unsigned char)*wish))
        return NULL;
    unsigned long number = strtoul(wish, &end, 10);
    return !*end && number >= 1 && number <= all->n ? &all->of[number - 1] : NULL;
}

int sca_topology_choose(const struct sca_view_input *in, const struct sca_profile *p,
                        struct sca_topology_choice *out)
{
    const char *wish = in->settings->topology;
    gather(in->space, p, out);
    out->chosen = wish ? find(&out->all, wish) : &out->all.of[0];
    if (out->chosen)
        return SCA_OK;
    out->chosen = sca_workspace_alloc(in->space, 1, sizeof *out->chosen);
    return sca_topology_file_read(in->space, wish, p->nranks, out->chosen);
}

const struct sca_threads *sca_topology_threads(const struct sca_topology_choice *choice)
{
    return strcmp(choice->chosen->kind, "threads") ? NULL : &choice->threads;
}

/* ---- in words ---- */

__attribute__((format(printf, 3, 4))) static size_t put(char *text, size_t used, const char *format,
                                                        ...)
{
    va_list args;
    if (used >= SCA_PHRASE)
        return used;
    va_start(args, format);
    int more = vsnprintf(text + used, SCA_PHRASE - used, format, args);
    va_end(args);
    return used + (size_t)(more > 0 ? more : 0);
}

static size_t put_sizes(char *text, size_t used, const struct sca_topology *t)
{
    bool named = false;
    for (uint32_t d = 0; d < t->ndims; d++)
        named |= *t->dimension_names[d] != '\0';
    for (uint32_t d = 0; d < t->ndims; d++)
        used = named ? put(text, used, "%s%s %u", d ? ", " : "", t->dimension_names[d], t->dims[d])
                     : put(text, used, "%s%u", d ? " x " : "", t->dims[d]);
    return used;
}

static size_t put_periods(char *text, size_t used, const struct sca_topology *t)
{
    char name[64];
    const char *before = ", periodic in ";
    for (uint32_t d = 0; d < t->ndims; d++)
        if (t->periodic[d]) {
            used = put(text, used, "%s%s", before, sca_fold_name(name, t, d));
            before = " and ";
        }
    return used;
}

const char *sca_topology_phrase(struct sca_table *table, const struct sca_topology *t)
{
    char text[SCA_PHRASE];
    size_t used;
    if (!strcmp(t->kind, in_order))
        return "the ranks in their order";
    used = put(text, 0, strcmp(t->name, t->kind) ? "%s, %s " : "%s: ", t->name, t->kind);
    if (!strcmp(t->kind, "graph"))
        used = put(text, used, "of %u ranks", t->members);
    else
        used = put_periods(text, put_sizes(text, used, t), t);
    if (t->members < t->nranks && strcmp(t->kind, "graph"))
        used = put(text, used, ", %u of %u ranks", t->members, t->nranks);
    return sca_table_text(table, "%s", text);
}

/* Those that read alike, one after the other, are told together. */
void sca_topology_note_others(const struct sca_topology_choice *choice, struct sca_table *table)
{
    const struct sca_topologies *all = &choice->all;
    for (uint32_t i = 0, end; i < all->n; i = end) {
        const char *phrase = sca_topology_phrase(table, &all->of[i]);
        for (end = i + 1; end < all->n; end++)
            if (strcmp(phrase, sca_topology_phrase(table, &all->of[end])))
                break;
        if (end > i + 1)
            sca_table_note(table, "--topology=%u to --topology=%u show %s.", i + 1, end, phrase);
        else if (&all->of[i] != choice->chosen)
            sca_table_note(table, "--topology=%u shows %s.", i + 1, phrase);
    }
    if (all->left_out)
        sca_table_note(table, "The run has %u more topologies, of fewer ranks.", all->left_out);
}
