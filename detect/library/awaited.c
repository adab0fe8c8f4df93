/* What a call waits for, in words of the interface. */
#include "library/activities.h"
#include "sca_error.h"
#include "sca_profile.h"

static uint32_t kind_of(const struct sca_part_awaited *a, uint32_t self)
{
    if (a->kind == SCA_AWAITS_SENDER)
        return SCALANA_AWAITS_SENDER;
    if (a->kind == SCA_AWAITS_RECEIVER)
        return SCALANA_AWAITS_RECEIVER;
    switch (a->kind - SCA_AWAITS_COLLECTIVE) {
    case SCA_ALL_TO_ALL:
        return SCALANA_AWAITS_ALL;
    case SCA_ONE_TO_ALL: /* the root has everything, and may have to wait until it is taken */
        return a->peer < 0 || (uint32_t)a->peer == self ? SCALANA_AWAITS_MEMBERS
                                                        : SCALANA_AWAITS_ROOT;
    case SCA_ALL_TO_ONE:
        return a->peer < 0 || (uint32_t)a->peer == self ? SCALANA_AWAITS_MEMBERS
                                                        : SCALANA_AWAITS_ROOT;
    case SCA_PREFIX:
        return SCALANA_AWAITS_LOWER;
    default:
        return SCALANA_AWAITS_NEIGHBOURS;
    }
}

static void fill(const struct sca_part_awaited *a, const struct sca_ppg_run *run, uint32_t self,
                 struct scalana_awaited *out)
{
    bool message = a->kind < SCA_AWAITS_COLLECTIVE;
    *out = (struct scalana_awaited){
        .kind = kind_of(a, self),
        .group = a->comm < run->profile->ncomms ? a->comm : SCALANA_NONE,
        .location =
            a->peer >= 0 && (uint32_t)a->peer < run->nranks ? (uint32_t)a->peer : SCALANA_NONE,
        .any_location = message && a->peer == SCA_AWAITS_ANY,
        .tag = message ? a->tag : SCALANA_ANY_TAG,
        .number = message ? 0 : (uint32_t)a->tag};
}

int sca_awaited_make(struct sca_arena *memory, const struct sca_ppg_run *run,
                     const struct sca_activity *from, struct scalana_activity *to)
{
    to->any = from->any;
    to->polls = from->polls;
    to->nawaited = from->nawaited;
    struct scalana_awaited *rows = sca_arena_alloc(memory, from->nknown + 1ul, sizeof *rows);
    if (!rows)
        return sca_fail(SCA_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < from->nknown; i++)
        fill(&from->awaited[i], run, to->location, &rows[i]);
    to->nknown = from->nknown;
    to->awaited = rows;
    return SCA_OK;
}
