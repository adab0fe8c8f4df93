#include "profile/event_rows.h"

#include <string.h>

static bool has_rows(const struct sca_part_window *w, uint32_t from, uint32_t size)
{
    return (w->kept == SCA_KEPT || w->kept == SCA_KEPT_NEAR) && w->events_offset >= from &&
           w->events_offset <= size && w->events_size <= size - w->events_offset &&
           w->nevents <= w->events_size / SCA_EVENT_ROWS;
}

bool sca_event_rows_next(const struct sca_tables *t, struct sca_event_rows *walk)
{
    const struct sca_part_window *windows = t->record[SCA_T_WINDOWS];
    uint32_t n = t->header.table[SCA_T_WINDOWS].count, size = t->header.table[SCA_T_EVENTS].count;
    if (walk->window > n)
        return false;
    while (walk->window < n && !has_rows(&windows[walk->window], walk->at, size))
        walk->window++;
    const struct sca_part_window *w = walk->window < n ? &windows[walk->window] : NULL;
    walk->rest = walk->at;
    walk->rows = w ? w->events_offset : size;
    walk->nevents = w ? w->nevents : 0;
    walk->rest_size = walk->rows - walk->rest;
    walk->at = walk->rows + SCA_EVENT_ROWS * walk->nevents;
    walk->window++;
    return true;
}

void sca_event_rows_put(struct sca_writer *out, const struct sca_tables *t,
                        enum sca_event_part part)
{
    const uint8_t *events = t->record[SCA_T_EVENTS];
    struct sca_event_rows walk = {0};
    while (sca_event_rows_next(t, &walk)) {
        uint32_t row = part == SCA_EVENT_STEPS ? walk.nevents : 0;
        if (part == SCA_EVENT_REST)
            sca_wire_put_bytes(out, events + walk.rest, walk.rest_size);
        else
            sca_wire_put_bytes(out, events + walk.rows + row, walk.nevents);
    }
}

static bool take(struct sca_reader *from, uint8_t *to, uint32_t size)
{
    const uint8_t *bytes = sca_wire_get_bytes(from, size);
    if (bytes && size)
        memcpy(to, bytes, size);
    return bytes;
}

bool sca_event_rows_get(struct sca_reader parts[SCA_EVENT_PARTS], const struct sca_tables *t,
                        uint8_t *events)
{
    struct sca_event_rows walk = {0};
    bool fits = true;
    while (fits && sca_event_rows_next(t, &walk))
        fits = take(&parts[SCA_EVENT_REST], events + walk.rest, walk.rest_size) &&
               take(&parts[SCA_EVENT_OCTAVES], events + walk.rows, walk.nevents) &&
               take(&parts[SCA_EVENT_STEPS], events + walk.rows + walk.nevents, walk.nevents);
    for (int i = 0; i < SCA_EVENT_PARTS; i++)
        fits = fits && !sca_wire_left(&parts[i]);
    return fits;
}
