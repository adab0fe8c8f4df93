/*
 * The events of a window as bytes (doc/FORMATS.md), and back.
 *
 * An event says what differs from the previous event of the same site in the window; an iteration
 * that repeats an earlier one costs its site and an interval. Intervals are kept to one part in 64
 * of an octave, rounded up or down by chance so that sums stay true. Neither side allocates.
 */
#ifndef SCA_EVENT_IO_H
#define SCA_EVENT_IO_H

#include "sca_profile.h"
#include "sca_wire.h"

/* An operation whose number was never found out: not written. */
#define SCA_UNNAMED UINT64_MAX

/* The events of one window. With times, intervals are exact. */
struct sca_events {
    struct sca_event *events;
    struct sca_event_time *times; /* NULL: none */
    struct sca_op *ops;
    uint32_t nevents;
    uint64_t begin_ns; /* the window's; with times */
    int32_t home;      /* what the first peer of a site's messages is compared with */
};

/* `last` has an entry for every site there may be, all zero; it is zero again afterwards. `seed`
 * steers the rounding. */
void sca_event_io_encode(struct sca_writer *w, const struct sca_events *window, uint32_t *last,
                         uint64_t seed);

/* How many operations the bytes hold; `last` as above, with `nsites` entries. SCA_EFORMAT: not
 * `nevents` whole events of these sites. The message names no file. */
int sca_event_io_count(const void *bytes, size_t size, uint32_t nevents, bool timed, uint32_t *last,
                       uint32_t nsites, uint32_t *nops);

/* Fills events[nevents], ops[nops] and times[nevents] if there; indices are still the rank's own.
 */
int sca_event_io_decode(const void *bytes, size_t size, const struct sca_events *to, uint32_t *last,
                        uint32_t nsites);

/* What the first operation of a kind at a site is compared with. */
static inline struct sca_op sca_event_io_first(int32_t home, uint8_t kind)
{
    return (struct sca_op){.number = SCA_UNNAMED, .peer = kind < SCA_OP_COLLECTIVE ? home : 0};
}

/* The code of an interval and what it stands for. `chance` is uniform. */
uint32_t sca_event_io_interval_code(uint64_t interval_ns, uint64_t chance);
uint64_t sca_event_io_interval_value(uint32_t code);

#endif
