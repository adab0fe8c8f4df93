/*
 * Where the gaps of a window's events stand: two rows in front of it, of one byte for each event.
 * In an image the rows of all windows lie apart from the rest (doc/FORMATS.md section 3). Any
 * thread; allocates nothing.
 */
#ifndef SCA_EVENT_ROWS_H
#define SCA_EVENT_ROWS_H

#include "profile/tables.h"

#include <stdbool.h>

enum { SCA_EVENT_ROWS = 2 };

/* A walk over the table of events: first what is in no row, then the rows of the next window. */
struct sca_event_rows {
    uint32_t window, at;      /* where it goes on; 0 to begin with */
    uint32_t rest, rest_size; /* offset and bytes before the rows */
    uint32_t rows, nevents;   /* offset of both rows, bytes of each; 0 at the end */
};
/* false: that was all. Windows that overlap, or lie outside the events, have their rows in the
 * rest; the walk depends on the table of windows and the number of events' bytes alone. */
bool sca_event_rows_next(const struct sca_tables *tables, struct sca_event_rows *walk);

/* A section of the image: the rest, or one of the rows. */
enum sca_event_part { SCA_EVENT_REST, SCA_EVENT_OCTAVES, SCA_EVENT_STEPS, SCA_EVENT_PARTS };
void sca_event_rows_put(struct sca_writer *out, const struct sca_tables *tables,
                        enum sca_event_part part);
/* Fills the table of events again; false where the parts do not fit it. */
bool sca_event_rows_get(struct sca_reader parts[SCA_EVENT_PARTS], const struct sca_tables *tables,
                        uint8_t *events);

#endif
