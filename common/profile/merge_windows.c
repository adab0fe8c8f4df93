/* The windows a rank kept, decoded, in the profile's indices. */
#include "profile/event_io.h"
#include "profile/merge.h"
#include "sca_error.h"

struct rank_windows {
    const struct sca_part_window *windows;
    const uint8_t *events;
    uint32_t nwindows, nsites, rank;
    uint32_t *last; /* scratch of the decoder */
};

static int no_memory(void)
{
    return sca_fail(SCA_ENOMEM, "out of memory while merging the windows");
}

/* Indices of the rank become those of the profile; what cannot be is made unknown. */
static void translate(struct sca_merge *merge, const struct sca_tables *t,
                      const struct sca_merge_maps *maps, struct sca_window *w)
{
    for (uint32_t i = 0; i < w->nevents; i++)
        w->events[i].site = maps->site[w->events[i].site];
    for (uint32_t i = 0; i < w->nops; i++) {
        struct sca_op *op = &w->ops[i];
        if (op->comm >= t->header.table[SCA_T_COMMS].count)
            op->comm = SCA_NONE;
        op->comm = sca_merge_comm_of(merge, maps, op->comm);
        if (op->peer < -1 || op->peer >= (int64_t)t->header.size)
            op->peer = -1;
    }
}

static int take_window(struct sca_merge *merge, const struct rank_windows *s,
                       const struct sca_part_window *from, struct sca_window *to)
{
    const uint8_t *bytes = s->events + from->events_offset;
    uint32_t nops = 0;
    bool timed = from->kept == SCA_KEPT_TIMED;
    int status = sca_event_io_count(bytes, from->events_size, from->nevents, timed, s->last,
                                    s->nsites, &nops);
    if (status < 0)
        return status;
    *to = (struct sca_window){.iteration = from->iteration,
                              .iterations = from->iterations,
                              .duration_class = from->duration_class,
                              .class_total = from->class_total,
                              .begin_ns = from->begin_ns,
                              .end_ns = from->end_ns,
                              .nevents = from->nevents,
                              .nops = nops};
    to->events = sca_region_array(merge->records, from->nevents, sizeof *to->events);
    to->ops = sca_region_array(merge->records, nops, sizeof *to->ops);
    if (timed)
        to->times = sca_region_array(merge->region, from->nevents, sizeof *to->times);
    if (!to->events || !to->ops || (timed && !to->times))
        return no_memory();
    const struct sca_events window = {
        to->events,  to->times,    to->ops,
        to->nevents, to->begin_ns, from->kept == SCA_KEPT_NEAR ? (int32_t)s->rank : 0};
    return sca_event_io_decode(bytes, from->events_size, &window, s->last, s->nsites);
}

int sca_merge_windows(struct sca_merge *merge, const struct sca_tables *t,
                      const struct sca_merge_maps *maps, struct sca_rank *rank)
{
    struct rank_windows s = {t->record[SCA_T_WINDOWS],
                             t->record[SCA_T_EVENTS],
                             t->header.table[SCA_T_WINDOWS].count,
                             t->header.table[SCA_T_SITES].count,
                             t->header.rank,
                             NULL};
    int status = SCA_OK;
    if (!s.nwindows)
        return SCA_OK;
    s.last = sca_region_array(&merge->scratch, s.nsites, sizeof *s.last);
    rank->windows = sca_region_array(merge->records, s.nwindows, sizeof *rank->windows);
    if (!s.last || !rank->windows)
        return no_memory();
    for (uint32_t i = 0; status == SCA_OK && i < s.nwindows; i++) {
        struct sca_window *to = &rank->windows[rank->nwindows];
        if (!s.windows[i].kept)
            continue;
        status = take_window(merge, &s, &s.windows[i], to);
        if (status == SCA_OK) {
            translate(merge, t, maps, to);
            rank->nwindows++;
        }
    }
    return status;
}
